package resp

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/board/window"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/testclock"
)

var record = flag.Bool("record", false, "write the replies into testdata/boards.txt and testdata/awards.txt and so on")

// flat writes a raw reply in one line.
func flat(reply string) string {
	return strings.TrimSuffix(strings.ReplaceAll(reply, "\r\n", " "), " ")
}

// arena starts a server with two boards, on 20 November 2026, 12:00.
func arena(t *testing.T) (*peer, *testclock.Clock, *local.Boards) {
	clock := testclock.New()
	p, boards := withBoards(t, engine.Options{Clock: clock.Now}, Options{})
	_, err := boards.Define(t.Context(), board.Spec{Name: "arena", MaxMeta: 10, Windows: []board.Window{board.All, {Kind: "day", Keep: 1}}})
	require.NoError(t, err)
	_, err = boards.Define(t.Context(), board.Spec{Name: "cup/race", Op: board.Last,
		Columns: []board.Column{{Name: "time", Kind: board.Float64, Order: board.Asc}, {Name: "laps", Min: value(0), Max: value(1000)}}})
	require.NoError(t, err)
	return p, clock, boards
}

// value returns a bound of a column.
func value(n int64) *board.Value {
	v := board.Int(n)
	return &v
}

// TestBoardCommands compares replies and refusals of all commands BOARD.* with testdata/boards.txt. A line "2> command" is sent in RESP2,
// "3> command" in RESP3, and the reply follows it, raw, with blanks for the ends of lines. "tick" moves the clock to midnight, or by 12 hours.
func TestBoardCommands(t *testing.T) {
	p, clock, boards := arena(t)
	playBoards(t, "testdata/boards.txt", p, clock, boards)
}

// TestAwardCommands compares replies and refusals of the commands about awards with testdata/awards.txt, in the same way. Days of "pay" are delivered, but
// for the award of bea, which fails; those of "cup/day" are claimed within 12 hours.
func TestAwardCommands(t *testing.T) {
	p, clock, boards := arena(t)
	tiers := []awards.Tier{{Name: "gold", From: 1, Payload: "100 coins"}, {Name: "played", Everyone: true, Payload: "1 coin"}}
	_, err := boards.Define(t.Context(), board.Spec{Name: "pay", Windows: []board.Window{board.Day}, Awards: []awards.Plan{{Window: "day", Tiers: tiers}}})
	require.NoError(t, err)
	_, err = boards.Define(t.Context(), board.Spec{Name: "cup/day", Windows: []board.Window{board.Day}, Awards: []awards.Plan{
		{Window: "day", Stack: true, Claim: true, Expires: window.Duration(12 * time.Hour), Tiers: tiers}}})
	require.NoError(t, err)
	require.NoError(t, boards.Deliver("pay", "day", local.Delivery{Grant: func(_ context.Context, _ *engine.Tx, a awards.Award) error {
		if a.Member == "bea" {
			return errors.New("no wallet")
		}
		return nil
	}}))
	playBoards(t, "testdata/awards.txt", p, clock, boards)
}

// TestLeagueCommands compares replies and refusals of BOARD.LEAGUE, TIER and SETTIER with testdata/leagues.txt, in the same way.
func TestLeagueCommands(t *testing.T) {
	p, clock, boards := arena(t)
	_, err := boards.Define(t.Context(), board.Spec{Name: "cup", Windows: []board.Window{board.Day},
		Leagues: &board.Leagues{Window: "day", Tiers: []string{"low", "high"}, Size: 2, Up: 1, Bands: []int64{10}}})
	require.NoError(t, err)
	playBoards(t, "testdata/leagues.txt", p, clock, boards)
}

// TestGroupCommands compares replies and refusals of the commands GROUP.* with testdata/groups.txt, in the same way. "arena/guilds" follows "arena".
func TestGroupCommands(t *testing.T) {
	p, clock, boards := arena(t)
	_, err := boards.DefineGroups(t.Context(), "guild")
	require.NoError(t, err)
	_, err = boards.Define(t.Context(), board.Spec{Name: "arena/guilds", Derived: &board.Derived{From: "arena", Groups: "guild"}})
	require.NoError(t, err)
	playBoards(t, "testdata/groups.txt", p, clock, boards)
}

// TestGroupsWhole: the members of one GROUP.JOIN join all or not at all, and it takes no more than one commit can have.
func TestGroupsWhole(t *testing.T) {
	p, _, boards := arena(t)
	g, err := boards.DefineGroups(t.Context(), "guild")
	require.NoError(t, err)
	require.NoError(t, g.Create(t.Context(), "wolves", nil))
	words := []string{"group.join", "guild"}
	for i := range 256 {
		words = append(words, fmt.Sprint("m", i), "wolves")
	}
	require.Equal(t, "-ERR 257 members, want at most 256 at a time\r\n", p.do(append(words, "ada", "wolves")...))
	members := func() int {
		all, err := g.All(t.Context())
		require.NoError(t, err)
		return all[0].Members
	}
	require.NoError(t, g.Join(t.Context(), "m255", "wolves"))
	require.Contains(t, p.do(words...), "-ERR members 0 to 255 of the list: board: member is in a group already")
	require.Equal(t, 1, members())
	require.NoError(t, g.Leave(t.Context(), "m255"))
	require.Equal(t, ":256\r\n", p.do(words...))
	require.Equal(t, 256, members())
}

