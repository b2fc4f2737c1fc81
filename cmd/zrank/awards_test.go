package main

import (
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/cmd/zrank/internal/datadir"
	"github.com/zrankdb/zrank/engine"
)

// awardSpecs are a board whose days are delivered, and one whose days are claimed for a day.
const awardSpecs = `[
{"name": "a/b", "op": "sum", "windows": ["all", "day"], "awards": [{"window": "day", "tiers": [
	{"name": "gold", "from": 1, "payload": "100 coins"}, {"name": "silver", "from": 2, "to": 3, "payload": "50 coins"},
	{"name": "played", "everyone": true, "payload": "1 coin"}]}]},
{"name": "c", "windows": ["day"], "awards": [{"window": "day", "claim": true, "expires": "24h", "stack": true, "tiers": [
	{"name": "first", "from": 1, "payload": "a hat"}, {"name": "all", "everyone": true, "payload": "a stamp"}]}]}]`

const awardRows = "time,board,member,score\n" +
	"2026-11-20T10:00:00Z,a/b,ada,5\n2026-11-20T10:01:00Z,a/b,bea,7\n2026-11-20T10:02:00Z,a/b,cy,3\n2026-11-20T10:03:00Z,a/b,dan,1\n" +
	"2026-11-20T10:04:00Z,c,ada,5\n2026-11-20T10:05:00Z,c,\xff,4\n"

// awarded returns a directory whose data ends on 20 November 2026, and a day later by its clock: a day of two boards is due.
func awarded(t *testing.T) string {
	t.Helper()
	tmp := t.TempDir()
	dir := filepath.Join(tmp, "data")
	must(t, "replay", "--dir", dir, "--spec", write(t, filepath.Join(tmp, "spec.json"), awardSpecs), write(t, filepath.Join(tmp, "in.csv"), awardRows))
	setTime(t, dir, "2026-11-21T00:00:00Z")
	return dir
}

// TestSettle: settle closes and settles what is due, says so once, and goes on to list what waits.
func TestSettle(t *testing.T) {
	dir := awarded(t)
	require.Equal(t, ` BOARD  WINDOW  PERIOD      CLOSED                NEW  AWARDS  WAITING  FAILED  EXPIRED  FOR       EXPIRES               REVISION
──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
 a/b    day     2026-11-20  2026-11-21T00:00:00Z  new       4        4       0        0  delivery                               1
 c      day     2026-11-20  2026-11-21T00:00:00Z  new       2        2       0        0  claims    2026-11-22T00:00:00Z         1
4 awards to be delivered by the program, 2 to be claimed: settle delivers none
`, must(t, "settle", "--dir", dir))
	require.Equal(t, `{"board":"c","window":"day","period":"2026-11-20","end":"2026-11-21T00:00:00Z","closedAt":"2026-11-21T00:00:00Z","settled":true,"revision":1,`+
		`"plan":{"window":"day","stack":true,"claim":true,"expires":"24h","tiers":[{"name":"first","from":1,"payload":"a hat"},{"name":"all","everyone":true,"payload":"a stamp"}]},`+
		`"awards":2,"waiting":2,"expires":"2026-11-22T00:00:00Z"}`+"\n", must(t, "settle", "--dir", dir, "--format", "json", "c"))
	setTime(t, dir, "2026-11-22T00:00:00Z")
	require.Equal(t, "nothing is due, and no award waits\n", must(t, "settle", "--dir", dir, "c"))
	require.Contains(t, must(t, "awards", "--dir", dir, "--format", "csv", "c"), "c,day,2026-11-20,2026-11-21T00:00:00Z,,2,0,0,2,claims,2026-11-22T00:00:00Z,1\n")
	require.Contains(t, must(t, "awards", "--dir", dir, "--state", "expired", "--format", "csv", "c"), `1,ada,5,"first, all","a hat, a stamp",expired,`)
	fails(t, 1, "has expired", "claim", "--dir", dir, "c", "ada", "c/day/2026-11-20/1/ada")
}

