// Runs zrank.ts against a live server: clients/typescript_test.go starts it and says by the environment where it is.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { type FeedEvent, Zrank, ZrankError, decodeName, encodeName, exact } from "./zrank.ts";

const env = (name: string): string => process.env[name] ?? assert.fail(`${name} is not set: run go test in clients`);
const url = env("ZRANK_URL");
const quick = { url, firstPause: 1, longestPause: 2_000 };
const zrank = new Zrank({ ...quick, key: env("ZRANK_KEY") });
const ada = new Zrank({ ...quick, key: async () => env("ZRANK_TOKEN") });
const arena = zrank.board("arena");
const control = async (what: string): Promise<void> => assert.ok((await fetch(env("ZRANK_CONTROL") + what, { method: "POST" })).ok, what);
const seen = async (match: string): Promise<number> => Number(await (await fetch(`${env("ZRANK_CONTROL")}/count?match=${encodeURIComponent(match)}`)).text());
const code = (want: string) => (err: unknown): boolean => err instanceof ZrankError && (assert.equal(err.code, want), true);
const all = async <T>(items: AsyncIterable<T>): Promise<T[]> => { const list: T[] = []; for await (const item of items) list.push(item); return list; };
const names = (rows: { member: string }[]): string[] => rows.map((row) => row.member);

before(async () => {
  await arena.define({
    op: "best", windows: ["all", "week", "day"], maxMeta: 64, journal: 100, bestRanks: true, feed: {},
    awards: [{ window: "week", claim: true, tiers: [{ name: "gold", from: 1, payload: "500 coins" }, { name: "played", everyone: true }] }],
  });
  await zrank.board("points/sum").define({ op: "sum", windows: ["all"] });
  await zrank.board("mod").define({ op: "best", windows: ["all"], journal: 100 });
  await zrank.groups("guild").define();
});

test("boards", async () => {
  assert.deepEqual(await zrank.boards(), ["arena", "mod", "points/sum"]);
  const info = await zrank.board("points/sum").info(); // a name with a slash
  assert.equal(info.name, "points/sum");
  assert.equal(info.spec["op"], "sum");
});

test("submissions and reads", async () => {
  const first = await arena.submit({ member: "ada", score: 1500, meta: "red hat" });
  assert.deepEqual(first.moves.map((m) => [m.window, m.after?.rank, m.changed]), [["all", 1, true], ["week", 1, true], ["day", 1, true]]);
  const second = await arena.submit({ member: "bea", score: [1720], near: 1, overtaken: 3 });
  assert.deepEqual(names(second.moves[0]!.near!), ["bea", "ada"]);
  assert.deepEqual(names(second.moves[0]!.overtaken!), ["ada"]);
  const changes = await arena.batch([{ member: "cy", score: 9007199254740993n }, { member: "dan", score: "1300" }, { member: "ada", score: 1 }]);
  assert.deepEqual(changes.map((c) => c.moves[0]!.improved), [true, true, false]);
  assert.deepEqual(await arena.apply({ member: "eve", score: 1400 }), { changed: true });
  assert.deepEqual(await arena.apply({ member: "eve", score: 1, if: "new" }), { changed: false });

  const week = arena.window("week");
  const top = await week.top(3);
  assert.deepEqual(names(top.rows), ["cy", "bea", "ada"]);
  assert.deepEqual(exact(top.rows[0]!), [9007199254740993n]);
  assert.deepEqual(exact(top.rows[1]!), [1720n]);
  assert.deepEqual(names((await week.places(2, -1)).rows), ["bea", "ada", "eve", "dan"]);
  assert.equal((await week.rank("ada"))?.rank, 3);
  assert.equal(await week.rank("nobody"), undefined);
  assert.deepEqual((await week.score("dan"))?.score, [1300]);
  assert.equal(await week.score("nobody"), undefined);
  assert.deepEqual(names((await week.around("ada", 1)).rows), ["bea", "ada", "eve"]);
  assert.deepEqual(names((await week.aroundScore(1450, 1)).rows), ["ada", "eve"]);
  assert.equal(await week.rankOf(1450), 4);
  assert.equal(await week.rankOf(9007199254740993n), 2);
  assert.equal(await week.count({ worst: 1400 }), 4);
  assert.equal(await week.count(), 5);
  assert.deepEqual(names((await week.between({ best: 1720, worst: 1400, skip: 1, limit: 1 })).rows), ["ada"]);
  const card = await week.card("ada", 1, 1);
  assert.deepEqual([names(card.top), card.own?.rank, names(card.around!), card.members], [["cy"], 3, ["bea", "ada", "eve"], 5]);
  assert.deepEqual((await week.among(["eve", "ada", "nobody"])).map((s) => [s.member, s.local, s.rank]), [["ada", 1, 3], ["eve", 2, 4]]);
  assert.equal((await week.gap("ada")).to?.member, "bea");
  assert.equal((await week.percentile("cy")).top, 20);
  assert.equal((await week.info()).members, 5);
  await week.saveBaseline("noon");
  assert.deepEqual(await week.arrows(["ada"], { baseline: "noon" }), [{ member: "ada", rank: 3, was: 3, up: 0 }]);
  await week.setMeta("dan", "blue hat");
  assert.equal((await week.rank("dan"))?.meta, "blue hat");
  assert.equal((await arena.member("ada")).windows.length, 3);
  assert.equal((await arena.window("week", { mode: "dense" }).top(1)).rows.length, 1);
});

