package move

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/audit"
	"github.com/zrankdb/zrank/board/cluster"
	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/redistest"
	"github.com/zrankdb/zrank/internal/testclock"
	"github.com/zrankdb/zrank/persist"
)

// place is an engine with boards.
type place struct {
	*local.Boards
	e *engine.Engine
}

func newPlace(t *testing.T, clock *testclock.Clock) place {
	return openPlace(t, engine.Options{Clock: clock.Now})
}

// openPlace returns an engine with boards, on a disk in memory. It takes no snapshots by itself.
func openPlace(t *testing.T, o engine.Options) place {
	o.FS, o.SnapshotBytes = persist.MemFS(), -1
	e, err := engine.Open("db", o)
	require.NoError(t, err)
	bs, err := local.Open(e, local.Options{})
	require.NoError(t, err)
	t.Cleanup(func() {
		require.NoError(t, bs.Close())
		require.NoError(t, e.Close())
	})
	return place{bs, e}
}

// movables are boards that can move.
var movables = map[string]board.Spec{
	"sum":  {Name: "arena", Op: board.Sum, Windows: []board.Window{board.All, board.Day, {Kind: "hour", Keep: 3}}, MaxMeta: 16},
	"best": {Name: "arena", Columns: []board.Column{{Name: "points"}, {Name: "deaths", Order: board.Asc}}, Windows: []board.Window{board.All, board.Week}},
	"kept": {Name: "arena", Op: board.BestOf, K: 3, Windows: []board.Window{board.All, board.Day}},
	"wide": {Name: "arena", Op: board.Sum, Columns: []board.Column{{Name: "a"}, {Name: "b", Op: board.Max}}, Ties: board.LastToReach, Windows: []board.Window{board.All, board.Day}},
}

// play makes random submissions, as time goes by: some arrive in one microsecond if their order counts then.
func play(t *testing.T, clock *testclock.Clock, rng *rand.Rand, b twice, n int) {
	for i := range n {
		if b.apart {
			clock.Add(time.Microsecond)
		}
		if rng.IntN(3) > 0 {
			clock.Add(time.Duration(rng.IntN(20_000_000)) * time.Microsecond)
		}
		score := board.Ints(rng.Int64N(50))
		if len(b.Spec().Columns) > 1 {
			score = board.Ints(rng.Int64N(10), rng.Int64N(3))
		}
		s := board.Submission{Member: fmt.Sprint("m", rng.IntN(300)), Score: score}
		if b.Spec().MaxMeta > 0 && rng.IntN(4) == 0 {
			s.Meta = fmt.Append(nil, rng.IntN(1000))
		}
		if rng.IntN(4) == 0 {
			s.Once = fmt.Sprint("once", i)
		}
		_, err := b.Submit(t.Context(), s)
		if errors.Is(err, board.ErrBanned) {
			err = nil
		}
		require.NoError(t, err)
		if rng.IntN(25) == 0 {
			b.moderate(rng.IntN(4), fmt.Sprint("m", rng.IntN(300)))
		}
		switch rng.IntN(40) {
		case 0:
			_, err = b.Remove(t.Context(), fmt.Sprint("m", rng.IntN(300)))
		case 1:
			if row, ok, _ := b.rankOf(s.Member); ok && b.Spec().MaxMeta > 0 && row.Rank > 0 {
				err = b.SetMeta(t.Context(), "all", s.Member, fmt.Append(nil, "set", i))
			}
		}
		require.NoError(t, err)
	}
}

// contents is all rankings of a board, with their descriptions but the moment of closing, which is in closedAt.
type contents struct {
	all      map[string]any
	closedAt map[string]time.Time
}

