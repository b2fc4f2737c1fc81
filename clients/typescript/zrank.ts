// A client of zrank's HTTP API for browsers, node 20 and later, Deno and Bun: one file without dependencies. Copy it into your game.
//
//   const zrank = new Zrank({ url: "https://scores.example", key: "…" }); // a server key, or the token of a player
//   const week = zrank.board("arena").window("week");
//   await zrank.board("arena").submit({ member: "ada", score: 1500 });
//   for (const row of (await week.top(10)).rows) console.log(row.rank, row.member, exact(row));
//
// Retries. A request is sent again, after a pause that grows, if the server could not be reached, was too slow or answered 429, 502, 503 or 504. Only reads are,
// and submissions that have a key, which the server counts once however often they arrive. submit, apply and batch make a key unless they are given one.
//
// Names. The API writes a name that is no UTF-8, or begins with "base64:", as "base64:" and base64url. Methods take and return names like that; encodeName and
// decodeName convert them.
//
// Numbers. A JSON number is a float64: rows with integers beyond 2^53 have them in scoreText too, and exact returns bigints. Scores that are sent may be bigints.
//
// Routes are URI templates (RFC 6570). A test of zrank looks each of them, and each field of the interfaces, up in the server's OpenAPI document.

/** One number of a score; null is an absent column. Integers beyond 2^53 must be bigints or strings. */
export type Value = number | bigint | string | null;
/** A score that is sent: one number for each column, or a number alone for a board of one column. */
export type Score = Value | Value[];
/** The numbers of a score that was received. Those that are no finite numbers are strings. */
export type Numbers = (number | string | null)[];
/** A time: RFC 3339 in answers, which Date understands; requests take both. */
export type Time = string | Date;

/** A place of a ranking. */
export interface Row {
  rank: number;
  member: string;
  score: Numbers;
  scoreText?: string[];
  reached?: string;
  meta?: string;
  beyond?: boolean;
  within?: number;
}
export interface Rows { period?: string; rows: Row[] }
export interface Own { period?: string; row: Row }
export interface ScoreOnly { period?: string; score: Numbers; scoreText?: string[] }
/** A page of rows. The cursor of the next one is next; done says that there is none. */
export interface PageOf { period?: string; rows: Row[]; next: string; done: boolean }
/** A row of some members: local is the rank among them, rank that among all. */
export interface Standing extends Row { local: number }
export interface Standings { rows: Standing[] }
export interface Card { top: Row[]; own?: Row; around?: Row[]; members: number }
export interface Percentile { ahead: number; top: number }
export interface Gap { to?: Row; column: number; by: number | string | null }
export interface Arrow { member: string; rank?: number; was?: number; up: number }
export interface Arrows { arrows: Arrow[] }
export interface Count { n: number } // schema: Number

export interface Submission {
  member: string;
  score: Score;
  at?: Time;
  once?: string;
  meta?: string;
  windows?: string[];
  skill?: number;
  if?: "new" | "ranked" | "better";
  near?: number;
  overtaken?: number;
}
/** What a submission did in one window. */
export interface Move {
  window: string;
  period?: string;
  before?: Row;
  after?: Row;
  ranked?: boolean;
  hidden?: boolean;
  changed: boolean;
  /** Why the result does not count here; absent if it counts. */
  ignored?: "older" | "later" | "not_better";
  improved: boolean;
  passed: number;
  members: number;
  near?: Row[];
  overtaken?: Row[];
}
/** What a submission did in all windows. duplicate: one with the same key has been counted before, which a retry may find of its own first try. */
export interface Change { moves: Move[]; duplicate?: boolean; skipped?: boolean }
export interface Changes { changes: Change[] }
export interface Applied { changed: boolean }
export interface Removed { window: string; period: string; row: Row; hidden?: boolean }
export interface RemovedOf { removed: Removed[] }

export interface BoardInfo { name: string; version?: number; spec: Record<string, unknown> }
export interface Names { names: string[] }
export interface Info { board: string; window?: string; period?: string; start?: string; end?: string; closed?: boolean; closedAt?: string; mode: string }
export interface RankingInfo extends Info { members: number }
export interface Period extends Info { members: number; memory?: number; disk?: number; waiting?: number }
export interface Periods { periods: Period[] }
export interface Until { at?: string }
export interface PinInfo { pin: string; info: Info }

export interface Tier { name: string; from?: number; to?: number; percent?: number; score?: Numbers; everyone?: boolean; payload?: string }
export interface Award {
  id: string;
  board: string;
  window: string;
  period: string;
  member: string;
  revision: number;
  rank?: number;
  score?: Numbers;
  tier?: string;
  payload?: string;
  owed?: number;
  tiers?: Tier[];
  had?: Tier[];
  tooMuch?: Tier[];
  state: "waiting" | "failed" | "granted" | "withheld" | "expired";
  reason?: string;
  expires?: string;
  next?: string;
  failures?: number;
}
export interface Awards { awards: Award[]; more?: boolean }
export interface Issuing { member: string; score: Score; at?: Time; meta?: string; windows?: string[]; skill?: number; expires?: Time } // schema: IssuingRequest
export interface TicketText { ticket: string }