test("pages, pins and exports", async () => {
  const week = arena.window("week");
  assert.deepEqual((await all(week.pages(2))).map((p) => p.rows.length), [2, 2, 1]);
  const want = ["cy", "bea", "ada", "eve", "dan"];
  assert.deepEqual(names(await all(week.rows(2))), want);
  assert.deepEqual(names(await all(week.export())), want);
  for await (const row of week.export()) { // leaving the loop ends the download
    assert.equal(row.member, "cy");
    break;
  }
  assert.match(await week.exportCSV(), /^rank,member,score,reached,meta\n1,cy,9007199254740993,/);
  const pinned = await week.pin();
  await arena.submit({ member: "eve", score: 1401 });
  assert.deepEqual(exact((await pinned.rank("eve"))!), [1400n]);
  assert.deepEqual(names(await all(pinned.rows(3))), want);
});

test("scores that are not exact, and names that are no UTF-8", async () => {
  assert.deepEqual(exact({ score: [1, null], scoreText: undefined }), [1n, null]);
  for (const row of [{ score: [1.5] }, { score: [2 ** 53] }, { score: ["NaN"] }]) assert.throws(() => exact(row), RangeError);
  const odd = new Uint8Array([0xff, 0x00, 0xfe, 0x3f, 0x3e]);
  for (const name of [odd, "base64:ada", "ädä 🏆", ""]) {
    const bytes = typeof name === "string" ? new TextEncoder().encode(name) : name;
    assert.deepEqual(decodeName(encodeName(name)), bytes);
  }
  assert.equal(encodeName("ada"), "ada");
  assert.equal(encodeName(new TextEncoder().encode("base64:")), "base64:YmFzZTY0Og");
  const board = zrank.board("points/sum");
  for (const name of [odd, "base64:x", "a&b=c?%/+ #", "ädä"]) {
    const change = await board.submit({ member: encodeName(name), score: 7 });
    assert.equal(change.moves[0]?.after?.member, encodeName(name));
    assert.equal((await board.window("all").rank(encodeName(name)))?.member, encodeName(name));
    assert.equal((await board.remove(encodeName(name))).length, 1);
  }
});

test("retries count once", async () => {
  const board = zrank.board("points/sum");
  const score = async (): Promise<unknown> => (await board.window("all").score("fay"))?.score[0];
  await control("/fail?times=2&kind=cut&match=/scores"); // the submission is carried out, and its answer is lost, twice
  const change = await board.submit({ member: "fay", score: 5 });
  assert.equal(change.duplicate, true);
  assert.equal(await score(), 5);
  await control("/fail?times=1&kind=cut&match=/scores/batch");
  await board.batch([{ member: "fay", score: 5 }, { member: "fay", score: 5, once: "mine" }]);
  assert.equal(await score(), 15);
  await control("/fail?times=1&kind=503&match=/scores/apply");
  await board.apply({ member: "fay", score: 1 }, { key: "k1" });
  assert.equal(await score(), 16);
  await board.submit({ member: "fay", score: 1 }, { key: "match-42" });
  assert.equal((await board.submit({ member: "fay", score: 1 }, { key: "match-42" })).duplicate, true);
  await assert.rejects(board.submit({ member: "fay", score: 2 }, { key: "match-42" }), code("idempotency_key_reused"));
  assert.equal(await score(), 17);
});

