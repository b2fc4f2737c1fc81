package board

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board/internal/boardkey"
	"github.com/zrankdb/zrank/engine/board/window"
)

// TestMigrate: every part of a spec can change, in every kept period and every baseline.
func TestMigrate(t *testing.T) {
	for _, durable := range []bool{false, true} {
		g := newGame(t, durable)
		b := g.define(Spec{Name: "arena", Op: Last, MaxMeta: 5, Windows: []Window{Day, All}})
		for i, member := range []string{"ada", "bob", "cyd", "dan"} {
			_, err := b.Submit(Submission{Member: member, Score: Ints(int64(i / 2)), Meta: []byte(member)})
			require.NoError(t, err)
		}
		require.NoError(t, b.SaveBaseline(t.Context(), "day", "x"))
		g.jump(24 * time.Hour)
		g.closeDue(1)
		g.score(b, "ada", 9)
		g.migrate(Spec{Name: "arena", Op: Sum, Ties: LastToReach, MaxMeta: 5, Columns: []Column{{Order: Asc}}, Windows: []Window{Day, Week}})
		require.Equal(t, 2, b.Version())
		require.Equal(t, `bob 0 "bob", ada 0 "ada", dan 1 "dan", cyd 1 "cyd"`, g.period(b, "day", "2026-11-20"), "order and ties are reversed")
		require.Equal(t, "bob 0, ada 0, dan 1, cyd 1", g.show(b.Baseline("day", "x")))
		require.Equal(t, "ada 9", g.live(b, "day"))
		require.Equal(t, "", g.live(b, "week"), "new ones are empty")
		_, err := b.Live("all")
		require.ErrorIs(t, err, ErrNoWindow)
		require.NotContains(t, g.privates(""), boardkey.Window("arena", "all"))
		c := g.score(b, "ada", 1)
		require.Equal(t, Ints(10), c.After.Score)
		require.Equal(t, Ints(1), c.Others[0].After.Score)
		_, err = b.Submit(Submission{Member: "ada", Score: Ints(1), At: g.clock.Now().Add(-24 * time.Hour)})
		require.ErrorIs(t, err, ErrPeriodClosed, "what is closed stays closed")

		columns := []Column{{Name: "bonus", Min: new(Int(3))}, {Name: "score", Kind: Float64}}
		g.migrate(Spec{Name: "arena", Op: Best, Columns: columns, Windows: []Window{Day, All}})
		require.Equal(t, "cyd 3 1.0, dan 3 1.0, ada 3 0.0, bob 3 0.0", g.period(b, "day", "2026-11-20"))
		require.Equal(t, "ada 3 10.0", g.live(b, "day"))
		require.Equal(t, "", g.live(b, "all"), "what a window had that was gone does not come back")
		require.Len(t, g.sets(), 3)
		columns[0].Name = "extra" // one column goes, one comes
		g.migrate(Spec{Name: "arena", Op: Best, Columns: columns[:1], Windows: []Window{Day}})
		require.Equal(t, "ada 3", g.live(b, "day"))
		r, err := b.LastClosed("day")
		require.NoError(t, err)
		require.True(t, r.Info().Closed)
		require.Equal(t, 4, b.Version())
		if durable {
			g.reopen()
			require.Equal(t, "ada 3", g.live(g.board("arena"), "day"))
		}
	}
}

// TestMigrateArrivals: members that reached a score in the same microsecond keep the order in which they came, through migrations
// and with those that come later.
func TestMigrateArrivals(t *testing.T) {
	g := newGame(t, true)
	spec := counting("arena")
	b := g.define(spec)
	for i := range 300 {
		g.score(b, fmt.Sprintf("%03d", (i*7)%300), 1)
	}
	for _, ties := range []Ties{LastToReach, FirstToReach, LastToReach} {
		spec.Ties = ties
		g.migrate(spec)
		n := b.Version()
		g.score(b, fmt.Sprint("new", n), 1)
		r, err := b.Live("all")
		require.NoError(t, err)
		rows, err := r.Top(1000)
		require.NoError(t, err)
		for i, row := range rows {
			if ties == LastToReach {
				i = len(rows) - 1 - i
			}
			want := fmt.Sprint("new", i-298)
			if i < 300 {
				want = fmt.Sprintf("%03d", (i*7)%300)
			}
			require.Equal(t, want, row.Member)
		}
	}
}