export interface Place {
  window: string;
  period: string;
  closed?: boolean;
  hidden?: boolean;
  rank?: number;
  score?: Numbers;
  members?: number;
  moved?: number;
  newRank?: number;
  newScore?: Numbers;
}
export interface Trace { kind: string; name?: string; count: number }
export interface Moderated { entry?: number; places: Place[]; hash?: string; traces?: Trace[]; awards?: number }
export interface Reverted { entry?: number; rows?: number[]; places: Place[] }
export interface Receipt { boards: Record<string, Moderated>; groups?: string[]; unions?: string[] }
/** Who moderates and why; dryRun answers what would happen and changes nothing; keepRanks leaves closed periods as they are. */
export interface Action { by?: string; reason?: string; dryRun?: boolean; keepRanks?: boolean }
export interface History { window: string; places: Place[]; bestRank?: Place; bestScore?: Place }
export interface Member { member: string; banned?: boolean; hidden?: boolean; windows: History[] }
export interface Group { name: string; members: number; created: string; meta?: string }

/** An event of the feed. */
export interface FeedEvent {
  position: string;
  kind: string;
  board: string;
  window?: string;
  period?: string;
  member?: string;
  at: string;
  by?: string;
  other?: string;
  rank?: number;
  before?: number;
  score?: Numbers;
  was?: Numbers;
  groups?: string;
  group?: string;
  award?: string;
  count?: number;
  audit?: number;
}

export interface FieldError { location: string; message: string }
/** The body of an error (RFC 9457). */
export interface Problem {
  type: string;
  title: string;
  status: number;
  code: string;
  detail?: string;
  details?: Record<string, unknown>;
  errors?: FieldError[];
  requestId?: string;
  retryAfter?: number;
}

/** A request that has failed. code is that of the problem; without an answer from zrank it is no_answer, timeout or http. Whoever aborts gets the signal's reason instead. */
export class ZrankError extends Error {
  readonly status: number; // 0: there was no answer
  readonly code: string;
  readonly problem?: Problem;
  readonly retryAfter?: number; // seconds
  constructor(code: string, message: string, status = 0, problem?: Problem, retryAfter?: number, cause?: unknown) {
    super(message, { cause });
    this.name = "ZrankError";
    this.code = code;
    this.status = status;
    this.problem = problem;
    this.retryAfter = retryAfter;
  }
  get requestId(): string | undefined { return this.problem?.requestId; }
  /** Whether the same request may succeed later. */
  get temporary(): boolean { return this.status === 0 || [429, 502, 503, 504].includes(this.status); }
}

/** The numbers of a score, exactly: from scoreText where a float64 would not do. Throws RangeError for a number that is no integer. */
export function exact(row: { score: Numbers; scoreText?: string[] }): (bigint | null)[] {
  return row.score.map((value, i) => {
    const text = row.scoreText?.[i];
    if (value === null) return null;
    if (text !== undefined && /^-?\d+$/.test(text)) return BigInt(text);
    if (typeof value === "string" || !Number.isSafeInteger(value)) throw new RangeError(`column ${i + 1} is ${text ?? value}, no integer that is known exactly`);
    return BigInt(value);
  });
}

const prefix = "base64:";

/** The name that the API has for a text or for bytes. */
export function encodeName(name: string | Uint8Array): string {
  if (typeof name === "string") return name.startsWith(prefix) ? encodeBytes(new TextEncoder().encode(name)) : name;
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(name);
    return encodeName(text);
  } catch {
    return encodeBytes(name);
  }
}