test("what is not safe is sent once", async () => {
  const board = zrank.board("points/sum");
  const before = await seen("POST /v1/boards/points%2Fsum/scores");
  await control("/fail?times=1&kind=cut&match=/scores");
  await assert.rejects(board.submit({ member: "gil", score: 1 }, { key: null }), code("no_answer"));
  await control("/fail?times=1&kind=503&match=/scores");
  await assert.rejects(board.batch([{ member: "gil", score: 1 }], { key: null }), (err: unknown) => err instanceof ZrankError && err.status === 503 && err.code === "http");
  assert.equal(await seen("POST /v1/boards/points%2Fsum/scores"), before + 2);
  await control("/fail?times=1&kind=503&match=/moderation");
  await assert.rejects(zrank.board("mod").ban("x"), (err: unknown) => err instanceof ZrankError && err.temporary);
});

test("Retry-After, tries and timeouts", async () => {
  const week = arena.window("week");
  const from = performance.now();
  await control("/fail?times=1&kind=429&retryAfter=1&match=/top");
  await week.top(1);
  assert.ok(performance.now() - from >= 990, "the server's pause was cut short");
  await control("/fail?times=9&kind=429&retryAfter=60&match=/top"); // more than longestPause
  await assert.rejects(week.top(1), (err: unknown) => err instanceof ZrankError && err.status === 429 && err.retryAfter === 60);
  await control("/fail?times=9&kind=refuse&match=/rank");
  const before = await seen("/rank");
  await assert.rejects(week.rank("ada"), code("no_answer"));
  assert.equal(await seen("/rank"), before + 5);
  await control("/fail?times=0");
  const hung = new Zrank({ ...quick, retries: 1, fetch: (_, init) => new Promise((_, reject) => init!.signal!.addEventListener("abort", () => reject(new Error("aborted")))) });
  await assert.rejects(hung.board("x").window("all").top(1, { timeout: 5 }), code("timeout"));
  const reason = new Error("the player has left");
  await assert.rejects(week.top(1, { signal: AbortSignal.abort(reason) }), (err: unknown) => err === reason);
  const abort = new AbortController();
  const waiting = assert.rejects(hung.board("x").window("all").top(1, { signal: abort.signal }), (err: unknown) => err === reason);
  abort.abort(reason);
  await waiting;
});

test("problems", async () => {
  await assert.rejects(zrank.board("nobody").window("all").top(), (err: unknown) => {
    assert.ok(err instanceof ZrankError);
    assert.deepEqual([err.code, err.status, err.temporary], ["no_board", 404, false]);
    assert.match(err.message, /no such board/);
    return true;
  });
  await assert.rejects(arena.window("week").top(1_000_000), code("count"));
  await assert.rejects(new Zrank({ ...quick, key: "wrong" }).boards(), code("unauthorized"));
  await assert.rejects(arena.batch([{ member: "ada", score: 1 }, { member: "", score: 1 }]), (err: unknown) => {
    assert.ok(err instanceof ZrankError && err.code === "member");
    assert.deepEqual(err.problem?.details?.["batch"], { index: 1 });
    return true;
  });
});

test("players and tickets", async () => {
  assert.equal((await ada.board("arena").window("week").rank("ada"))?.rank, 3);
  await assert.rejects(ada.board("arena").submit({ member: "ada", score: 1e6 }), code("forbidden"));
  const ticket = await arena.issueTicket({ member: "ada", score: 1800 });
  await assert.rejects(new Zrank({ ...quick, key: env("ZRANK_OTHER_TOKEN") }).board("arena").redeemTicket(ticket), code("forbidden"));
  await control("/fail?times=1&kind=cut&match=/redeem");
  assert.equal((await ada.board("arena").redeemTicket(ticket, { near: 1 })).duplicate, true);
  assert.deepEqual(exact((await arena.window("week").rank("ada"))!), [1800n]);
});

test("groups", async () => {
  const guild = zrank.groups("guild");
  await guild.create("owls", "hoot");
  await guild.join("ada", "owls");
  await guild.join("eve", "owls");
  assert.equal((await guild.get("owls")).members, 2);
  assert.deepEqual((await guild.among("owls", { board: "arena", window: "week" })).map((s) => [s.member, s.local]), [["ada", 1], ["eve", 2]]);
  await guild.leave("eve");
  assert.equal((await guild.get("owls")).members, 1);
});