// TestModerationCommands compares replies and refusals of the commands of moderators with testdata/moderation.txt, in the same way.
func TestModerationCommands(t *testing.T) {
	p, clock, boards := arena(t)
	_, err := boards.Define(t.Context(), board.Spec{Name: "pay", Journal: 100, Windows: []board.Window{board.All, board.Day}, Awards: []awards.Plan{
		{Window: "day", Claim: true, Tiers: []awards.Tier{{Name: "gold", From: 1, Payload: "100 coins"}}}}})
	require.NoError(t, err)
	_, err = boards.DefineGroups(t.Context(), "guild")
	require.NoError(t, err)
	playBoards(t, "testdata/moderation.txt", p, clock, boards)
}

// TestModerators: only users who may moderate ban and read the audit log, which names them.
func TestModerators(t *testing.T) {
	clock := testclock.New()
	p, boards := withBoards(t, engine.Options{Clock: clock.Now}, Options{Users: []User{{Name: "root", Password: "pw"},
		{Name: "look", Password: "pw", Kind: ReadUser}, {Name: "game", Password: "pw", Kind: WriteUser}, {Name: "mod", Password: "pw", Kind: ModerateUser}}})
	_, err := boards.Define(t.Context(), board.Spec{Name: "b"})
	require.NoError(t, err)
	commands := []string{"BOARD.BAN b ada DRYRUN", "BOARD.AUDIT b", "BOARD.AUDIT b ENTRY 1", "BOARD.JOBS b"}
	for _, name := range []string{"look", "game"} {
		require.Equal(t, "+OK\r\n", p.line("AUTH "+name+" pw"))
		for _, line := range commands {
			command, _, _ := strings.Cut(line, " ")
			require.Equal(t, "-NOPERM this user has no permissions to run the '"+strings.ToLower(command)+"' command\r\n", p.line(line), name)
		}
	}
	require.Contains(t, p.line("BOARD.SUBMIT b ada 1"), "*4")
	for _, name := range []string{"mod", "root"} {
		require.Equal(t, "+OK\r\n", p.line("AUTH "+name+" pw"))
		require.Contains(t, p.line("BOARD.BAN b "+name+"ned"), "entry")
		for _, line := range commands {
			require.NotContains(t, p.line(line), "NOPERM", name)
		}
	}
	require.Contains(t, p.line("BOARD.AUDIT b BY mod"), "modned")
	require.NotContains(t, p.line("BOARD.AUDIT b BY mod"), "rootned")
	require.Contains(t, p.line("SAVE"), "nothing can be saved")
	require.Equal(t, "+OK\r\n", p.line("AUTH mod pw"))
	require.Contains(t, p.line("SAVE"), "-NOPERM")
	require.Contains(t, p.line("MULTI"), "OK")
	require.Contains(t, p.line("BOARD.BAN b eve"), "not allowed inside a transaction")
}

// hash is a salted hash of the name of an erased member: another one in every run.
var hash = regexp.MustCompile(`\b[0-9a-f]{64}\b`)

func playBoards(t *testing.T, path string, p *peer, clock *testclock.Clock, boards *local.Boards) {
	t.Helper()
	three := p.another()
	three.line("HELLO 3")
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	var got strings.Builder
	commands := 0
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		how, command, _ := strings.Cut(line, "> ")
		switch {
		case line == "tick":
			clock.Add(12 * time.Hour)
			_, err := boards.SettleDue(t.Context())
			require.NoError(t, err)
			fmt.Fprintln(&got, line)
		case how == "2":
			fmt.Fprintf(&got, "%s\n%s\n", line, hash.ReplaceAllString(flat(p.line(command)), "HASH"))
			commands++
		case how == "3":
			fmt.Fprintf(&got, "%s\n%s\n", line, hash.ReplaceAllString(flat(three.line(command)), "HASH"))
			commands++
		}
	}
	if *record {
		require.NoError(t, os.WriteFile(path, []byte(got.String()), 0o600))
	}
	require.Equal(t, string(text), got.String())
	t.Logf("%d commands", commands)
}