// TestMigrateImpossible: an entry that cannot be converted leaves the board as it is, and the error names the entry.
func TestMigrateImpossible(t *testing.T) {
	g := newGame(t, true)
	b := g.define(Spec{Name: "arena", Columns: []Column{{Kind: Float64}}, Windows: []Window{Day, All}})
	_, err := b.Submit(Submission{Member: "ada", Score: Floats(1.5)})
	require.NoError(t, err)
	before, err := dump(g.bs)
	require.NoError(t, err)
	sets, privates := g.sets(), g.privates("")
	wrong := new(ScoreError)
	_, err = g.bs.Migrate(t.Context(), Spec{Name: "arena", Windows: []Window{Day, All}})
	require.ErrorIs(t, err, ErrSpec)
	require.ErrorAs(t, err, &wrong)
	require.ErrorContains(t, err, `member "ada"`)
	_, err = g.bs.Migrate(t.Context(), Spec{Name: "arena", Columns: []Column{{Kind: Float64, Max: new(Float(1))}}, Windows: []Window{All, Day}})
	require.ErrorIs(t, err, ErrBounds)
	_, err = g.bs.Migrate(t.Context(), Spec{Name: "arena", Columns: []Column{{Kind: Float64}}, Windows: []Window{All, {Kind: window.Day, Zone: "Asia/Tokyo"}}})
	require.ErrorIs(t, err, ErrSpec)
	_, err = g.bs.Migrate(t.Context(), Spec{Name: "nobody"})
	require.ErrorIs(t, err, ErrNoBoard)
	_, err = g.bs.Migrate(t.Context(), Spec{})
	require.ErrorIs(t, err, ErrSpec)
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = g.bs.Migrate(gone, Spec{Name: "arena", Op: Sum, Columns: []Column{{Kind: Float64}}})
	require.ErrorIs(t, err, context.Canceled)
	same, err := g.bs.Migrate(t.Context(), b.Spec())
	require.NoError(t, err)
	require.Same(t, b, same)
	after, err := dump(g.bs)
	require.NoError(t, err)
	require.Equal(t, before, after)
	require.Equal(t, sets, g.sets())
	require.Equal(t, privates, g.privates(""))
}

// traffic is submissions and reads that go on while a board is being migrated.
type traffic struct {
	*game
	b                  *Board
	acks               acknowledged
	stop               atomic.Bool
	wg                 sync.WaitGroup
	taken, told, stale atomic.Int64
	reads              atomic.Int64
}

func (x *traffic) submits(who int) {
	for n := 0; !x.stop.Load(); n++ {
		member := fmt.Sprint("m", who, n%50)
		sub := Submission{Member: member, Score: Ints(1), At: x.clock.Now().Add(-time.Duration(n%10) * time.Hour)}
		c, err := submitSomehow(x.game, x.b, sub, n%2 == 0)
		switch {
		case errors.Is(err, ErrMigrating):
			x.told.Add(1)
		case err != nil:
			x.t.Error(err)
			return
		default:
			x.taken.Add(1)
			x.acks.add(c.Move, member)
			x.acks.add(c.Others[0], member)
		}
	}
}

func (x *traffic) looks() {
	for !x.stop.Load() {
		r, err := x.b.Live("day")
		n := 0
		if err == nil {
			n, err = r.Len()
		}
		if errors.Is(err, ErrMigrating) {
			x.stale.Add(1)
		} else if err != nil || n < 500 {
			x.t.Error(n, err)
			return
		}
		x.reads.Add(1)
	}
}