// everything returns the contents of a board.
func everything(t *testing.T, b board.Board) contents {
	c := contents{map[string]any{}, map[string]time.Time{}}
	for e, err := range b.(moderated).Audit(t.Context(), audit.Filter{}) {
		require.NoError(t, err)
		e.Parts = 0
		c.all[fmt.Sprint("audit ", e.Number)] = e
	}
	for _, w := range b.Spec().Windows {
		periods, err := b.Periods(t.Context(), w.Name)
		require.NoError(t, err)
		for _, p := range periods {
			r, err := b.Period(t.Context(), w.Name, p.Period)
			require.NoError(t, err)
			rows, err := r.Top(t.Context(), 1000)
			require.NoError(t, err)
			name := w.Name + "/" + p.Period
			c.closedAt[name], p.ClosedAt = p.ClosedAt, time.Time{}
			c.all[name] = []any{p.Info, p.Members, rows}
		}
	}
	return c
}

// site is where boards can be: what the tests need of it.
type site interface {
	Boards
	store() board.Store
	check(t *testing.T)
	apart() bool // equals of one microsecond rank by name
}

func (p place) store() board.Store { return p.Boards }

func (p place) check(t *testing.T) {
	report, err := p.Check(t.Context(), nil)
	require.NoError(t, err)
	require.Empty(t, report.Problems)
}

func (place) apart() bool { return false }

// servers is boards on a cluster.
type servers struct {
	*cluster.Boards
	prefix     string
	partitions int
}

func (s servers) apart() bool { return s.partitions > 1 }

func (s servers) store() board.Store { return s.Boards }

func (servers) check(*testing.T) {}

// prefixes makes the keys of each test others.
var prefixes atomic.Int64

func newServers(t *testing.T, client redis.UniversalClient, clock *testclock.Clock, partitions int) servers {
	prefix := fmt.Sprint("test", prefixes.Add(1), ":")
	b, err := cluster.Open(client, cluster.Options{Prefix: prefix, Partitions: partitions, Clock: clock.Now})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, b.Close()) })
	return servers{b, prefix, partitions}
}

// server returns a client of a server that ends with the test, or skips the test.
func server(t *testing.T) redis.UniversalClient {
	s, err := redistest.Start(t.TempDir(), 1)
	if errors.Is(err, redistest.ErrNone) {
		t.Skip("SKIPPED: there is no redis-server, so nothing here is tested")
	}
	require.NoError(t, err)
	t.Cleanup(s.Close)
	client := redis.NewClient(&redis.Options{Addr: s.Addr(0), PoolSize: 40})
	t.Cleanup(func() { require.NoError(t, client.Close()) })
	return client
}

// TestEngines moves boards from one engine to another and back.
func TestEngines(t *testing.T) {
	for name, spec := range movables {
		t.Run(name, func(t *testing.T) {
			clock := testclock.New()
			thereAndBack(t, clock, spec, newPlace(t, clock), newPlace(t, clock))
		})
	}
}

// TestCluster moves boards from an engine to a server and back, with one partition and with three, and from one partition to three.
func TestCluster(t *testing.T) {
	client := server(t)
	for name, spec := range movables {
		for _, partitions := range []int{1, 3} {
			t.Run(fmt.Sprint(name, partitions), func(t *testing.T) {
				clock := testclock.New()
				thereAndBack(t, clock, spec, newPlace(t, clock), newServers(t, client, clock, partitions))
			})
		}
		t.Run(name, func(t *testing.T) {
			clock := testclock.New()
			thereAndBack(t, clock, spec, newServers(t, client, clock, 1), newServers(t, client, clock, 3))
		})
	}
}

