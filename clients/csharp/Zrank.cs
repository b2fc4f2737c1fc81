// A client of zrank's HTTP API for .NET and Unity: one file without dependencies. Copy it into your game. It is C# 6 with HttpClient, for .NET Standard 2.0 and later; JSON is read
// and written here, since Unity has no System.Text.Json, so that integers of 64 bits stay exact.
//
//   var zrank = new Zrank("https://scores.example", key); // a server key, or the token of a player
//   var week = zrank.Board("arena").Window("week");
//   await zrank.Board("arena").Submit(new Submission("ada", 1500));
//   foreach (var row in await week.Top(10)) Debug.Log(row.Rank + " " + row.Member + " " + row.Score[0]);
//
// Retries. A request is sent again, after a pause that grows, if the server could not be reached, was too slow or answered 429, 502, 503 or 504. Only reads are,
// and submissions that have a key, which the server counts once. Submit, Apply and Batch make a key unless they are given one.
//
// Unity. Callbacks run where the call was awaited: on the main thread, if it was called there. Players of WebGL have no sockets: give Zrank.Handler an HttpMessageHandler that
// uses UnityWebRequest; streams do not work there. Never ship a server key inside a game.
//
// Names. The API writes a name that is no UTF-8, or begins with "base64:", as "base64:" and base64url: see Names. Routes are URI templates (RFC 6570), which a test of zrank looks
// up in the server's OpenAPI document.
using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Net.Http;
using System.Net.Http.Headers;
using System.Text;
using System.Threading;
using System.Threading.Tasks;

namespace ZrankClient
{
    /// <summary>A JSON object. Numbers are long if they are integers of 64 bits, else double.</summary>
    public sealed class Obj : Dictionary<string, object>
    {
        public object Get(string name) { object value; return TryGetValue(name, out value) ? value : null; }
        public string Str(string name) { return Get(name) as string; }
        public long Int(string name) { var v = Get(name); return v is long ? (long)v : 0; }
        public bool Bool(string name) { var v = Get(name); return v is bool && (bool)v; }
        public Obj Object(string name) { return Get(name) as Obj; }
        public List<object> List(string name) { return Get(name) as List<object> ?? new List<object>(); }
        public List<string> Strings(string name) { return List(name).Select(x => x as string).ToList(); }
        public List<Obj> Objects(string name) { return List(name).OfType<Obj>().ToList(); }
        public List<Row> Rows(string name) { return Objects(name).Select(x => new Row(x)).ToList(); }
        public DateTimeOffset? Time(string name) { return Get(name) == null ? (DateTimeOffset?)null : DateTimeOffset.Parse(Str(name), CultureInfo.InvariantCulture); }
    }

    /// <summary>A place of a ranking. Score has a long, a double or null for each column. Local is the rank among those who were asked for.</summary>
    public sealed class Row
    {
        public readonly Obj Json;
        public Row(Obj json) { Json = json; }
        public long Rank { get { return Json.Int("rank"); } }
        public string Member { get { return Json.Str("member"); } }
        public List<object> Score { get { return Json.List("score"); } }
        public string Meta { get { return Json.Str("meta"); } }
        public DateTimeOffset? Reached { get { return Json.Time("reached"); } }
        public bool Beyond { get { return Json.Bool("beyond"); } }
        public long Local { get { return Json.Int("local"); } }
    }

    /// <summary>What a submission did: one move for each window, with after, before, passed, members, near, overtaken.</summary>
    public sealed class Change
    {
        public readonly Obj Json;
        public Change(Obj json) { Json = json; }
        public List<Obj> Moves { get { return Json.Objects("moves"); } }
        /// <summary>One with the same key has been counted before, which a retry may find of its own first try.</summary>
        public bool Duplicate { get { return Json.Bool("duplicate"); } }
        public bool Skipped { get { return Json.Bool("skipped"); } }
    }