// TestReplayAwards: a spec with awards replays, the winners of closed days are there after it, and a spec with an impossible plan is refused.
func TestReplayAwards(t *testing.T) {
	tmp := t.TempDir()
	dir := filepath.Join(tmp, "data")
	spec := write(t, filepath.Join(tmp, "spec.json"), awardSpecs)
	must(t, "replay", "--dir", dir, "--spec", spec, write(t, filepath.Join(tmp, "in.csv"), awardRows+"2026-11-21T09:00:00Z,a/b,ada,1\n"))
	require.Equal(t, `rank,member,score,tiers,payload,state,had,too much,expires,failures,next,reason,id
1,bea,7,gold,100 coins,waiting,,,,,,,a%2Fb/day/2026-11-20/1/bea
2,ada,5,silver,50 coins,waiting,,,,,,,a%2Fb/day/2026-11-20/1/ada
3,cy,3,silver,50 coins,waiting,,,,,,,a%2Fb/day/2026-11-20/1/cy
4,dan,1,played,1 coin,waiting,,,,,,,a%2Fb/day/2026-11-20/1/dan
`, must(t, "awards", "--dir", dir, "--window", "day", "--period", "2026-11-20", "--format", "csv", "a/b"))
	require.Contains(t, must(t, "boards", "--dir", dir, "--format", "json"), `"awards":[{"window":"day",`)
	must(t, "replay", "--dir", dir, "--spec", spec, filepath.Join(tmp, "in.csv"))
	bad := write(t, filepath.Join(tmp, "bad.json"), `{"name": "x", "windows": ["day"], "awards": [{"window": "week", "tiers": [{"name": "a", "everyone": true}]}]}`)
	fails(t, 1, `impossible plan of awards for window "week": the board has no such window`, "replay", "--dir", filepath.Join(tmp, "no"), "--spec", bad,
		filepath.Join(tmp, "in.csv"))
}

// TestAwardFilters: each filter of awards, and all of them together.
func TestAwardFilters(t *testing.T) {
	dir := awarded(t)
	list := func(args ...string) (found []string) {
		for line := range strings.Lines(must(t, append([]string{"awards", "--dir", dir, "--format", "json"}, args...)...)) {
			var a struct{ ID string }
			require.NoError(t, json.Unmarshal([]byte(line), &a))
			found = append(found, a.ID)
		}
		return found
	}
	ada, bea, cy, dan := "a%2Fb/day/2026-11-20/1/ada", "a%2Fb/day/2026-11-20/1/bea", "a%2Fb/day/2026-11-20/1/cy", "a%2Fb/day/2026-11-20/1/dan"
	hat, stamp := "c/day/2026-11-20/1/ada", "c/day/2026-11-20/1/%FF"
	require.Equal(t, []string{bea, ada, cy, dan, hat, stamp}, list("--state", "waiting"))
	require.Equal(t, []string{bea, ada, cy, dan}, list("--state", "waiting,failed,granted,withheld,expired", "a/b"))
	require.Equal(t, []string{bea, ada}, list("--window", "day", "--period", "2026-11-20", "-n", "2", "a/b"))
	require.Equal(t, []string{ada, hat}, list("--member", "ada"))
	require.Equal(t, []string{stamp}, list("--member", "base64:_w"))
	require.Equal(t, []string{hat}, list("--member", "ada", "--window", "day", "--period", "2026-11-20", "c"))
	require.Empty(t, list("--member", "eve"))
	require.Empty(t, list("--member", "ada", "--state", "granted"))
	require.Empty(t, list("--too-much"))
	require.Equal(t, "no award\n", must(t, "awards", "--dir", dir, "--state", "failed"))
	require.Contains(t, must(t, "awards", "--dir", dir, "--state", "waiting", "c"), `    2  \xff        4  all         a stamp         waiting`)
	require.Contains(t, must(t, "awards", "--dir", dir, "--member", "base64:_w", "--format", "json"), `"member":"base64:_w","revision":1,"rank":2,`+
		`"tier":"all","payload":"a stamp","tiers":[{"name":"all","everyone":true,"payload":"a stamp"}],"state":"waiting","expires":"2026-11-22T00:00:00Z"}`)
	require.Equal(t, []string{ada + " is withheld\n", ada + " waits\n"}, []string{
		must(t, "awards", "--dir", dir, "--withhold", ada, "--reason", "a cheat"), must(t, "awards", "--dir", dir, "--release", ada)})
	must(t, "awards", "--dir", dir, "--withhold", ada, "--reason", "a cheat", "a/b")
	require.Equal(t, []string{bea, cy, dan, hat, stamp}, list("--state", "waiting"))
	require.Contains(t, must(t, "awards", "--dir", dir, "--state", "withheld"), "a cheat")
	require.Contains(t, must(t, "periods", "--dir", dir, "--format", "csv", "--window", "day", "a/b"), ",3\n", "3 awards wait")
}