// thereAndBack moves a board there and back: everything is there, in the same order, and further submissions have the same answers as those of a board that has not moved.
func thereAndBack(t *testing.T, clock *testclock.Clock, spec board.Spec, here, there site) {
	stays, apart := newPlace(t, clock), here.apart() || there.apart()
	source, err := here.store().Define(t.Context(), spec)
	require.NoError(t, err)
	model, err := stays.Define(t.Context(), spec)
	require.NoError(t, err)
	rng := rand.New(rand.NewPCG(1, 23))
	play(t, clock, rng, twice{t, source, model, apart}, 800)
	for _, s := range []site{here, stays} {
		_, err = s.store().CloseDue(t.Context())
		require.NoError(t, err)
	}
	before := everything(t, source)
	require.Equal(t, everything(t, model).all, before.all)

	report, err := Board(t.Context(), "arena", here, there, Options{})
	require.NoError(t, err)
	require.True(t, report.Finished)
	require.Equal(t, len(before.closedAt), report.Periods)
	for _, call := range []func() error{
		func() error {
			_, err := source.Submit(t.Context(), board.Submission{Member: "ada", Score: board.Ints(make([]int64, max(1, len(spec.Columns)))...)})
			return err
		},
		func() error { _, err := source.Periods(t.Context(), "all"); return err },
		func() error { _, err := source.Live(t.Context(), "all"); return err },
		func() error { _, err := here.store().Board(t.Context(), "arena"); return err },
		func() error { _, err := here.store().Define(t.Context(), spec); return err },
		func() error { _, err := Board(t.Context(), "arena", here, there, Options{}); return err },
	} {
		require.ErrorIs(t, call(), board.ErrRelocated)
	}

	target, err := there.store().Board(t.Context(), "arena")
	require.NoError(t, err)
	require.Equal(t, source.Spec(), target.Spec())
	require.Equal(t, before, everything(t, target))
	play(t, clock, rng, twice{t, target, model, apart}, 800)
	for _, s := range []site{there, stays} {
		_, err = s.store().CloseDue(t.Context())
		require.NoError(t, err)
	}
	require.Equal(t, everything(t, model).all, everything(t, target).all)
	there.check(t)

	_, err = Board(t.Context(), "arena", there, here, Options{})
	require.NoError(t, err)
	again, err := here.store().Board(t.Context(), "arena")
	require.NoError(t, err)
	require.Equal(t, everything(t, model).all, everything(t, again).all)
	play(t, clock, rng, twice{t, again, model, apart}, 200)
	for _, s := range []site{here, stays} {
		_, err = s.store().CloseDue(t.Context())
		require.NoError(t, err)
	}
	require.Equal(t, everything(t, model).all, everything(t, again).all)
	here.check(t)
}

// twice makes each change on two boards, which return the same.
type twice struct {
	t *testing.T
	board.Board
	model board.Board
	apart bool // no two submissions are of one microsecond
}

func (b twice) Submit(ctx context.Context, s board.Submission) (board.Change, error) {
	want, err := b.model.Submit(ctx, s)
	got, other := b.Board.Submit(ctx, s)
	require.Equal(b.t, err == nil, other == nil, "%v, %v", err, other)
	require.Equal(b.t, want, got)
	return got, other
}

func (b twice) rankOf(member string) (board.Row, bool, error) {
	r, err := b.model.Live(context.Background(), "all")
	require.NoError(b.t, err)
	return r.Rank(context.Background(), member)
}

// moderated is a board whose members an operator changes.
type moderated interface {
	Hide(ctx context.Context, member string, a board.Action) (board.Moderated, error)
	Show(ctx context.Context, member string, a board.Action) (board.Moderated, error)
	Ban(ctx context.Context, member string, a board.Action) (board.Moderated, error)
	Unban(ctx context.Context, member string, a board.Action) (board.Moderated, error)
	Audit(ctx context.Context, f audit.Filter) iter.Seq2[audit.Entry, error]
}

// moderate changes a member on both boards.
func (b twice) moderate(what int, member string) {
	a, ctx := board.Action{By: "ops", Reason: "test"}, b.t.Context()
	call := func(m moderated) (board.Moderated, error) {
		switch what {
		case 0:
			return m.Hide(ctx, member, a)
		case 1:
			return m.Show(ctx, member, a)
		case 2:
			return m.Ban(ctx, member, a)
		}
		return m.Unban(ctx, member, a)
	}
	want, err := call(b.model)
	got, other := call(b.Board.(moderated))
	require.Equal(b.t, err == nil, other == nil, "%v, %v", err, other)
	if err == nil { // beside an error the engine has the receipt of the call that has done it already, a cluster none
		require.Equal(b.t, want.Entry, got.Entry)
		require.Len(b.t, got.Places, len(want.Places))
	}
}