    /// <summary>A result. Score is a number, or a list with one for each column. Fields has further ones: at, meta, windows, skill, if, near, overtaken, once.</summary>
    public sealed class Submission
    {
        public readonly Obj Fields = new Obj();
        public Submission(string member, object score) { Fields["member"] = member; Fields["score"] = score; }
        public Submission With(string field, object value) { Fields[field] = value; return this; }
    }

    /// <summary>A request that has failed. Code is that of the problem (RFC 9457); without an answer from zrank it is no_answer, timeout or http.</summary>
    public sealed class ZrankException : Exception
    {
        public readonly int Status; // 0: there was no answer
        public readonly string Code;
        public readonly Obj Problem;
        public readonly double RetryAfter; // seconds
        public ZrankException(string code, string message, int status = 0, Obj problem = null, double retryAfter = 0, Exception inner = null) : base(message, inner)
        {
            Code = code; Status = status; Problem = problem; RetryAfter = retryAfter;
        }
        /// <summary>Whether the same request may succeed later.</summary>
        public bool Temporary { get { return Status == 0 || Status == 429 || Status == 502 || Status == 503 || Status == 504; } }
    }

    /// <summary>Names that are no UTF-8, or begin with "base64:".</summary>
    public static class Names
    {
        const string Prefix = "base64:";
        public static string Encode(byte[] name)
        {
            try
            {
                var text = new UTF8Encoding(false, true).GetString(name);
                if (!text.StartsWith(Prefix, StringComparison.Ordinal)) return text;
            }
            catch (ArgumentException) { }
            return Prefix + Convert.ToBase64String(name).Replace('+', '-').Replace('/', '_').TrimEnd('=');
        }
        public static byte[] Decode(string name)
        {
            if (!name.StartsWith(Prefix, StringComparison.Ordinal)) return Encoding.UTF8.GetBytes(name);
            var code = name.Substring(Prefix.Length).Replace('-', '+').Replace('_', '/');
            return Convert.FromBase64String(code.PadRight((code.Length + 3) / 4 * 4, '='));
        }
    }

    /// <summary>A client. Any thread may use it.</summary>
    public sealed class Zrank : IDisposable
    {
        /// <summary>For one try. For streams: until they begin.</summary>
        public TimeSpan Timeout = TimeSpan.FromSeconds(10);
        /// <summary>How often a request is sent again.</summary>
        public int Retries = 4;
        public TimeSpan FirstPause = TimeSpan.FromMilliseconds(200);
        /// <summary>The longest pause. A Retry-After of more ends the tries.</summary>
        public TimeSpan LongestPause = TimeSpan.FromSeconds(10);
        /// <summary>A stream without a byte for so long counts as lost. The server sends something every 15 s.</summary>
        public TimeSpan Silence = TimeSpan.FromSeconds(45);

        readonly HttpClient http;
        readonly string url;
        readonly Func<string> key;
        readonly Random random = new Random();

        public Zrank(string url, string key = null, HttpMessageHandler handler = null) : this(url, () => key, handler) { }
        /// <summary>key returns a server key or a fresh token of a player.</summary>
        public Zrank(string url, Func<string> key, HttpMessageHandler handler = null)
        {
            this.url = url.TrimEnd('/');
            this.key = key;
            http = new HttpClient(handler ?? new HttpClientHandler()) { Timeout = System.Threading.Timeout.InfiniteTimeSpan };
        }
        public void Dispose() { http.Dispose(); }

