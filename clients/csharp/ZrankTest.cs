// Runs Zrank.cs against a live server: clients/csharp_test.go compiles it, starts the server and says by the environment where it is.
using System;
using System.Collections.Generic;
using System.Linq;
using System.Net.Http;
using System.Threading;
using System.Threading.Tasks;
using ZrankClient;

static class ZrankTest
{
    static string Env(string name) { return Environment.GetEnvironmentVariable(name); }
    static readonly HttpClient plain = new HttpClient();
    static async Task Control(string what) { (await plain.PostAsync(Env("ZRANK_CONTROL") + what, new StringContent(""))).EnsureSuccessStatusCode(); }
    static async Task<string> Seen(string match) { return await plain.GetStringAsync(Env("ZRANK_CONTROL") + "/count?match=" + Uri.EscapeDataString(match)); }

    static void Equal(object want, object got, string what)
    {
        if (!Equals(Json.Write(want), Json.Write(got))) throw new Exception(what + ": want " + Json.Write(want) + ", got " + Json.Write(got));
    }
    static async Task Fails(string code, Task task)
    {
        try { await task; }
        catch (ZrankException e) { Equal(code, e.Code, "code"); return; }
        throw new Exception("want " + code + ", got no error");
    }
    static List<string> Members(IEnumerable<Row> rows) { return rows.Select(r => r.Member).ToList(); }

    static int Main()
    {
        Run().GetAwaiter().GetResult();
        Console.WriteLine("csharp: all passed");
        return 0;
    }

    static async Task Run()
    {
        var zrank = new Zrank(Env("ZRANK_URL"), Env("ZRANK_KEY")) { FirstPause = TimeSpan.FromMilliseconds(1), LongestPause = TimeSpan.FromSeconds(2) };
        var ada = new Zrank(Env("ZRANK_URL"), () => Env("ZRANK_TOKEN"));
        var arena = zrank.Board("arena");
        var award = Json.Parse("{\"window\":\"week\",\"claim\":true,\"tiers\":[{\"name\":\"gold\",\"from\":1}]}");
        await arena.Define(new Obj { { "op", "best" }, { "windows", new[] { "all", "week" } }, { "feed", new Obj() }, { "maxMeta", 64 }, { "awards", new[] { award } } });
        await zrank.Board("points/sum").Define(new Obj { { "op", "sum" }, { "windows", new[] { "all" } } });
        Equal(new[] { "arena", "points/sum" }, await zrank.Boards(), "boards");
        await Reads(zrank, arena);
        await Retries(zrank, zrank.Board("points/sum"));
        await Players(zrank, ada, arena);
        await Streams(zrank, arena);
        await Periods(zrank, ada, arena);
        await Moderation(arena);
    }

    static async Task Reads(Zrank zrank, Board arena)
    {
        var change = await arena.Submit(new Submission("ada", 1500).With("meta", "red \"hat\" \u00e4\n"));
        Equal(1, change.Moves[0].Object("after").Int("rank"), "rank after");
        await arena.Batch(new[] { new Submission("bea", new[] { 1720 }), new Submission("cy", 9007199254740993L) });
        Equal(true, await arena.Apply(new Submission("dan", "1300")), "apply");
        var week = arena.Window("week");
        var top = await week.Top(2);
        Equal(new[] { "cy", "bea" }, Members(top), "top");
        Equal(9007199254740993L, top[0].Score[0], "an integer beyond 2^53");
        Equal("red \"hat\" \u00e4\n", (await week.Rank("ada")).Meta, "meta");
        Equal(null, await week.Rank("nobody"), "not ranked");
        Equal(new[] { "ada", "dan" }, Members(await week.Places(3, -1)), "places");
        Equal(new[] { "bea", "ada", "dan" }, Members(await week.Around("ada", 1)), "around");
        Equal(4, (await week.Card("ada", 1, 1)).Int("members"), "card");
        Equal(new[] { 1, 2 }, (await week.Among(new[] { "dan", "ada" })).Select(r => r.Local).ToList(), "among");
        var pin = await week.Pin();
        var names = new List<string>();
        for (string cursor = null; ; )
        {
            var page = await pin.Page(3, cursor);
            names.AddRange(Members(page.Rows("rows")));
            if (page.Bool("done")) break;
            cursor = page.Str("next");
        }
        Equal(new[] { "cy", "bea", "ada", "dan" }, names, "pages");
        Equal(true, (await week.ExportCsv()).StartsWith("rank,member,score,"), "export");
        var odd = new byte[] { 0xff, 0, 0xfe, 0x3e };
        var name = Names.Encode(odd);
        await arena.Submit(new Submission(name, 1));
        Equal(name, (await week.Rank(name)).Member, "a name that is no UTF-8");
        Equal(odd, Names.Decode(name), "its bytes");
        Equal("base64:YmFzZTY0Og", Names.Encode(System.Text.Encoding.UTF8.GetBytes("base64:")), "escaped");
        await arena.Remove(name);
        await Fails("no_board", zrank.Board("no").Window("all").Top());
        await zrank.DefineGroups("guild");
        await zrank.CreateGroup("guild", "owls");
        await zrank.JoinGroup("guild", "owls", "ada");
        Equal(new[] { "ada" }, Members(await zrank.AmongGroup("guild", "owls", "arena", "week")), "among a group");
    }

