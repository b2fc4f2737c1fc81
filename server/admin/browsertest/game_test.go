package browsertest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/delayqueue"
	"github.com/zrankdb/zrank/engine/ratelimit"
	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/internal/testclock"
	"github.com/zrankdb/zrank/server/admin"
)

// game is a game of three weeks, always the same: Monday 2 to Friday 20 November 2026, noon.
type game struct {
	t      *testing.T
	clock  *testclock.Clock
	engine *engine.Engine
	boards *local.Boards
	random *rand.Rand
	queue  *delayqueue.Queue
	limits []admin.Limiter
}

const players = 400

var specs = []board.Spec{
	{Name: "arena", Op: board.Sum, Windows: []board.Window{board.Week, board.Day, board.All}, Feed: &board.Feed{}, BestRanks: true,
		Awards: []awards.Plan{
			{Window: "week", Tiers: []awards.Tier{{Name: "champion", From: 1, Payload: "5000 coins"}, {Name: "podium", From: 2, To: 3, Payload: "2000 coins"}, {Name: "top ten", From: 4, To: 10, Payload: "500 coins"}}},
			{Window: "day", Claim: true, Tiers: []awards.Tier{{Name: "daily chest", Percent: 10, Payload: "chest"}}},
		}},
	{Name: "speedrun", Windows: []board.Window{board.All, board.Month}, Columns: []board.Column{{Name: "seconds", Kind: board.Float64, Order: board.Asc}}, Feed: &board.Feed{}},
	{Name: "ladder", Op: board.Last, Windows: []board.Window{board.All}},
	{Name: "guild war", Windows: []board.Window{board.Week}, Derived: &board.Derived{From: "arena", Groups: "guild"}},
}

// newGame plays the game.
func newGame(t *testing.T) *game {
	g := &game{t: t, clock: testclock.New(), random: rand.New(rand.NewPCG(20, 11))}
	today := g.clock.Now()
	g.clock.Set(time.Date(2026, 11, 2, 6, 0, 0, 0, time.UTC))
	var err error
	g.engine, err = engine.Open("data", engine.Options{FS: memfs.New(), Clock: g.clock.Now, MemoryLimit: 256 << 20, DiskReserve: -1})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, g.engine.Close()) })
	g.boards, err = local.Open(g.engine, local.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, g.boards.Close()) })
	g.define()
	g.play(today)
	g.moderate()
	g.work()
	return g
}

// define makes the boards and the guilds.
func (g *game) define() {
	ctx := context.Background()
	guilds, err := g.boards.DefineGroups(ctx, "guild")
	require.NoError(g.t, err)
	for _, s := range specs {
		if s.Derived != nil {
			s.Windows = specs[0].Windows
		}
		_, err := g.boards.Define(ctx, s)
		require.NoError(g.t, err, "%v", err)
		if s.Name == "arena" {
			require.NoError(g.t, g.boards.Deliver(s.Name, "week", local.Delivery{Grant: grant}))
		}
	}
	names := []string{"Night Owls", "Iron Foxes", "The Herons", "Salty Otters", "Quiet Storm"}
	var joining []board.Joining
	for i := range players {
		joining = append(joining, board.Joining{Member: playerName(i), Group: names[i*7%len(names)]})
	}
	for _, name := range names {
		require.NoError(g.t, guilds.Create(ctx, name, nil))
	}
	require.NoError(g.t, guilds.JoinAll(ctx, joining, nil))
}

// grant delivers an award. One member's mailbox is full.
func grant(_ context.Context, _ *engine.Tx, a awards.Award) error {
	if a.Tier == "podium" && a.Rank == 3 {
		return errors.New("mailbox is full")
	}
	return nil
}

// playerName returns the name of a player.
func playerName(i int) string {
	adjectives := []string{"agile", "amber", "bold", "brave", "calm", "clever", "cosmic", "daring", "eager", "fierce", "gentle", "golden", "happy", "jolly", "kind", "lucky", "mighty", "nimble", "quick", "royal"}
	nouns := []string{"badger", "bear", "crane", "dingo", "eagle", "falcon", "gecko", "heron", "ibex", "jaguar", "koala", "lynx", "marmot", "otter", "panda", "puma", "raven", "seal", "tiger", "walrus"}
	return adjectives[i%20] + "-" + nouns[(i/20+i*3)%20]
}