function encodeBytes(bytes: Uint8Array): string {
  let binary = "";
  for (const b of bytes) binary += String.fromCharCode(b);
  return prefix + btoa(binary).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

/** The bytes of a name that the API has sent. */
export function decodeName(name: string): Uint8Array {
  if (!name.startsWith(prefix)) return new TextEncoder().encode(name);
  const binary = atob(name.slice(prefix.length).replace(/-/g, "+").replace(/_/g, "/"));
  return Uint8Array.from(binary, (c) => c.charCodeAt(0));
}

export interface Options {
  /** Where the server is: what stands in front of /v1. */
  url: string;
  /** A server key or the token of a player, or a function that returns a fresh one; absent: none. Never ship a server key inside a game. */
  key?: string | (() => string | Promise<string>);
  /** Milliseconds for one try, or of silence on a stream's start. Default 10,000. */
  timeout?: number;
  /** How often a request is sent again. Default 4. */
  retries?: number;
  /** Milliseconds of the first pause and of the longest. Defaults 200 and 10,000. A Retry-After of more than the longest ends the tries. */
  firstPause?: number;
  longestPause?: number;
  /** In place of the global fetch. */
  fetch?: typeof fetch;
  /** In place of Math.random, for pauses. */
  random?: () => number;
}

/** What every call takes. */
export interface CallOptions {
  signal?: AbortSignal;
  /** In place of Options.timeout. */
  timeout?: number;
}

/** What submissions take. key: the Idempotency-Key; absent: a random one; null: none, and no retries. The board keeps keys for as long as its onceFor says. */
export interface SubmitOptions extends CallOptions { key?: string | null }

export type Params = Record<string, string | number | boolean | Date | string[] | undefined>;
export interface CallRequest extends CallOptions { body?: unknown; safe?: boolean; key?: string | null }

/** Which ranking of a window is read: without any of them the live one. */
export interface Select {
  period?: string;
  which?: "closed" | "latest";
  at?: Time;
  baseline?: string;
  asOf?: Time;
  row?: string;
  version?: number;
  mode?: "ordinal" | "competition" | "modified" | "dense";
}

/** A client. It has no state but its options. */
export class Zrank {
  readonly options: Options;
  constructor(options: Options) { this.options = options; }

  async boards(o?: CallOptions): Promise<string[]> { return (await this.call<Names>("GET /v1/boards", {}, o)).names; }
  board(name: string): Board { return new Board(this, name); }
  groups(kind: string): Groups { return new Groups(this, kind); }
  /** A ranking that was pinned: see Ranking.pin. */
  pinned(pin: string): Ranking { return new Ranking(this, "/v1/pins/{pin}/", { pin }); }
  union(union: string): Ranking { return new Ranking(this, "/v1/unions/{union}/", { union }); }
  unpin(pin: string, o?: CallOptions): Promise<void> { return this.call("DELETE /v1/pins/{pin}", { pin }, o); }
  /** Erases a member from all boards, groups and unions. */
  eraseEverywhere(member: string, action: Action = {}, o?: CallOptions): Promise<Receipt> { return this.call("POST /v1/erase", {}, { ...o, body: { ...action, member } }); }

  /**
   * The feed, for as long as the loop runs. It connects again whenever the connection is lost and goes on behind the last event. after: a position, or "oldest";
   * absent: now. wait: false ends it behind the last event that is there. A player must name itself as member. Error fell_behind: the server has forgotten what
   * comes next; read the rankings anew and begin without after.
   */
  async *events(filter: { boards?: string[]; windows?: string[]; member?: string; kinds?: string[]; after?: string; wait?: boolean } = {}, o?: StreamOptions): AsyncGenerator<FeedEvent> {
    for await (const message of this.stream("GET /v1/events{?boards,windows,member,kinds,after,wait}", filter, filter.wait === false, o)) yield JSON.parse(message.data);
  }

  /** Any operation: "METHOD /path{?query}", the values of its parameters, its body. Bigints in the body become strings, as numbers of scores may be. */
  call<T>(route: string, params: Params = {}, request: CallRequest = {}): Promise<T> {
    return this.send(route, params, request, { Accept: "application/json" }, async (response) => (response.status === 204 ? undefined : await response.json()) as T);
  }

  /** Sends a request, again if that is safe, and reads an answer that is no error. Without read the signal must not outlive the answer. */
  async send<T = Response>(route: string, params: Params, request: CallRequest, headers: Record<string, string>, read?: (response: Response) => Promise<T>): Promise<T> {
    const safe = request.safe || route.startsWith("GET ") || !!request.key;
    for (let tries = 0; ; tries++) {
      try {
        return await this.once(route, params, request, headers, read);
      } catch (err) {
        if (!(err instanceof ZrankError) || !err.temporary || !safe || tries >= (this.options.retries ?? 4)) throw err;
        const pause = this.pause(tries, err.retryAfter);
        if (pause === undefined) throw err;
        await sleep(pause, request.signal);
      }
    }
  }

  /** Milliseconds to wait: between a half and all of what doubles with each try, and at least what the server asks for. undefined: it asks for too much. */
  private pause(tries: number, retryAfter = 0): number | undefined {
    const { firstPause = 200, longestPause = 10_000, random = Math.random } = this.options;
    if (retryAfter * 1000 > longestPause) return undefined;
    return Math.max(Math.min(firstPause * 2 ** tries, longestPause) * (0.5 + random() / 2), retryAfter * 1000);
  }

  /** One try. */
  private async once<T = Response>(route: string, params: Params, request: CallRequest, more: Record<string, string>, read?: (response: Response) => Promise<T>): Promise<T> {
    const { method, path } = expand(route, params);
    const headers = { ...more };
    const { signal } = request;
    const key = typeof this.options.key === "function" ? await this.options.key() : this.options.key;
    if (key) headers["Authorization"] = "Bearer " + key;
    if (request.key) headers["Idempotency-Key"] = request.key;
    let body: string | undefined;
    if (request.body !== undefined) {
      headers["Content-Type"] = "application/json";
      body = JSON.stringify(request.body, (_, value) => (typeof value === "bigint" ? value.toString() : value));
    }
    signal?.throwIfAborted();
    const control = new AbortController();
    const stop = () => control.abort(signal!.reason);
    signal?.addEventListener("abort", stop, { once: true });
    const timer = setTimeout(() => control.abort(timedOut), request.timeout ?? this.options.timeout ?? 10_000);
    let open = false; // somebody else reads the body
    try {
      const ask = this.options.fetch ?? fetch;
      const response = await ask(this.options.url.replace(/\/+$/, "") + path, { method, headers, body, signal: control.signal });
      if (!response.ok) throw await failure(response);
      open = read === undefined;
      return read === undefined ? (response as T) : await read(response);
    } catch (err) {
      signal?.throwIfAborted();
      if (err instanceof ZrankError) throw err;
      const late = control.signal.aborted;
      throw new ZrankError(late ? "timeout" : "no_answer", `${method} ${path}: ${late ? "no answer in time" : (err as Error).message}`, 0, undefined, undefined, err);
    } finally {
      clearTimeout(timer);
      if (!open) signal?.removeEventListener("abort", stop);
    }
  }

  /** The messages of a stream, across connections. finite: it ends where the server ends it. */
  async *stream(route: string, params: Params, finite: boolean, o: StreamOptions = {}): AsyncGenerator<Message> {
    let lastID = "";
    let server = 0; // milliseconds that the server asks for between connections
    for (let tries = 0; ; tries++) {
      const control = new AbortController();
      const stop = () => control.abort(o.signal?.reason);
      o.signal?.throwIfAborted();
      o.signal?.addEventListener("abort", stop, { once: true });
      let wait: number | undefined;
      try {
        const headers: Record<string, string> = { Accept: "text/event-stream" };
        if (lastID) headers["Last-Event-ID"] = lastID;
        const response = await this.once(route, params, { timeout: o.timeout, signal: control.signal }, headers);
        for await (const message of messages(response, o.silence ?? 45_000, control)) {
          if (message.retry !== undefined) server = message.retry;
          if (message.id) lastID = message.id;
          if (message.event === "error") throw problemError(JSON.parse(message.data) as Problem);
          if (message.data === "") continue;
          tries = 0;
          yield message;
        }
        if (finite) return;
      } catch (err) {
        o.signal?.throwIfAborted();
        if (!(err instanceof ZrankError) || !err.temporary) throw err;
        wait = err.retryAfter;
      } finally {
        o.signal?.removeEventListener("abort", stop);
        control.abort(); // whoever leaves the loop ends the connection
      }
      o.onReconnect?.(lastID);
      await sleep(Math.max(this.pause(Math.min(tries, 16)) ?? 0, (wait ?? 0) * 1000, server * (0.5 + (this.options.random ?? Math.random)() / 2)), o.signal);
    }
  }
}

export interface StreamOptions extends CallOptions {
  /** Milliseconds without a byte after which the connection counts as lost. The server sends something every 15 s. Default 45,000. */
  silence?: number;
  /** Is called when the connection is lost, with the id of the last event. */
  onReconnect?: (lastID: string) => void;
}

/** A board. */
export class Board {
  readonly zrank: Zrank;
  readonly name: string;
  constructor(zrank: Zrank, name: string) {
    this.zrank = zrank;
    this.name = name;
  }
  private at(more: Params = {}): Params { return { board: this.name, ...more }; }

  /** The ranking of a window: the live one, or another one that select says. */
  window(window: string, select: Select = {}): BoardWindow { return new BoardWindow(this.zrank, this.name, window, select); }
  info(o?: CallOptions): Promise<BoardInfo> { return this.zrank.call("GET /v1/boards/{board}", this.at(), o); }
  /** Defines the board; spec has the fields of a spec file. Does nothing if it is like that already. */
  define(spec: Record<string, unknown>, o?: CallOptions): Promise<BoardInfo> { return this.zrank.call("PUT /v1/boards/{board}", this.at(), { ...o, body: spec }); }

  /** Submits a result to all windows. */
  submit(submission: Submission, o?: SubmitOptions): Promise<Change> {
    return this.zrank.call("POST /v1/boards/{board}/scores", this.at(), { ...o, body: submission, key: keyOf(submission, o) });
  }
  /** Submits a result and answers only whether that changed anything. */
  apply(submission: Submission, o?: SubmitOptions): Promise<Applied> {
    return this.zrank.call("POST /v1/boards/{board}/scores/apply", this.at(), { ...o, body: submission, key: keyOf(submission, o) });
  }
  /** Submits several results in one commit: all or none. o.key is not for batches: each submission has its own key, once. */
  async batch(submissions: Submission[], o: SubmitOptions = {}): Promise<Change[]> {
    if (o.key !== null) submissions = submissions.map((s) => ({ ...s, once: s.once || randomKey() }));
    const body = { submissions };
    return (await this.zrank.call<Changes>("POST /v1/boards/{board}/scores/batch", this.at(), { ...o, key: undefined, safe: submissions.every((s) => s.once), body })).changes;
  }
  /** Removes a member from all open periods. */
  async remove(member: string, o?: CallOptions): Promise<Removed[]> { return (await this.zrank.call<RemovedOf>("DELETE /v1/boards/{board}/scores{?member}", this.at({ member }), o)).removed; }
  /** What is known of a member: its places in all periods. */
  member(member: string, o?: CallOptions): Promise<Member> { return this.zrank.call("GET /v1/boards/{board}/member{?member}", this.at({ member }), o); }
  /** Until when the board accepts a result of a time, or of now; undefined: for ever. */
  async deadline(at?: Time, o?: CallOptions): Promise<Date | undefined> { return dateOf(await this.zrank.call<Until>("GET /v1/boards/{board}/deadline{?at}", this.at({ at }), o)); }

  async awards(member: string, o?: CallOptions): Promise<Award[]> { return (await this.zrank.call<Awards>("GET /v1/boards/{board}/awards{?member}", this.at({ member }), o)).awards; }
  async claimable(member: string, o?: CallOptions): Promise<Award[]> { return (await this.zrank.call<Awards>("GET /v1/boards/{board}/claimable{?member}", this.at({ member }), o)).awards; }
  /** Grants an award to its member, once. Error granted: it has been claimed before. */
  claim(member: string, id: string, o?: CallOptions): Promise<Award> { return this.zrank.call("POST /v1/boards/{board}/awards/claim", this.at(), { ...o, body: { member, id } }); }
  withhold(id: string, reason?: string, o?: CallOptions): Promise<void> { return this.zrank.call("POST /v1/boards/{board}/awards/withhold", this.at(), { ...o, body: { id, reason } }); }
  release(id: string, o?: CallOptions): Promise<void> { return this.zrank.call("POST /v1/boards/{board}/awards/release", this.at(), { ...o, body: { id } }); }

  /** Signs a result that the player may submit itself, once. For game servers. */
  async issueTicket(result: Issuing, o?: CallOptions): Promise<string> { return (await this.zrank.call<TicketText>("POST /v1/boards/{board}/tickets", this.at(), { ...o, body: result })).ticket; }
  /** Submits the result of a ticket. It is safe to send again: a ticket counts once. */
  redeemTicket(ticket: string, show: { near?: number; overtaken?: number } = {}, o?: CallOptions): Promise<Change> {
    return this.zrank.call("POST /v1/boards/{board}/tickets/redeem", this.at(), { ...o, safe: true, body: { ...show, ticket } });
  }

  ban(member: string, action: Action = {}, o?: CallOptions): Promise<Moderated> { return this.zrank.call("POST /v1/boards/{board}/moderation/ban", this.at(), { ...o, body: { ...action, member } }); }
  unban(member: string, action: Action = {}, o?: CallOptions): Promise<Moderated> { return this.zrank.call("POST /v1/boards/{board}/moderation/unban", this.at(), { ...o, body: { ...action, member } }); }
  hide(member: string, action: Action = {}, o?: CallOptions): Promise<Moderated> { return this.zrank.call("POST /v1/boards/{board}/moderation/hide", this.at(), { ...o, body: { ...action, member } }); }
  show(member: string, action: Action = {}, o?: CallOptions): Promise<Moderated> { return this.zrank.call("POST /v1/boards/{board}/moderation/show", this.at(), { ...o, body: { ...action, member } }); }
  erase(member: string, action: Action = {}, o?: CallOptions): Promise<Moderated> { return this.zrank.call("POST /v1/boards/{board}/moderation/erase", this.at(), { ...o, body: { ...action, member } }); }
  rename(member: string, to: string, action: Action = {}, o?: CallOptions): Promise<Moderated> { return this.zrank.call("POST /v1/boards/{board}/moderation/rename", this.at(), { ...o, body: { ...action, member, to } }); }
  merge(member: string, to: string, action: Action = {}, o?: CallOptions): Promise<Moderated> { return this.zrank.call("POST /v1/boards/{board}/moderation/merge", this.at(), { ...o, body: { ...action, member, to } }); }
  /** Takes back what a member submitted: one row of the journal, or all since a time. */
  revert(member: string, what: { row?: number; since?: Time }, action: Action = {}, o?: CallOptions): Promise<Reverted> {
    return this.zrank.call("POST /v1/boards/{board}/moderation/revert", this.at(), { ...o, body: { ...action, ...what, member } });
  }
  correct(member: string, what: { window: string; period: string; score: Score; at?: Time }, action: Action = {}, o?: CallOptions): Promise<Moderated> {
    return this.zrank.call("POST /v1/boards/{board}/moderation/correct", this.at(), { ...o, body: { ...action, ...what, member } });
  }
}

/** The reads that rankings of windows, pinned rankings and stored unions have. */
export class Ranking {
  readonly zrank: Zrank;
  private readonly path: string;
  protected readonly params: Params;
  constructor(zrank: Zrank, path: string, params: Params) {
    this.zrank = zrank;
    this.path = path;
    this.params = params;
  }

  protected route(method: string, rest: string): string {
    const [name, query = ""] = rest.split("{?");
    const select = this.path.includes("{window}") ? ["mode", "period", "which", "at", "baseline", "asOf", "row", "version"] : ["mode"];
    return `${method} ${this.path}${name}{?${[...select, query.replace("}", "")].filter(Boolean).join(",")}}`;
  }
  private read<T>(rest: string, more: Params, o?: CallOptions): Promise<T> { return this.zrank.call(this.route("GET", rest), { ...this.params, ...more }, o); }
  private ask<T>(rest: string, body: unknown, o?: CallOptions): Promise<T> { return this.zrank.call(this.route("POST", rest), this.params, { ...o, body, safe: true }); }

  top(n = 10, o?: CallOptions): Promise<Rows> { return this.read("top{?n}", { n }, o); }
  /** The rows of places, from 1, the last included; -1 is the last place. */
  places(first: number, last: number, o?: CallOptions): Promise<Rows> { return this.read("places{?first,last}", { first, last }, o); }
  /** The row of a member; undefined if it is not ranked. */
  async rank(member: string, o?: CallOptions): Promise<Row | undefined> { return (await orUndefined(this.read<Own>("rank{?member}", { member }, o)))?.row; }
  async score(member: string, o?: CallOptions): Promise<ScoreOnly | undefined> { return orUndefined(this.read<ScoreOnly>("score{?member}", { member }, o)); }
  /** The row of a member with each rows before it and after it; near an end of the ranking there are more on the other side. Error not_ranked. */
  around(member: string, each = 2, o?: CallOptions): Promise<Rows> { return this.read("around{?member,each}", { member, each }, o); }
  aroundScore(score: Score, each = 2, o?: CallOptions): Promise<Rows> { return this.read("around-score{?score,each}", { score: scoreText(score), each }, o); }
  /** The rank that a score would have. */
  async rankOf(score: Score, o?: CallOptions): Promise<number> { return (await this.read<Count>("rank-of{?score}", { score: scoreText(score) }, o)).n; }
  async count(bounds: { best?: Score; worst?: Score } = {}, o?: CallOptions): Promise<number> { return (await this.read<Count>("count{?best,worst}", rangeOf(bounds), o)).n; }
  between(bounds: { best?: Score; worst?: Score; skip?: number; limit?: number }, o?: CallOptions): Promise<Rows> {
    return this.read("between{?best,worst,skip,limit}", { ...rangeOf(bounds), skip: bounds.skip, limit: bounds.limit }, o);
  }
  /** The first rows, those around a member and the number of members, of one moment. */
  card(member: string, top = 10, each = 2, o?: CallOptions): Promise<Card> { return this.read("card{?member,top,each}", { member, top, each }, o); }
  percentile(member: string, o?: CallOptions): Promise<Percentile> { return this.read("percentile{?member}", { member }, o); }
  /** How far a member is from one that is so many places above. */
  gap(member: string, above = 1, o?: CallOptions): Promise<Gap> { return this.read("gap{?member,above}", { member, above }, o); }
  /** The rows of some members, such as friends, with their ranks among themselves. Members that are not ranked are left out. */
  async among(members: string[], o?: CallOptions): Promise<Standing[]> { return (await this.ask<Standings>("among", { members }, o)).rows; }
  /** How many places members have gained since a baseline or a period. */
  async arrows(members: string[], since: { baseline?: string; period?: string; which?: "closed" | "latest" }, o?: CallOptions): Promise<Arrow[]> {
    return (await this.ask<Arrows>("arrows", { ...since, members }, o)).arrows;
  }
  /** A page; cursor is next of the page before. */
  page(n = 100, cursor?: string, o?: CallOptions): Promise<PageOf> { return this.read("page{?cursor,n}", { cursor: cursor || undefined, n }, o); }
  /** All pages. Rows that move meanwhile may come twice or not at all: pin the ranking where that matters. */
  async *pages(n = 100, o?: CallOptions): AsyncGenerator<PageOf> {
    for (let cursor: string | undefined; ; ) {
      const page = await this.page(n, cursor, o);
      yield page;
      if (page.done) return;
      cursor = page.next;
    }
  }
  /** All rows, page by page. */
  async *rows(n = 100, o?: CallOptions): AsyncGenerator<Row> { for await (const page of this.pages(n, o)) yield* page.rows; }
  info(o?: CallOptions): Promise<RankingInfo> { return this.read("info", {}, o); }
  /** A copy of the ranking as it is now, which the server keeps for a while after its last use. */
  async pin(o?: CallOptions): Promise<Ranking> {
    const { pin } = await this.zrank.call<PinInfo>(this.route("POST", "pin"), this.params, o);
    return this.zrank.pinned(pin);
  }
}

/** A window of a board, and one of its rankings. */
export class BoardWindow extends Ranking {
  private readonly of: Params;
  constructor(zrank: Zrank, board: string, window: string, select: Select) {
    super(zrank, "/v1/boards/{board}/windows/{window}/", { ...select, board, window });
    this.of = { board, window };
  }
  /** The periods that have members, in order of time. */
  async periods(o?: CallOptions): Promise<Period[]> { return (await this.zrank.call<Periods>("GET /v1/boards/{board}/windows/{window}/periods", this.of, o)).periods; }
  /** When the next period begins; undefined: never. */
  async reset(o?: CallOptions): Promise<Date | undefined> { return dateOf(await this.zrank.call<Until>("GET /v1/boards/{board}/windows/{window}/reset", this.of, o)); }
  /** Closes the live period by hand. */
  close(o?: CallOptions): Promise<Info> { return this.zrank.call("POST /v1/boards/{board}/windows/{window}/close", this.of, o); }
  setMeta(member: string, meta: string, o?: CallOptions): Promise<void> { return this.zrank.call("PUT /v1/boards/{board}/windows/{window}/meta{?member}", { ...this.of, member }, { ...o, body: { meta } }); }
  saveBaseline(name: string, o?: CallOptions): Promise<void> { return this.zrank.call("PUT /v1/boards/{board}/windows/{window}/baselines/{name}", { ...this.of, name }, o); }
  /** The awards of a closed period, by place. */
  async *periodAwards(period: string, n = 100, o?: CallOptions): AsyncGenerator<Award> {
    for (let skip = 0; ; ) {
      const page = await this.zrank.call<Awards>("GET /v1/boards/{board}/windows/{window}/periods/{period}/awards{?skip,n}", { ...this.of, period, skip, n }, o);
      yield* page.awards;
      if (!page.more) return;
      skip += page.awards.length;
    }
  }
  /** All rows of the ranking as it is at one moment. A download that is cut off ends with an error. */
  async *export(o: CallOptions = {}): AsyncGenerator<Row> {
    const control = new AbortController();
    const stop = () => control.abort(o.signal!.reason);
    o.signal?.throwIfAborted();
    o.signal?.addEventListener("abort", stop, { once: true });
    try {
      const response = await this.zrank.send(this.route("GET", "export{?format}"), { ...this.params, format: "jsonl" }, { ...o, signal: control.signal }, { Accept: "application/jsonl" });
      for await (const line of lines(chunks(response, o.signal))) if (line !== "") yield JSON.parse(line);
    } finally {
      o.signal?.removeEventListener("abort", stop);
      control.abort(); // whoever leaves the loop ends the download
    }
  }
  exportCSV(o: CallOptions = {}): Promise<string> {
    return this.zrank.send(this.route("GET", "export{?format}"), { ...this.params, format: "csv" }, o, { Accept: "text/csv" }, (response) => response.text());
  }
  /** The first rows of the live ranking, now and whenever they change, for as long as the loop runs. */
  async *watchTop(n = 10, o?: StreamOptions): AsyncGenerator<Rows> {
    for await (const message of this.zrank.stream("GET /v1/boards/{board}/windows/{window}/top/stream{?mode,n}", { ...this.of, mode: this.params["mode"], n }, false, o)) yield JSON.parse(message.data);
  }
}

/** The groups of a kind, such as guilds. */
export class Groups {
  readonly zrank: Zrank;
  readonly kind: string;
  constructor(zrank: Zrank, kind: string) {
    this.zrank = zrank;
    this.kind = kind;
  }
  define(o?: CallOptions): Promise<void> { return this.zrank.call("PUT /v1/groups/{kind}", { kind: this.kind }, o); }
  create(group: string, meta?: string, o?: CallOptions): Promise<void> { return this.zrank.call("POST /v1/groups/{kind}/group", { kind: this.kind }, { ...o, body: { group, meta } }); }
  get(group: string, o?: CallOptions): Promise<Group> { return this.zrank.call("GET /v1/groups/{kind}/group{?group}", { kind: this.kind, group }, o); }
  join(member: string, group: string, o?: CallOptions): Promise<void> { return this.zrank.call("POST /v1/groups/{kind}/join", { kind: this.kind }, { ...o, body: { member, group } }); }
  leave(member: string, o?: CallOptions): Promise<void> { return this.zrank.call("POST /v1/groups/{kind}/leave", { kind: this.kind }, { ...o, body: { member } }); }
  /** The rows of a group's members on a board. */
  async among(group: string, on: { board: string; window: string; period?: string; pin?: string; mode?: Select["mode"] }, o?: CallOptions): Promise<Standing[]> {
    return (await this.zrank.call<Standings>("GET /v1/groups/{kind}/group/among{?group,board,window,period,pin,mode}", { ...on, kind: this.kind, group }, o)).rows;
  }
}

const timedOut = new Error("timeout");

/** A URI template: {name} in the path, {?name,name} for the query. */
function expand(route: string, params: Params): { method: string; path: string } {
  const [, method, template, query] = /^(\S+) ([^?]*?)(?:\{\?([^}]*)\})?$/.exec(route) as unknown as [string, string, string, string | undefined];
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(text(params[name] ?? "")));
  const pairs = (query ?? "").split(",").filter((name) => params[name] !== undefined).map((name) => `${name}=${encodeURIComponent(text(params[name]!))}`);
  return { method, path: pairs.length > 0 ? `${path}?${pairs.join("&")}` : path };
}