// TestClaim: claim lists what a member can claim, and claims it once.
func TestClaim(t *testing.T) {
	dir := awarded(t)
	const id = "c/day/2026-11-20/1/ada"
	require.Contains(t, must(t, "claim", "--dir", dir, "c", "ada"), "first, all  a hat, a stamp  waiting")
	require.Equal(t, "nothing to claim\n", must(t, "claim", "--dir", dir, "c", "eve"))
	require.Equal(t, "nothing to claim\n", must(t, "claim", "--dir", dir, "a/b", "ada"), "delivered by the program")
	fails(t, 1, "board: the award is another member's", "claim", "--dir", dir, "c", "eve", id)
	fails(t, 1, "board: no such award", "claim", "--dir", dir, "c", "ada", "c/day/2026-11-20/2/ada")
	fails(t, 1, "board: no such award", "claim", "--dir", dir, "a/b", "ada", id)
	require.Contains(t, must(t, "claim", "--dir", dir, "--format", "csv", "c", "ada", id), `1,ada,,"first, all","a hat, a stamp",granted,`)
	fails(t, 1, "board: the award has been granted", "claim", "--dir", dir, "c", "ada", id)
	require.Equal(t, "nothing to claim\n", must(t, "claim", "--dir", dir, "c", "ada"))
	require.Contains(t, must(t, "claim", "--dir", dir, "--format", "csv", "c", "base64:_w", "c/day/2026-11-20/1/%FF"), "2,\xff,,all,a stamp,granted,")
}

// TestSettleAgain: a correction lists who gains and loses, changes nothing in a dry run, and shows what was granted too much.
func TestSettleAgain(t *testing.T) {
	dir := awarded(t)
	require.NoError(t, datadir.Open(dir, datadir.Existing, func(d *datadir.Data) error {
		require.NoError(t, d.Boards.Deliver("a/b", "day", local.Delivery{Grant: func(context.Context, *engine.Tx, awards.Award) error { return nil }}))
		_, err := d.Boards.SettleDue(t.Context())
		return err
	}))
	again := func(args ...string) string {
		return must(t, append([]string{"settle", "--dir", dir, "--window", "day", "--period", "2026-11-20", "a/b"}, args...)...)
	}
	const table = ` RANK  MEMBER  WAS     IS      GRANTED  TO GRANT  TOO MUCH
───────────────────────────────────────────────────────────
    1  ada     silver  gold    silver   gold
    3  dan     played  silver  played   silver
       bea     gold            gold               gold
`
	require.Equal(t, "a/b · day · 2026-11-20: 2 gained, 3 lost, 1 granted too much (dry run)\n"+table, again("--without", "bea", "--reason", "a cheat", "--dry-run"))
	require.Equal(t, "no award\n", must(t, "awards", "--dir", dir, "--too-much"))
	require.Equal(t, "a/b · day · 2026-11-20: 2 gained, 3 lost, 1 granted too much\n"+table, again("--without", "bea", "--reason", "a cheat"))
	require.Equal(t, "rank,member,score,tiers,payload,state,had,too much,expires,failures,next,reason,id\n"+
		",bea,7,gold,100 coins,granted,,gold,,,,,a%2Fb/day/2026-11-20/1/bea\n", must(t, "awards", "--dir", dir, "--too-much", "--format", "csv"))
	require.Contains(t, must(t, "awards", "--dir", dir, "--format", "json", "a/b"), `"without":["bea"],"reason":"a cheat","awards":4,"waiting":2}`)

	plan := write(t, filepath.Join(t.TempDir(), "plan.json"), `{"window": "day", "tiers": [{"name": "gold", "from": 1, "payload": "300 coins"}]}`)
	more := again("--plan", plan, "--reason", "more", "--dry-run", "--format", "json")
	require.Contains(t, more, `{"member":"ada","rank":1,"was":[{"name":"gold","from":1,"payload":"100 coins"}],"is":[{"name":"gold","from":1,"payload":"300 coins"}],`)
	require.NotContains(t, more, `"bea"`, "she stays without")
	require.Contains(t, again("--without", "", "--reason", "no cheat", "--format", "csv"), "1,bea,,gold,gold,,\n", "and is back")
}