        public Board Board(string name) { return new Board(this, name); }
        public Ranking Pinned(string pin) { return new Ranking(this, "/v1/pins/{pin}/", new Obj { { "pin", pin } }); }
        public async Task<List<string>> Boards(CancellationToken stop = default(CancellationToken)) { return (await Call("GET /v1/boards", new Obj(), stop)).Strings("names"); }
        public Task DefineGroups(string kind, CancellationToken stop = default(CancellationToken)) { return Call("PUT /v1/groups/{kind}", new Obj { { "kind", kind } }, stop); }
        public Task JoinGroup(string kind, string group, string member, CancellationToken stop = default(CancellationToken)) { return Call("POST /v1/groups/{kind}/join", new Obj { { "kind", kind } }, stop, new Obj { { "member", member }, { "group", group } }); }
        public Task CreateGroup(string kind, string group, CancellationToken stop = default(CancellationToken)) { return Call("POST /v1/groups/{kind}/group", new Obj { { "kind", kind } }, stop, new Obj { { "group", group } }); }
        /// <summary>The rows of a group's members on a board.</summary>
        public async Task<List<Row>> AmongGroup(string kind, string group, string board, string window, CancellationToken stop = default(CancellationToken)) { return (await Call("GET /v1/groups/{kind}/group/among{?group,board,window}", new Obj { { "kind", kind }, { "group", group }, { "board", board }, { "window", window } }, stop)).Rows("rows"); }

        /// <summary>The feed: calls seen for each event until stop, across lost connections. filter: boards, windows, kinds (with commas), member, after (a position, or oldest; absent: now).</summary>
        public Task Events(Obj filter, Action<Obj> seen, CancellationToken stop) { return Stream("GET /v1/events{?boards,windows,member,kinds,after}", filter, seen, stop); }

        /// <summary>Any operation: "METHOD /path{?query}", the values of its parameters, its body. Returns null for an answer without a body.</summary>
        public async Task<Obj> Call(string route, Obj parameters, CancellationToken stop, Obj body = null, string once = null, bool safe = false)
        {
            return Json.Parse(await Text(route, parameters, stop, body, once, safe)) as Obj;
        }

        internal async Task<string> Text(string route, Obj parameters, CancellationToken stop, Obj body = null, string once = null, bool safe = false)
        {
            safe = safe || once != null || route.StartsWith("GET ", StringComparison.Ordinal);
            for (var tries = 0; ; tries++)
            {
                TimeSpan pause;
                try
                {
                    using (var late = CancellationTokenSource.CreateLinkedTokenSource(stop))
                    {
                        late.CancelAfter(Timeout);
                        using (var answer = await Send(route, parameters, body, once, null, late.Token, stop)) return await Guard(answer.Content.ReadAsStringAsync(), late.Token, stop);
                    }
                }
                catch (ZrankException e)
                {
                    if (!e.Temporary || !safe || tries >= Retries || e.RetryAfter > LongestPause.TotalSeconds) throw;
                    pause = Pause(tries, e.RetryAfter);
                }
                await Task.Delay(pause, stop);
            }
        }

        /// <summary>Between a half and all of what doubles with each try, and at least what the server asks for.</summary>
        TimeSpan Pause(int tries, double retryAfter)
        {
            double jitter;
            lock (random) jitter = 0.5 + random.NextDouble() / 2;
            var ms = Math.Min(FirstPause.TotalMilliseconds * Math.Pow(2, tries), LongestPause.TotalMilliseconds) * jitter;
            return TimeSpan.FromMilliseconds(Math.Max(ms, retryAfter * 1000));
        }

        async Task<HttpResponseMessage> Send(string route, Obj parameters, Obj body, string once, string lastID, CancellationToken late, CancellationToken stop)
        {
            string method, path;
            Template.Expand(route, parameters, out method, out path);
            using (var request = new HttpRequestMessage(new HttpMethod(method), url + path))
            {
                var secret = key();
                if (!string.IsNullOrEmpty(secret)) request.Headers.Authorization = new AuthenticationHeaderValue("Bearer", secret);
                if (once != null) request.Headers.Add("Idempotency-Key", once);
                if (!string.IsNullOrEmpty(lastID)) request.Headers.Add("Last-Event-ID", lastID);
                if (body != null) request.Content = new StringContent(Json.Write(body), Encoding.UTF8, "application/json");
                var answer = await Guard(http.SendAsync(request, HttpCompletionOption.ResponseHeadersRead, late), late, stop);
                if (answer.IsSuccessStatusCode) return answer;
                using (answer) throw await Failure(answer, late, stop);
            }
        }