function text(value: string | number | boolean | Date | string[]): string { return value instanceof Date ? value.toISOString() : value.toString(); }

function scoreText(score: Score): string { return (Array.isArray(score) ? score : [score]).map((v) => (v === null ? "" : v.toString())).join(","); }

function rangeOf(b: { best?: Score; worst?: Score }): Params {
  return { best: b.best === undefined ? undefined : scoreText(b.best), worst: b.worst === undefined ? undefined : scoreText(b.worst) };
}

function dateOf(until: Until): Date | undefined { return until.at === undefined ? undefined : new Date(until.at); }

async function orUndefined<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (err) {
    if (err instanceof ZrankError && err.code === "not_ranked") return undefined;
    throw err;
  }
}

function keyOf(submission: Submission, o?: SubmitOptions): string | null { return o?.key !== undefined ? o.key : (submission.once ?? randomKey()); }

/** 128 random bits. crypto.randomUUID is not there on pages without TLS. */
function randomKey(): string { return Array.from(crypto.getRandomValues(new Uint8Array(16)), (b) => b.toString(16).padStart(2, "0")).join(""); }

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => { clearTimeout(timer); reject(signal!.reason); };
    const timer = setTimeout(() => { signal?.removeEventListener("abort", stop); resolve(); }, ms);
    signal?.addEventListener("abort", stop, { once: true });
  });
}