// TestNoBoards: on a server without boards BOARD.INFO and BOARD.LIST list none, and the other commands refuse every name.
func TestNoBoards(t *testing.T) {
	p := startServer(t, engine.Options{}, Options{})
	require.Equal(t, "*0\r\n", p.line("BOARD.INFO"))
	require.Equal(t, "*0\r\n", p.line("BOARD.LIST"))
	require.Equal(t, "*0\r\n", p.line("GROUP.LIST"))
	for _, line := range []string{"GROUP.LIST guild", "GROUP.JOIN guild ada wolves", "GROUP.OF guild ada"} {
		require.Equal(t, "-ERR no such kind of groups 'guild'\r\n", p.line(line))
	}
	require.Equal(t, "-ERR the server has no boards\r\n", p.line("GROUP.DEFINE guild"))
	for _, line := range []string{"BOARD.INFO arena", "BOARD.TOP arena all 1", "BOARD.SUBMIT arena ada 1", "BOARD.PERIODS arena all",
		"BOARD.REMOVE arena ada", "BOARD.AWARDS arena day 2026-11-20", "BOARD.CLAIM arena ada", "BOARD.LEAGUE arena ada", "BOARD.TIER arena ada", "BOARD.SETTIER arena ada gold", "BOARD.BAN arena ada", "BOARD.UNBAN arena ada", "BOARD.REVERT arena ada ROW 1",
		"BOARD.AUDIT arena", "BOARD.AUDIT arena ENTRY 1", "BOARD.JOBS arena", "BOARD.MEMBER arena ada", "BOARD.ERASE arena ada",
		"BOARD.RENAME arena ada eva", "BOARD.MERGE arena ada eva"} {
		require.Equal(t, "-ERR no such board 'arena'\r\n", p.line(line))
	}
}

// TestSubmitters: clients submit to a board whose hours end meanwhile. The all-time sum has every result once, and each hour has the results
// whose replies named it.
func TestSubmitters(t *testing.T) {
	p, clock, boards := arena(t)
	_, err := boards.Define(t.Context(), board.Spec{Name: "sum", Op: board.Sum, Windows: []board.Window{board.All, board.Hour}})
	require.NoError(t, err)
	const clients, results = 4, 60
	answered := make(chan string, clients*results)
	var done sync.WaitGroup
	for i := range clients {
		q := p.another()
		done.Go(func() {
			for range results {
				clock.Add(time.Minute)
				answered <- q.do("board.submit", "sum", fmt.Sprint("m", i), "1")
			}
		})
	}
	done.Wait()
	close(answered)
	hours := map[string]int{}
	for reply := range answered {
		reply := flat(reply)
		_, after, found := strings.Cut(reply, "$6 window $4 hour $6 period $13 ")
		require.True(t, found, reply)
		hours[after[:13]]++
	}
	require.Greater(t, len(hours), 2)
	counted := 0
	for hour, want := range hours {
		b, err := boards.Board(t.Context(), "sum")
		require.NoError(t, err)
		r, err := b.Period(t.Context(), "hour", hour)
		require.NoError(t, err)
		rows, err := r.Top(t.Context(), clients)
		require.NoError(t, err)
		sum := 0
		for _, row := range rows {
			sum += int(row.Score.At(0).Float())
		}
		require.Equal(t, want, sum, hour)
		counted += sum
	}
	require.Equal(t, clients*results, counted)
	require.Equal(t, fmt.Sprintf(":%d\r\n", results), strings.SplitAfter(p.line("BOARD.RANK sum all m0"), "m0\r\n")[1])
	t.Logf("%d results in %d hours", counted, len(hours))
}

// TestClaimers: of several clients that claim the same awards at once, each award is granted to one, and all others are told so.
func TestClaimers(t *testing.T) {
	p, clock, boards := arena(t)
	b, err := boards.Define(t.Context(), board.Spec{Name: "cup", Windows: []board.Window{board.Day}, Awards: []awards.Plan{
		{Window: "day", Claim: true, Tiers: []awards.Tier{{Name: "played", Everyone: true, Payload: "1"}}}}})
	require.NoError(t, err)
	const clients, members = 4, 50
	for i := range members {
		_, err := b.Submit(t.Context(), board.Submission{Member: fmt.Sprint("m", i), Score: board.Ints(int64(i))})
		require.NoError(t, err)
	}
	clock.Add(12 * time.Hour)
	_, err = boards.SettleDue(t.Context())
	require.NoError(t, err)
	var granted, refused atomic.Int64
	var done sync.WaitGroup
	for range clients {
		q := p.another()
		done.Go(func() {
			for i := range members {
				member := fmt.Sprint("m", i)
				switch reply := q.do("board.claim", "cup", member, "cup/day/2026-11-20/1/"+member); {
				case strings.Contains(reply, "granted") && reply[0] == '*':
					granted.Add(1)
				case strings.HasPrefix(reply, "-ERR board: the award has been granted"):
					refused.Add(1)
				}
			}
		})
	}
	done.Wait()
	require.EqualValues(t, members, granted.Load())
	require.EqualValues(t, members*(clients-1), refused.Load())
	require.Equal(t, "*0\r\n", p.line("BOARD.AWARDS cup day 2026-11-20 STATE waiting"))
}