        /// <summary>Waits for what may fail or be too late.</summary>
        static async Task<T> Guard<T>(Task<T> task, CancellationToken late, CancellationToken stop)
        {
            try
            {
                var never = new TaskCompletionSource<T>(); // what HttpClient cannot cancel: reading a body
                using (late.Register(() => never.TrySetCanceled())) return await await Task.WhenAny(task, never.Task);
            }
            catch (Exception e) when (!(e is ZrankException))
            {
                stop.ThrowIfCancellationRequested();
                throw new ZrankException(late.IsCancellationRequested ? "timeout" : "no_answer", e.Message, 0, null, 0, e);
            }
        }

        static async Task<ZrankException> Failure(HttpResponseMessage answer, CancellationToken late, CancellationToken stop)
        {
            var status = (int)answer.StatusCode;
            var after = answer.Headers.RetryAfter == null || answer.Headers.RetryAfter.Delta == null ? 0 : answer.Headers.RetryAfter.Delta.Value.TotalSeconds;
            Obj problem = null;
            try { problem = Json.Parse(await Guard(answer.Content.ReadAsStringAsync(), late, stop)) as Obj; }
            catch (FormatException) { } // a proxy's page
            if (problem == null || problem.Str("code") == null) return new ZrankException("http", status + " " + answer.ReasonPhrase, status, null, after);
            return new ZrankException(problem.Str("code"), problem.Str("detail") ?? problem.Str("title"), status, problem, after);
        }

        internal async Task Stream(string route, Obj parameters, Action<Obj> seen, CancellationToken stop)
        {
            var lastID = "";
            double server = 0; // milliseconds that the server asks for between connections
            for (var tries = 0; ; tries++)
            {
                double after = 0;
                try
                {
                    using (var late = CancellationTokenSource.CreateLinkedTokenSource(stop))
                    {
                        late.CancelAfter(Timeout);
                        using (var answer = await Send(route, parameters, null, null, lastID, late.Token, stop))
                        using (late.Token.Register(answer.Dispose)) // ends a read that waits
                        using (var lines = new StreamReader(await answer.Content.ReadAsStreamAsync(), Encoding.UTF8))
                        {
                            string id = "", kind = "", data = "", line;
                            for (; ; )
                            {
                                late.CancelAfter(Silence);
                                if ((line = await Guard(lines.ReadLineAsync(), late.Token, stop)) == null) break;
                                if (line == "")
                                {
                                    if (id != "") lastID = id;
                                    if (kind == "error") { var p = (Obj)Json.Parse(data); throw new ZrankException(p.Str("code"), p.Str("detail"), (int)p.Int("status"), p, p.Int("retryAfter")); }
                                    if (data != "") { tries = 0; seen((Obj)Json.Parse(data)); stop.ThrowIfCancellationRequested(); }
                                    id = kind = data = "";
                                    continue;
                                }
                                var colon = line.IndexOf(": ", StringComparison.Ordinal);
                                var value = colon < 0 ? "" : line.Substring(colon + 2);
                                if (line.StartsWith("id:", StringComparison.Ordinal)) id = value;
                                else if (line.StartsWith("event:", StringComparison.Ordinal)) kind = value;
                                else if (line.StartsWith("data:", StringComparison.Ordinal)) data += value;
                                else if (line.StartsWith("retry:", StringComparison.Ordinal)) double.TryParse(value, out server);
                            }
                        }
                    }
                }
                catch (ZrankException e) when (e.Temporary) { after = e.RetryAfter; }
                var pause = Pause(Math.Min(tries, 16), after).TotalMilliseconds;
                await Task.Delay(TimeSpan.FromMilliseconds(Math.Max(pause, server * 0.75)), stop);
            }
        }
    }

    /// <summary>A board.</summary>
    public sealed class Board
    {
        readonly Zrank zrank;
        readonly string name;
        internal Board(Zrank zrank, string name) { this.zrank = zrank; this.name = name; }
        Obj At(string parameter = null, object value = null) { var p = new Obj { { "board", name } }; if (parameter != null) p[parameter] = value; return p; }
        static string Once(Submission s, string key) { return key ?? s.Fields.Str("once") ?? Guid.NewGuid().ToString("N"); }