// TestMigrateWhileSubmitting: submissions wait or, in a transaction, are told, and none is lost or counted twice; what readers see is
// the old board or the new; rankings from before say so.
func TestMigrateWhileSubmitting(t *testing.T) {
	x := &traffic{game: newGame(t, true)}
	spec := counting("arena", Day, Window{Kind: window.Hour, Grace: window.Duration(100 * time.Hour)})
	x.b = x.define(spec)
	for i := range 500 {
		member := fmt.Sprint("there", i)
		c := x.score(x.b, member, 1)
		x.acks.add(c.Move, member)
		x.acks.add(c.Others[0], member)
	}
	for i := range 3 {
		x.wg.Go(func() { x.submits(i) })
	}
	x.wg.Go(x.looks)
	migrations := howMany(24)
	for i := range migrations {
		for before := x.taken.Load() + 50; x.taken.Load() < before && !t.Failed(); {
			runtime.Gosched()
		}
		spec.Ties = []Ties{FirstToReach, LastToReach, ByMember}[i%3]
		spec.Columns = []Column{{Order: []Order{Asc, Desc}[i%2]}}
		x.migrate(spec)
	}
	x.stop.Store(true)
	x.wg.Wait()
	usage, err := x.b.Usage()
	require.NoError(t, err)
	for _, u := range usage {
		r, err := x.b.Period(u.Window, u.Period)
		require.NoError(t, err)
		x.acks.require(t, r)
	}
	require.Equal(t, 1+migrations, x.b.Version())
	require.Len(t, x.sets(), len(usage))
	t.Logf("%d migrations of %d periods, %d submissions; %d transactions were told, %d of %d reads came with an old ranking",
		migrations, len(usage), x.taken.Load(), x.told.Load(), x.stale.Load(), x.reads.Load())
}

// submitSomehow submits alone, or in a transaction.
func submitSomehow(g *game, b *Board, sub Submission, alone bool) (c Change, err error) {
	if alone {
		return b.Submit(sub)
	}
	keys, err := b.Keys(nil, sub)
	if err != nil {
		return c, err
	}
	err = g.e.Update(keys, func(tx *engine.Tx) (err error) {
		c, err = b.In(tx).Submit(sub)
		return err
	})
	return c, err
}

// TestMigrateStalled: a board has the new spec if the commit returns ErrStalled and is visible to readers.
func TestMigrateStalled(t *testing.T) {
	for wait := range 12 {
		synctest.Test(t, func(t *testing.T) {
			disk := &sluggish{}
			g := newGame(t, true, sluggishly(disk))
			b := g.define(counting("arena", Day))
			g.score(b, "ada", 3)
			disk.skip.Store(int64(wait))
			disk.delay.Store(int64(time.Minute))
			_, err := g.bs.Migrate(t.Context(), Spec{Name: "arena", Op: Last, Windows: []Window{Day, All}})
			time.Sleep(2 * time.Minute)
			disk.delay.Store(0)
			time.Sleep(2 * time.Minute)
			if err != nil {
				require.ErrorIs(t, err, engine.ErrStalled)
			}
			require.Equal(t, "ada 3", g.live(b, "day"))
			version := b.Version()
			_, err = g.bs.Migrate(t.Context(), Spec{Name: "arena", Op: Min, Windows: []Window{Day, Hour}})
			require.NoError(t, err)
			require.Equal(t, version+1, b.Version())
			g.cut(0, 1)
			require.Equal(t, "ada 3", g.live(g.board("arena"), "day"))
			require.NoError(t, nothingLeft(g.bs))
		})
	}
}

// TestMigrateCrash cuts the power before every write of a migration of many periods, open and closed, with a window that goes: the
// board is the old one or the new, and nothing is left of the other.
func TestMigrateCrash(t *testing.T) {
	c := &crasher{}
	g := newGame(t, true, crashing(c))
	b := g.define(Spec{Name: "arena", MaxMeta: 5, BestRanks: true, Windows: []Window{Day, Hour, All}})
	for i := range 12 {
		_, err := b.Submit(Submission{Member: fmt.Sprint("m", i%5), Score: Ints(int64(i)), Meta: []byte("M")})
		require.NoError(t, err)
		if g.jump(5 * time.Hour); i%4 != 0 {
			continue
		}
		require.NoError(t, b.SaveBaseline(t.Context(), "all", fmt.Sprint(i)))
		require.NoError(t, g.e.Snapshot())
	}
	_, err := g.bs.CloseDue()
	require.NoError(t, err)
	before, err := dump(g.bs)
	require.NoError(t, err)
	c.take()
	g.migrate(Spec{Name: "arena", Op: Sum, MaxMeta: 5, BestRanks: true, Columns: []Column{{Order: Asc}}, Windows: []Window{Week, All, Day}})
	after, err := dump(g.bs)
	require.NoError(t, err)
	old, next := g.recoveredAs(t, c, before, after)
	t.Logf("%d crash points: %d times the old board, %d times the new", old+next, old, next)
}