// TestAwardsRefused: bad input is one line on standard error, and changes nothing.
func TestAwardsRefused(t *testing.T) {
	dir := awarded(t)
	must(t, "settle", "--dir", dir)
	before := must(t, "awards", "--dir", dir, "--state", "waiting", "--format", "json")
	tmp := t.TempDir()
	plan := func(text string) string { return write(t, filepath.Join(tmp, "plan.json"), text) }
	again := []string{"--window", "day", "--period", "2026-11-20", "--reason", "x", "a/b"}
	for _, c := range []struct {
		code int
		why  string
		args []string
	}{
		{1, "board: no such board", []string{"settle", "x"}},
		{2, "--without needs --period", []string{"settle", "--without", "ada", "a/b"}},
		{2, "--dry-run needs --period", []string{"settle", "--dry-run"}},
		{2, "--period needs BOARD and --window", []string{"settle", "--period", "2026-11-20", "a/b"}},
		{2, "--period needs BOARD and --window", []string{"settle", "--period", "2026-11-20", "--window", "day"}},
		{2, "--period needs --without or --plan", append([]string{"settle"}, again...)},
		{2, "--period needs --reason", []string{"settle", "--window", "day", "--period", "2026-11-20", "--without", "ada", "a/b"}},
		{2, `MEMBER is "base64:*"`, append([]string{"settle", "--without", "base64:*"}, again...)},
		{1, "board: no such board", []string{"settle", "--window", "day", "--period", "2026-11-20", "--reason", "x", "--without", "ada", "x"}},
		{1, "board: no such window", []string{"settle", "--window", "week", "--period", "2026-W47", "--reason", "x", "--without", "ada", "a/b"}},
		{1, "board: no such award: 2026-11-19", []string{"settle", "--window", "day", "--period", "2026-11-19", "--reason", "x", "--without", "ada", "a/b"}},
		{1, "no such file", append([]string{"settle", "--plan", filepath.Join(tmp, "none")}, again...)},
		{1, "plan.json: json: unknown field", append([]string{"settle", "--plan", plan(`{"win": "day"}`)}, again...)},
		{2, "--window needs BOARD", []string{"awards", "--window", "day"}},
		{2, "--period needs --window", []string{"awards", "--period", "2026-11-20", "a/b"}},
		{2, `--state has "lost"`, []string{"awards", "--state", "waiting,lost"}},
		{2, "want --withhold and --reason together", []string{"awards", "--withhold", "c/day/2026-11-20/1/ada"}},
		{2, "want --withhold and --reason together", []string{"awards", "--reason", "x"}},
		{2, "--withhold and --release are both set", []string{"awards", "--withhold", "x", "--release", "y", "--reason", "z"}},
		{2, "-n is -1", []string{"awards", "-n", "-1"}},
		{2, `MEMBER is "base64:*"`, []string{"awards", "--member", "base64:*"}},
		{1, "board: no such board", []string{"awards", "x"}},
		{1, "board: no such window", []string{"awards", "--window", "week", "a/b"}},
		{1, "board: no such award: 2026-11-19", []string{"awards", "--window", "day", "--period", "2026-11-19", "a/b"}},
		{1, "board: no such award: 2026-11-19", []string{"awards", "--window", "day", "--period", "2026-11-19", "--member", "ada", "a/b"}},
		{1, "board: no such award: c/day/2026-11-20/1/eve", []string{"awards", "--withhold", "c/day/2026-11-20/1/eve", "--reason", "x"}},
		{1, "board: no such award: x", []string{"awards", "--release", "x"}},
		{1, "board: no such board", []string{"claim", "x", "ada"}},
		{2, `MEMBER is "base64:*"`, []string{"claim", "c", "base64:*"}},
		{2, "unknown format", []string{"claim", "--format", "x", "c", "ada"}},
	} {
		fails(t, c.code, c.why, append([]string{c.args[0], "--dir", dir}, c.args[1:]...)...)
	}
	fails(t, 1, "impossible plan of awards", append([]string{"settle", "--dir", dir, "--plan", plan(`{"window": "day", "tiers": []}`)}, again...)...)
	fails(t, 1, "window, stack and claim stay as they are", append([]string{"settle", "--dir", dir, "--plan",
		plan(`{"window": "all", "tiers": [{"name": "a", "everyone": true}]}`)}, again...)...)
	require.Equal(t, before, must(t, "awards", "--dir", dir, "--state", "waiting", "--format", "json"))
}