        /// <summary>The live ranking of a window. select: period, which (closed, latest), at, baseline, asOf, mode.</summary>
        public Window Window(string window, Obj select = null) { return new Window(zrank, name, window, select ?? new Obj()); }
        public Task<Obj> Info(CancellationToken stop = default(CancellationToken)) { return zrank.Call("GET /v1/boards/{board}", At(), stop); }
        public Task<Obj> Define(Obj spec, CancellationToken stop = default(CancellationToken)) { return zrank.Call("PUT /v1/boards/{board}", At(), stop, spec); }
        /// <summary>Submits a result to all windows. key: the Idempotency-Key; absent: a random one.</summary>
        public async Task<Change> Submit(Submission s, string key = null, CancellationToken stop = default(CancellationToken)) { return new Change(await zrank.Call("POST /v1/boards/{board}/scores", At(), stop, s.Fields, Once(s, key))); }
        /// <summary>Submits a result and answers only whether that changed anything.</summary>
        public async Task<bool> Apply(Submission s, string key = null, CancellationToken stop = default(CancellationToken)) { return (await zrank.Call("POST /v1/boards/{board}/scores/apply", At(), stop, s.Fields, Once(s, key))).Bool("changed"); }
        /// <summary>Submits several results in one commit: all or none. Those without once get a key.</summary>
        public async Task<List<Change>> Batch(IEnumerable<Submission> all, CancellationToken stop = default(CancellationToken))
        {
            var list = new List<object>();
            foreach (var s in all) { s.Fields["once"] = Once(s, null); list.Add(s.Fields); }
            return (await zrank.Call("POST /v1/boards/{board}/scores/batch", At(), stop, new Obj { { "submissions", list } }, null, true)).Objects("changes").Select(x => new Change(x)).ToList();
        }
        public Task<Obj> Remove(string member, CancellationToken stop = default(CancellationToken)) { return zrank.Call("DELETE /v1/boards/{board}/scores{?member}", At("member", member), stop); }
        public Task<Obj> Member(string member, CancellationToken stop = default(CancellationToken)) { return zrank.Call("GET /v1/boards/{board}/member{?member}", At("member", member), stop); }
        public async Task<List<Obj>> Awards(string member, CancellationToken stop = default(CancellationToken)) { return (await zrank.Call("GET /v1/boards/{board}/awards{?member}", At("member", member), stop)).Objects("awards"); }
        public async Task<List<Obj>> Claimable(string member, CancellationToken stop = default(CancellationToken)) { return (await zrank.Call("GET /v1/boards/{board}/claimable{?member}", At("member", member), stop)).Objects("awards"); }
        /// <summary>Grants an award to its member, once.</summary>
        public Task<Obj> Claim(string member, string id, CancellationToken stop = default(CancellationToken)) { return zrank.Call("POST /v1/boards/{board}/awards/claim", At(), stop, new Obj { { "member", member }, { "id", id } }); }
        /// <summary>Signs a result that the player may submit itself, once. For game servers.</summary>
        public async Task<string> IssueTicket(Submission s, CancellationToken stop = default(CancellationToken)) { return (await zrank.Call("POST /v1/boards/{board}/tickets", At(), stop, s.Fields)).Str("ticket"); }
        public async Task<Change> RedeemTicket(string ticket, CancellationToken stop = default(CancellationToken)) { return new Change(await zrank.Call("POST /v1/boards/{board}/tickets/redeem", At(), stop, new Obj { { "ticket", ticket } }, null, true)); }