async function failure(response: Response): Promise<ZrankError> {
  const after = Number(response.headers.get("Retry-After"));
  const body = await response.text().catch(() => "");
  let problem: Problem | undefined;
  try {
    problem = JSON.parse(body) as Problem;
  } catch { /* a proxy's page */ }
  if (problem?.code === undefined) return new ZrankError("http", `${response.status} ${response.statusText}`, response.status, undefined, after || undefined);
  return problemError(problem, response.status, after || undefined);
}

function problemError(problem: Problem, status = problem.status, after = problem.retryAfter): ZrankError {
  return new ZrankError(problem.code, problem.detail ?? problem.title, status, problem, after);
}

interface Message { event: string; id: string; data: string; retry?: number }

/** The pieces of a body as text. */
async function* chunks(response: Response, signal?: AbortSignal, each?: () => void): AsyncGenerator<string> {
  if (response.body === null) return;
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      each?.();
      if (done) return;
      yield decoder.decode(value, { stream: true });
    }
  } catch (err) {
    signal?.throwIfAborted();
    throw new ZrankError("no_answer", `the answer was cut off: ${(err as Error).message}`, 0, undefined, undefined, err);
  } finally {
    await reader.cancel().catch(() => {});
  }
}

async function* lines(pieces: AsyncGenerator<string>): AsyncGenerator<string> {
  let rest = "";
  for await (const piece of pieces) {
    const parts = (rest + piece).split("\n");
    rest = parts.pop()!;
    for (const part of parts) yield part.endsWith("\r") ? part.slice(0, -1) : part;
  }
  if (rest !== "") yield rest;
}

/** The messages of one connection. A message that is cut off is left out. */
async function* messages(response: Response, silence: number, control: AbortController): AsyncGenerator<Message> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const heard = () => { clearTimeout(timer); timer = setTimeout(() => control.abort(timedOut), silence); };
  heard();
  let message: Message = { event: "message", id: "", data: "" };
  try {
    for await (const line of lines(chunks(response, undefined, heard))) {
      if (line === "") {
        yield message;
        message = { event: "message", id: "", data: "" };
        continue;
      }
      const colon = line.indexOf(":");
      const value = line.slice(colon + 1).replace(/^ /, "");
      switch (colon < 0 ? line : line.slice(0, colon)) {
        case "event": message.event = value; break;
        case "id": message.id = value; break;
        case "data": message.data += (message.data === "" ? "" : "\n") + value; break;
        case "retry": message.retry = Number(value) || 0; break;
      }
    }
  } finally {
    clearTimeout(timer);
  }
}