    static async Task Retries(Zrank zrank, Board board)
    {
        await Control("/fail?times=2&kind=cut&match=/scores");
        Equal(true, (await board.Submit(new Submission("fay", 5))).Duplicate, "the answer was lost twice");
        await Control("/fail?times=1&kind=cut&match=/batch");
        await board.Batch(new[] { new Submission("fay", 5) });
        await Control("/fail?times=1&kind=503&match=/apply");
        await board.Apply(new Submission("fay", 1), "k1");
        Equal(11, (await board.Window("all").Rank("fay")).Score[0], "each counts once");
        await Fails("idempotency_key_reused", Twice(board));
        var before = int.Parse(await Seen("/moderation/ban"));
        await Control("/fail?times=1&kind=cut&match=/moderation");
        await Fails("no_answer", board.Ban("x"));
        Equal(before + 1, int.Parse(await Seen("/moderation/ban")), "what is not safe is sent once");
        await Control("/fail?times=9&kind=429&retryAfter=60&match=/top");
        await Fails("http", board.Window("all").Top());
        await Control("/fail?times=1&kind=429&retryAfter=1&match=/top");
        var from = DateTime.UtcNow;
        await board.Window("all").Top();
        Equal(true, DateTime.UtcNow - from > TimeSpan.FromSeconds(0.9), "Retry-After");
    }
    static async Task Twice(Board board)
    {
        await board.Submit(new Submission("gil", 1), "same");
        await board.Submit(new Submission("gil", 2), "same");
    }

    static async Task Players(Zrank zrank, Zrank ada, Board arena)
    {
        await Fails("forbidden", ada.Board("arena").Submit(new Submission("ada", 1)));
        await Fails("unauthorized", new Zrank(Env("ZRANK_URL"), "wrong").Boards());
        var ticket = await arena.IssueTicket(new Submission("ada", 1800));
        await Control("/fail?times=1&kind=cut&match=/redeem");
        Equal(true, (await ada.Board("arena").RedeemTicket(ticket)).Duplicate, "a ticket counts once");
        Equal(1800, (await ada.Board("arena").Window("week").Rank("ada")).Score[0], "by ticket");
    }

    static async Task Streams(Zrank zrank, Board arena)
    {
        await arena.Submit(new Submission("hal", 1));
        var got = new List<object>();
        var more = new List<Task>();
        using (var stop = new CancellationTokenSource())
        {
            try
            {
                await zrank.Events(new Obj { { "member", "hal" }, { "kinds", "submitted" }, { "after", "oldest" } }, e =>
                {
                    got.Add(e.List("score")[0]);
                    if (got.Count == 2) more.Add(Later(arena));
                    if (got.Count == 6) stop.Cancel();
                }, stop.Token);
            }
            catch (OperationCanceledException) { }
        }
        await Task.WhenAll(more);
        Equal(new[] { 1, 1, 2, 2, 3, 3 }, got, "events across a lost connection");
        var tops = new List<string>();
        using (var stop = new CancellationTokenSource())
        {
            try { await arena.Window("all").WatchTop(1, rows => { tops.AddRange(Members(rows)); stop.Cancel(); }, stop.Token); }
            catch (OperationCanceledException) { }
        }
        Equal(new[] { "cy" }, tops, "the first rows");
        await Fails("event_kind", zrank.Events(new Obj { { "kinds", "nothing" } }, e => { }, CancellationToken.None));
    }
    static async Task Later(Board arena)
    {
        await Control("/drop");
        await arena.Submit(new Submission("hal", 2));
        await arena.Submit(new Submission("hal", 3));
    }

    static async Task Periods(Zrank zrank, Zrank ada, Board arena)
    {
        var week = arena.Window("week");
        Equal(true, (await week.Reset()).HasValue, "reset");
        await week.Close();
        await Control("/advance?by=200h");
        Equal(true, (await week.Periods())[0].Bool("closed"), "closed");
        Equal("cy", (await arena.Window("week", new Obj { { "which", "closed" } }).Top())[0].Member, "the closed period");
        var own = (await zrank.Board("arena").Claimable("cy"))[0];
        Equal("granted", (await arena.Claim("cy", own.Str("id"))).Str("state"), "claim");
        Equal(1, (await arena.Awards("cy")).Count, "awards");
        Equal(0, (await ada.Board("arena").Claimable("ada")).Count, "claimable");
    }

    static async Task Moderation(Board arena)
    {
        await arena.Ban("bea", "op", "test");
        await Fails("banned", arena.Submit(new Submission("bea", 1)));
        await arena.Unban("bea", "op");
        await arena.Hide("ada");
        await arena.Show("ada");
        await arena.Erase("dan", "op", "asked");
        Equal(true, (await arena.Member("cy")).Objects("windows").Count > 0, "member");
        Equal("arena", (await arena.Info()).Str("name"), "info");
    }
}