        static Obj Action(string member, string by, string reason) { var o = new Obj { { "member", member } }; if (by != null) o["by"] = by; if (reason != null) o["reason"] = reason; return o; }
        public Task<Obj> Ban(string member, string by = null, string reason = null, CancellationToken stop = default(CancellationToken)) { return zrank.Call("POST /v1/boards/{board}/moderation/ban", At(), stop, Action(member, by, reason)); }
        public Task<Obj> Unban(string member, string by = null, string reason = null, CancellationToken stop = default(CancellationToken)) { return zrank.Call("POST /v1/boards/{board}/moderation/unban", At(), stop, Action(member, by, reason)); }
        public Task<Obj> Hide(string member, string by = null, string reason = null, CancellationToken stop = default(CancellationToken)) { return zrank.Call("POST /v1/boards/{board}/moderation/hide", At(), stop, Action(member, by, reason)); }
        public Task<Obj> Show(string member, string by = null, string reason = null, CancellationToken stop = default(CancellationToken)) { return zrank.Call("POST /v1/boards/{board}/moderation/show", At(), stop, Action(member, by, reason)); }
        public Task<Obj> Erase(string member, string by = null, string reason = null, CancellationToken stop = default(CancellationToken)) { return zrank.Call("POST /v1/boards/{board}/moderation/erase", At(), stop, Action(member, by, reason)); }
    }

    /// <summary>The reads that rankings of windows and pinned rankings have.</summary>
    public class Ranking
    {
        protected readonly Zrank zrank;
        readonly string path;
        readonly Obj parameters;
        internal Ranking(Zrank zrank, string path, Obj parameters) { this.zrank = zrank; this.path = path; this.parameters = parameters; }

        protected string Route(string method, string rest)
        {
            var select = path.Contains("{window}") ? "mode,period,which,at,baseline,asOf" : "mode";
            var cut = rest.IndexOf("{?", StringComparison.Ordinal);
            return method + " " + path + (cut < 0 ? rest + "{?" + select + "}" : rest.Substring(0, cut) + "{?" + select + "," + rest.Substring(cut + 2));
        }
        protected Obj With(params object[] more)
        {
            var all = new Obj();
            foreach (var p in parameters) all[p.Key] = p.Value;
            for (var i = 0; i < more.Length; i += 2) all[(string)more[i]] = more[i + 1];
            return all;
        }
        Task<Obj> Read(string rest, CancellationToken stop, params object[] more) { return zrank.Call(Route("GET", rest), With(more), stop); }

        public async Task<List<Row>> Top(int n = 10, CancellationToken stop = default(CancellationToken)) { return (await Read("top{?n}", stop, "n", n)).Rows("rows"); }
        /// <summary>The rows of places, from 1, the last included; -1 is the last place.</summary>
        public async Task<List<Row>> Places(int first, int last, CancellationToken stop = default(CancellationToken)) { return (await Read("places{?first,last}", stop, "first", first, "last", last)).Rows("rows"); }
        /// <summary>The row of a member; null if it is not ranked.</summary>
        public async Task<Row> Rank(string member, CancellationToken stop = default(CancellationToken))
        {
            try { return new Row((await Read("rank{?member}", stop, "member", member)).Object("row")); }
            catch (ZrankException e) when (e.Code == "not_ranked") { return null; }
        }
        public async Task<List<Row>> Around(string member, int each = 2, CancellationToken stop = default(CancellationToken)) { return (await Read("around{?member,each}", stop, "member", member, "each", each)).Rows("rows"); }
        /// <summary>Of one moment: top, own, around, members.</summary>
        public Task<Obj> Card(string member, int top = 10, int each = 2, CancellationToken stop = default(CancellationToken)) { return Read("card{?member,top,each}", stop, "member", member, "top", top, "each", each); }
        /// <summary>The rows of some members, such as friends, with their ranks among themselves: Local.</summary>
        public async Task<List<Row>> Among(IEnumerable<string> members, CancellationToken stop = default(CancellationToken)) { return (await zrank.Call(Route("POST", "among"), With(), stop, new Obj { { "members", members.ToList<object>() } }, null, true)).Rows("rows"); }
        /// <summary>A page: rows, next, done. cursor is next of the page before; null: the first page.</summary>
        public Task<Obj> Page(int n = 100, string cursor = null, CancellationToken stop = default(CancellationToken)) { return Read("page{?cursor,n}", stop, "cursor", cursor, "n", n); }
        public Task<Obj> Info(CancellationToken stop = default(CancellationToken)) { return Read("info", stop); }
        /// <summary>A copy of the ranking as it is now, which the server keeps for a while after its last use.</summary>
        public async Task<Ranking> Pin(CancellationToken stop = default(CancellationToken)) { return zrank.Pinned((await zrank.Call(Route("POST", "pin"), With(), stop)).Str("pin")); }
    }