// TestPeriodsOfAwards: periods has a column of the awards that wait if a window that it lists awards anything.
func TestPeriodsOfAwards(t *testing.T) {
	dir := awarded(t)
	csv := func(args ...string) string {
		return must(t, append([]string{"periods", "--dir", dir, "--format", "csv"}, args...)...)
	}
	all := csv("a/b")
	require.Contains(t, all, "window,period,start,end,state,members,memory,disk,next reset,waiting\nall,all,,,live,4,")
	require.Regexp(t, `(?m)^all,.*,$`, all)
	require.Regexp(t, `(?m)^day,2026-11-20,.*,closed,4,.*,,4$`, all)
	require.Regexp(t, `(?m)^day,2026-11-21,.*,live,0,.*,2026-11-22T00:00:00Z,0$`, all)
	require.NotContains(t, csv("--window", "all", "a/b"), "waiting")
	require.Contains(t, must(t, "periods", "--dir", dir, "--format", "json", "c"), `"state":"closed","members":2`)
	require.Regexp(t, `"period":"2026-11-20".*"waiting":2}`, must(t, "periods", "--dir", dir, "--format", "json", "c"))
}

// TestSettleAfterAnother: a command may close a period and end before it is settled. settle and awards settle it then.
func TestSettleAfterAnother(t *testing.T) {
	for _, command := range []string{"settle", "awards"} {
		dir := awarded(t)
		for range 3 {
			must(t, "top", "--dir", dir, "c")
		}
		require.Contains(t, must(t, command, "--dir", dir, "--format", "csv", "c"), "c,day,2026-11-20,2026-11-21T00:00:00Z,,2,2,0,0,claims,2026-11-22T00:00:00Z,1\n", command)
	}
}

// TestServeClaims: an award that a client of a server has claimed is granted after a kill, for the command and for the next server.
func TestServeClaims(t *testing.T) {
	dir := awarded(t)
	must(t, "settle", "--dir", dir)
	const id = "c/day/2026-11-20/1/ada"
	users := write(t, filepath.Join(t.TempDir(), "users"), "all one\nlook two read\n")
	s := startServer(t, "--dir", dir, "--users", users)
	c := call(t, "tcp", s.addr)
	require.Equal(t, "+OK", c.says(t, "AUTH look two"))
	require.Equal(t, "*2", c.says(t, "BOARD.AWARDS c day 2026-11-20"))
	require.Contains(t, c.says(t, "BOARD.CLAIM c ada "+id), "-NOPERM")
	require.Equal(t, "+OK", c.says(t, "AUTH all one"))
	require.Equal(t, "*38", c.says(t, "BOARD.CLAIM c ada "+id))
	require.NoError(t, s.c.Process.Kill())
	s.end()
	require.Contains(t, must(t, "awards", "--dir", dir, "--state", "granted", "--format", "csv"), id)
	fails(t, 1, "board: the award has been granted", "claim", "--dir", dir, "c", "ada", id)
	s = startServer(t, "--dir", dir, "--users", users)
	c = call(t, "tcp", s.addr)
	require.Equal(t, "+OK", c.says(t, "AUTH all one"))
	require.Equal(t, "-ERR board: the award has been granted: "+id, c.says(t, "BOARD.CLAIM c ada "+id))
}