func (b twice) Remove(ctx context.Context, member string) ([]board.Removed, error) {
	want, err := b.model.Remove(ctx, member)
	require.NoError(b.t, err)
	got, err := b.Board.Remove(ctx, member)
	require.Equal(b.t, want, got)
	return got, err
}

func (b twice) SetMeta(ctx context.Context, window, member string, meta []byte) error {
	want := b.model.SetMeta(ctx, window, member, meta)
	require.Equal(b.t, want, b.Board.SetMeta(ctx, window, member, meta))
	return nil
}

// TestWhileUsed: callers go on while the board moves there and back, and do not notice. Every submission has counted once.
func TestWhileUsed(t *testing.T) {
	clock := testclock.New()
	t.Run("engines", func(t *testing.T) { whileUsed(t, newPlace(t, clock), newPlace(t, clock)) })
	client := server(t)
	for _, partitions := range []int{1, 3} {
		t.Run(fmt.Sprint(partitions), func(t *testing.T) {
			whileUsed(t, newPlace(t, clock), newServers(t, client, clock, partitions))
		})
	}
	t.Run("servers", func(t *testing.T) { whileUsed(t, newServers(t, client, clock, 2), newServers(t, client, clock, 3)) })
}

// whileUsed moves a board there and back twice.
func whileUsed(t *testing.T, a, b site) {
	total := 0
	for round := range 4 {
		from, to := a, b
		if round%2 == 1 {
			from, to = b, a
		}
		arena, err := Follow(from.store(), to.store()).Define(t.Context(), board.Spec{Name: "arena", Op: board.Sum, Windows: []board.Window{board.All, board.Day}, MaxMeta: 8})
		require.NoError(t, err)
		c := callers{board: arena, round: round}
		c.begin(t)
		report, err := Board(t.Context(), "arena", from, to, Options{})
		total += c.end()
		require.NoError(t, err)
		t.Logf("%+v", report)
		for _, window := range []string{"all", "day"} {
			live, err := arena.Live(t.Context(), window)
			require.NoError(t, err)
			rows, err := live.Top(t.Context(), 1000)
			require.NoError(t, err)
			var sum int64
			for _, row := range rows {
				sum += int64(row.Score.At(0).Float())
			}
			require.EqualValues(t, total, sum, "round %d, %s", round, window)
		}
	}
}

// callers submit until they are told to end.
type callers struct {
	board   board.Board
	round   int
	running sync.WaitGroup
	done    chan struct{}
	counted [4]int
}

// begin returns when some submissions have counted.
func (c *callers) begin(t *testing.T) {
	c.done = make(chan struct{})
	var some sync.WaitGroup
	some.Add(len(c.counted))
	for i := range c.counted {
		c.running.Go(func() {
			for n := 0; ; n++ {
				if n == 50 {
					some.Done()
				}
				if n > 50 && c.isDone() {
					return
				}
				once := fmt.Sprint(c.round, i, "/", n)
				change, err := c.board.Submit(t.Context(), board.Submission{Member: fmt.Sprint("m", n%100), Score: board.Ints(1), Meta: fmt.Append(nil, n), Once: once})
				if err != nil || change.Duplicate {
					t.Error(err, change.Duplicate)
				}
				c.counted[i]++
			}
		})
	}
	some.Wait()
}

func (c *callers) isDone() bool {
	select {
	case <-c.done:
		return true
	default:
		return false
	}
}

// end returns how many submissions have counted.
func (c *callers) end() (n int) {
	close(c.done)
	c.running.Wait()
	for _, counted := range c.counted {
		n += counted
	}
	return n
}