    /// <summary>A window of a board, and one of its rankings.</summary>
    public sealed class Window : Ranking
    {
        internal Window(Zrank zrank, string board, string window, Obj select) : base(zrank, "/v1/boards/{board}/windows/{window}/", Named(board, window, select)) { }
        static Obj Named(string board, string window, Obj select) { var o = new Obj { { "board", board }, { "window", window } }; foreach (var s in select) o[s.Key] = s.Value; return o; }
        public async Task<List<Obj>> Periods(CancellationToken stop = default(CancellationToken)) { return (await zrank.Call("GET /v1/boards/{board}/windows/{window}/periods", With(), stop)).Objects("periods"); }
        /// <summary>When the next period begins; null: never.</summary>
        public async Task<DateTimeOffset?> Reset(CancellationToken stop = default(CancellationToken)) { return (await zrank.Call("GET /v1/boards/{board}/windows/{window}/reset", With(), stop)).Time("at"); }
        public Task<Obj> Close(CancellationToken stop = default(CancellationToken)) { return zrank.Call("POST /v1/boards/{board}/windows/{window}/close", With(), stop); }
        /// <summary>All rows as they are at one moment, as CSV.</summary>
        public Task<string> ExportCsv(CancellationToken stop = default(CancellationToken)) { return zrank.Text(Route("GET", "export{?format}"), With("format", "csv"), stop); }
        /// <summary>Calls seen with the first rows, now and whenever they change, until stop.</summary>
        public Task WatchTop(int n, Action<List<Row>> seen, CancellationToken stop) { return zrank.Stream("GET /v1/boards/{board}/windows/{window}/top/stream{?mode,n}", With("n", n), x => seen(x.Rows("rows")), stop); }
    }

    static class Template
    {
        /// <summary>Expands a URI template: {name} in the path, {?name,name} for the query. What is null is left out.</summary>
        internal static void Expand(string route, Obj parameters, out string method, out string path)
        {
            var space = route.IndexOf(' ');
            method = route.Substring(0, space);
            var parts = route.Substring(space + 1).Split(new[] { "{?" }, StringSplitOptions.None);
            path = parts[0];
            foreach (var p in parameters) path = path.Replace("{" + p.Key + "}", Escape(p.Value));
            if (parts.Length == 1) return;
            var query = parts[1].TrimEnd('}').Split(',').Where(name => parameters.Get(name) != null).Select(name => name + "=" + Escape(parameters[name]));
            var text = string.Join("&", query.ToArray());
            if (text != "") path += "?" + text;
        }
        static string Escape(object value)
        {
            if (value is DateTimeOffset) value = ((DateTimeOffset)value).UtcDateTime.ToString("o");
            return Uri.EscapeDataString(Convert.ToString(value, CultureInfo.InvariantCulture) ?? "");
        }
    }

    /// <summary>JSON as Obj, List, string, long, double, bool and null.</summary>
    public static class Json
    {
        public static string Write(object value) { var b = new StringBuilder(); Write(b, value); return b.ToString(); }