test("moderation", async () => {
  const board = zrank.board("mod");
  await board.batch(["a", "b", "c", "d", "e"].map((member, i) => ({ member, score: 10 - i })));
  const by = { by: "op", reason: "test" };
  assert.equal((await board.ban("a", { ...by, dryRun: true })).entry, undefined);
  assert.equal((await board.ban("a", by)).places[0]!.rank, 1);
  await assert.rejects(board.submit({ member: "a", score: 1 }), code("banned"));
  await board.unban("a", by);
  await board.hide("b", by);
  await board.show("b", by);
  await board.rename("c", "c2", by);
  await board.merge("d", "c2", by);
  await board.submit({ member: "e", score: 100 });
  assert.equal((await board.revert("e", { since: new Date(0) }, by)).rows?.length, 2);
  assert.deepEqual((await board.window("all").top()).rows.map((r) => [r.member, r.score[0]]), [["b", 9], ["c2", 8]]);
  await board.erase("b", by);
  assert.ok((await zrank.eraseEverywhere("c2", by)).boards["mod"]);
  assert.equal((await board.window("all").info()).members, 0);
});

test("events go on behind the last one when the connection is lost", async () => {
  const got: FeedEvent[] = [];
  let lost = 0;
  const random = (): number => 0; // half of the server's pause
  const client = new Zrank({ ...quick, key: env("ZRANK_KEY"), random });
  const submit = async (score: number): Promise<void> => { await arena.submit({ member: "hal", score }); };
  await submit(1);
  for await (const event of client.events({ boards: ["arena"], windows: ["day", "all"], member: "hal", kinds: ["submitted"], after: "oldest" }, { onReconnect: () => lost++ })) {
    got.push(event);
    if (got.length === 2) {
      await control("/drop");
      await submit(2);
      await submit(3);
    }
    if (got.length === 6) break;
  }
  assert.equal(lost, 1);
  assert.deepEqual(got.map((e) => [e.window, e.score?.[0]]), [["all", 1], ["day", 1], ["all", 2], ["day", 2], ["all", 3], ["day", 3]]);
  const again = await all(zrank.events({ member: "hal", kinds: ["submitted"], after: got[1]!.position, wait: false }));
  assert.deepEqual(again.map((e) => e.score?.[0]), [2, 2, 2, 3, 3, 3]);
  await assert.rejects(all(zrank.events({ kinds: ["nothing"] })), code("event_kind"));
  await assert.rejects(all(ada.events({ member: "bea" })), code("forbidden"));
  await assert.rejects(all(zrank.events({ after: "what" })), code("position"));
});

test("streams end when they are aborted", async () => {
  const reason = new Error("enough");
  const abort = new AbortController();
  const reading = assert.rejects(all(zrank.events({}, { signal: abort.signal })), (err: unknown) => err === reason);
  setTimeout(() => abort.abort(reason), 50);
  await reading;
});

test("the first rows as they change", async () => {
  const tops: string[][] = [];
  for await (const top of zrank.board("points/sum").window("all").watchTop(1)) {
    tops.push(names(top.rows));
    if (tops.length === 1) await zrank.board("points/sum").submit({ member: "ina", score: 1_000_000 });
    if (tops.length === 2) break;
  }
  assert.deepEqual(tops, [["fay"], ["ina"]]);
});

test("periods and awards", async () => {
  const week = arena.window("week");
  const reset = await week.reset();
  assert.ok(reset && reset > new Date("2026-11-20"));
  assert.ok(await arena.deadline());
  assert.equal(await arena.window("all").reset(), undefined);
  await week.close();
  await control("/advance?by=200h");
  const [period] = await week.periods();
  assert.equal(period?.closed, true);
  const closed = arena.window("week", { which: "closed" });
  assert.deepEqual(names((await closed.top(2)).rows), ["cy", "ada"]);
  assert.equal((await arena.window("week", { period: period!.period }).top(1)).rows[0]?.member, "cy");
  const corrected = await arena.correct("cy", { window: "week", period: period!.period!, score: 9007199254740995n }, { by: "op" });
  assert.equal(corrected.places[0]?.newRank, 1);
  assert.deepEqual(exact((await closed.rank("cy"))!), [9007199254740995n]);
  const awards = await all(week.periodAwards(period!.period!, 2));
  assert.equal(awards.length, 6);
  assert.deepEqual([awards[0]?.member, awards[0]?.payload], ["cy", "500 coins"]);
  const [own] = await ada.board("arena").claimable("ada");
  await arena.withhold(own!.id, "a look first");
  await assert.rejects(ada.board("arena").claim("ada", own!.id), code("withheld"));
  await arena.release(own!.id);
  assert.equal((await ada.board("arena").claim("ada", own!.id)).state, "granted");
  await assert.rejects(ada.board("arena").claim("ada", own!.id), code("granted"));
  assert.deepEqual((await arena.awards("ada")).map((a) => a.state), ["granted"]);
  assert.deepEqual(await arena.claimable("ada"), []);
});