// play lets the days go by.
func (g *game) play(today time.Time) {
	ctx := context.Background()
	for g.clock.Now().Before(today) {
		for range 12 {
			g.match(g.player())
			g.clock.Add(12 * time.Minute)
			if !g.clock.Now().Before(today) {
				break
			}
		}
		_, err := g.boards.SettleDue(ctx)
		require.NoError(g.t, err)
		if g.clock.Now().Hour() >= 23 {
			g.clock.Add(7 * time.Hour)
		}
	}
	arena, err := g.boards.Board(ctx, "arena")
	require.NoError(g.t, err)
	require.NoError(g.t, arena.SaveBaseline(ctx, "week", "noon"))
	g.clock.Set(today.Add(-time.Hour))
	for range 60 {
		g.match(g.player())
		g.clock.Add(time.Minute)
	}
	_, err = g.boards.SettleDue(ctx)
	require.NoError(g.t, err)
	require.NoError(g.t, g.engine.Snapshot())
}

// player draws who plays: some play often.
func (g *game) player() int { return int(float64(players) * g.random.Float64() * g.random.Float64()) }

// goOn plays until the function that it returns is called.
func (g *game) goOn() (stop func()) {
	end, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(500 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				g.match(g.player())
				g.clock.Add(time.Second)
			case <-end:
				return
			}
		}
	}()
	return func() { close(end); <-done }
}

// match is some results of a player and nine others.
func (g *game) match(who int) {
	for i := range 10 {
		p := (who + i*i*7) % players
		g.submit("arena", playerName(p), board.Ints(int64(10+g.random.IntN(90)*(players-p)/players)))
		g.submit("ladder", playerName(p), board.Ints(int64(1200+(players-p)*2+int(g.random.NormFloat64()*90))))
		if i < 3 {
			g.submit("speedrun", playerName(p), board.Floats(float64(int64((41+float64(p)/9+g.random.ExpFloat64()*12)*1000))/1000))
		}
	}
}

func (g *game) submit(at, member string, score board.Score) {
	b, err := g.boards.Board(context.Background(), at)
	require.NoError(g.t, err)
	_, err = b.Submit(context.Background(), board.Submission{Member: member, Score: score})
	if !errors.Is(err, board.ErrBanned) {
		require.NoError(g.t, err, "%s %q", at, member)
	}
}

// count returns in how many periods of a board a member is.
func (g *game) count(at, member string) (n int) {
	b, err := g.boards.Board(context.Background(), at)
	require.NoError(g.t, err)
	m, err := b.Member(context.Background(), member)
	require.NoError(g.t, err)
	for _, w := range m.Windows {
		n += len(w.Places)
	}
	return n
}

// moderate is what moderators have done before.
func (g *game) moderate() {
	ctx := context.Background()
	arena, err := g.boards.Board(ctx, "arena")
	require.NoError(g.t, err)
	for i, x := range []struct{ member, reason string }{{playerName(371), "speed hack, ticket 4711"}, {playerName(388), "sold the account"}} {
		g.submit("arena", x.member, board.Ints(5))
		_, err = arena.Ban(ctx, x.member, board.Action{By: "grace", Reason: x.reason, KeepRanks: i == 0})
		require.NoError(g.t, err)
	}
	_, err = arena.Hide(ctx, playerName(4), board.Action{By: "ada", Reason: "under review"})
	require.NoError(g.t, err)
}

// work fills a queue and uses a limiter.
func (g *game) work() {
	ctx := context.Background()
	var err error
	g.queue, err = delayqueue.Open(g.engine, delayqueue.Spec{Name: "mail", MaxDeliveries: 1})
	require.NoError(g.t, err)
	now := g.clock.Now()
	for i := range 12 {
		require.NoError(g.t, g.queue.Push(ctx, delayqueue.Item{ID: fmt.Sprintf("season-reminder:%d", 4200+i), Due: now.Add(time.Duration(i-3) * time.Hour), Payload: []byte(`{"template":"season-ends"}`)}))
	}
	leases, err := g.queue.Lease(ctx, 1, time.Minute)
	require.NoError(g.t, err)
	require.NoError(g.t, g.queue.Nack(ctx, leases[0], 0))
	limits := []ratelimit.Limit{{Max: 10, Window: time.Second}, {Max: 500, Window: time.Hour}}
	l, err := ratelimit.New(g.engine, ratelimit.Spec{Name: "submissions", Limits: limits})
	require.NoError(g.t, err)
	_, err = l.Allow(ctx, "user:42", 3)
	require.NoError(g.t, err)
	g.limits = []admin.Limiter{{Name: "submissions", Limiter: l, Limits: limits}}
}