        static void Write(StringBuilder b, object value)
        {
            if (value == null) b.Append("null");
            else if (value is string) Quote(b, (string)value);
            else if (value is bool) b.Append((bool)value ? "true" : "false");
            else if (value is DateTimeOffset) Quote(b, ((DateTimeOffset)value).UtcDateTime.ToString("o"));
            else if (value is double || value is float) b.Append(Convert.ToDouble(value).ToString("R", CultureInfo.InvariantCulture));
            else if (value is IDictionary<string, object>)
            {
                var comma = "{";
                foreach (var p in (IDictionary<string, object>)value) { b.Append(comma); Quote(b, p.Key); b.Append(':'); Write(b, p.Value); comma = ","; }
                b.Append(comma == "{" ? "{}" : "}");
            }
            else if (value is System.Collections.IEnumerable)
            {
                var comma = "[";
                foreach (var x in (System.Collections.IEnumerable)value) { b.Append(comma); Write(b, x); comma = ","; }
                b.Append(comma == "[" ? "[]" : "]");
            }
            else b.Append(Convert.ToString(value, CultureInfo.InvariantCulture));
        }

        static void Quote(StringBuilder b, string text)
        {
            b.Append('"');
            foreach (var c in text)
            {
                if (c == '"' || c == '\\') b.Append('\\').Append(c);
                else if (c < ' ') b.Append("\\u").Append(((int)c).ToString("x4"));
                else b.Append(c);
            }
            b.Append('"');
        }

        /// <summary>Reads a value; null for an empty text. Throws FormatException.</summary>
        public static object Parse(string text)
        {
            var at = 0;
            Space(text, ref at);
            if (at == text.Length) return null;
            var value = Value(text, ref at, 0);
            Space(text, ref at);
            if (at != text.Length) throw new FormatException("JSON: more than one value");
            return value;
        }

        static void Space(string s, ref int at) { while (at < s.Length && (s[at] == ' ' || s[at] == '\n' || s[at] == '\r' || s[at] == '\t')) at++; }

        static bool Take(string s, ref int at, char c) { Space(s, ref at); if (at >= s.Length || s[at] != c) return false; at++; return true; }

        static void Need(string s, ref int at, char c) { if (!Take(s, ref at, c)) throw new FormatException("JSON: no " + c + " at " + at); }

        static object Value(string s, ref int at, int depth)
        {
            if (depth > 100) throw new FormatException("JSON: too deep");
            Space(s, ref at);
            if (Take(s, ref at, '{'))
            {
                var o = new Obj();
                if (Take(s, ref at, '}')) return o;
                do { Need(s, ref at, '"'); var name = Text(s, ref at); Need(s, ref at, ':'); o[name] = Value(s, ref at, depth + 1); } while (Take(s, ref at, ','));
                Need(s, ref at, '}');
                return o;
            }
            if (Take(s, ref at, '['))
            {
                var list = new List<object>();
                if (Take(s, ref at, ']')) return list;
                do list.Add(Value(s, ref at, depth + 1)); while (Take(s, ref at, ','));
                Need(s, ref at, ']');
                return list;
            }
            if (Take(s, ref at, '"')) return Text(s, ref at);
            var from = at;
            while (at < s.Length && (char.IsLetterOrDigit(s[at]) || s[at] == '-' || s[at] == '+' || s[at] == '.')) at++;
            var word = s.Substring(from, at - from);
            if (word == "null") return null;
            if (word == "true" || word == "false") return word == "true";
            long whole;
            if (long.TryParse(word, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out whole)) return whole;
            return double.Parse(word, NumberStyles.Float, CultureInfo.InvariantCulture);
        }

        /// <summary>Reads the rest of a string.</summary>
        static string Text(string s, ref int at)
        {
            var b = new StringBuilder();
            while (at < s.Length)
            {
                var c = s[at++];
                if (c == '"') return b.ToString();
                if (c != '\\') { b.Append(c); continue; }
                if (at >= s.Length) break;
                c = s[at++];
                if (c == 'u' && at + 4 <= s.Length) { b.Append((char)ushort.Parse(s.Substring(at, 4), NumberStyles.HexNumber, CultureInfo.InvariantCulture)); at += 4; }
                else b.Append(c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c == 'b' ? '\b' : c == 'f' ? '\f' : c);
            }
            throw new FormatException("JSON: a string without end");
        }
    }
}
