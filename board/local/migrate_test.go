package local

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

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/window"
	"github.com/zrankdb/zrank/engine"
)

// TestMigrate: every part of a spec can change, in every kept period and every baseline.
func TestMigrate(t *testing.T) {
	for _, durable := range []bool{false, true} {
		g := newGame(t, durable)
		b := g.define(board.Spec{Name: "arena", Op: board.Last, MaxMeta: 5, Windows: []board.Window{board.Day, board.All}})
		for i, member := range []string{"ada", "bob", "cyd", "dan"} {
			_, err := b.Submit(t.Context(), board.Submission{Member: member, Score: board.Ints(int64(i / 2)), Meta: []byte(member)})
			require.NoError(t, err)
		}
		require.NoError(t, b.SaveBaseline(t.Context(), "day", "x"))
		g.jump(24 * time.Hour)
		g.closeDue(1)
		g.score(b, "ada", 9)
		g.migrate(board.Spec{Name: "arena", Op: board.Sum, Ties: board.LastToReach, MaxMeta: 5, Columns: []board.Column{{Order: board.Asc}}, Windows: []board.Window{board.Day, board.Week}})
		require.Equal(t, 2, b.Version())
		require.Equal(t, `bob 0 "bob", ada 0 "ada", dan 1 "dan", cyd 1 "cyd"`, g.period(b, "day", "2026-11-20"), "order and ties are reversed")
		require.Equal(t, "bob 0, ada 0, dan 1, cyd 1", g.show(b.Baseline(t.Context(), "day", "x")))
		require.Equal(t, "ada 9", g.live(b, "day"))
		require.Equal(t, "", g.live(b, "week"), "new ones are empty")
		_, err := b.Live(t.Context(), "all")
		require.ErrorIs(t, err, board.ErrNoWindow)
		require.NotContains(t, g.privates(""), boardkey.Window("arena", "all"))
		c := g.score(b, "ada", 1)
		require.Equal(t, board.Ints(10), c.After.Score)
		require.Equal(t, board.Ints(1), c.Others[0].After.Score)
		_, err = b.Submit(t.Context(), board.Submission{Member: "ada", Score: board.Ints(1), At: g.clock.Now().Add(-24 * time.Hour)})
		require.ErrorIs(t, err, board.ErrPeriodClosed, "a closed period stays closed")

		columns := []board.Column{{Name: "bonus", Min: new(board.Int(3))}, {Name: "score", Kind: board.Float64}}
		g.migrate(board.Spec{Name: "arena", Op: board.Best, Columns: columns, Windows: []board.Window{board.Day, board.All}})
		require.Equal(t, "cyd 3 1.0, dan 3 1.0, ada 3 0.0, bob 3 0.0", g.period(b, "day", "2026-11-20"))
		require.Equal(t, "ada 3 10.0", g.live(b, "day"))
		require.Equal(t, "", g.live(b, "all"), "a window that is added again is empty")
		require.Len(t, g.sets(), 3)
		columns[0].Name = "extra" // the migration drops the columns and adds this one
		g.migrate(board.Spec{Name: "arena", Op: board.Best, Columns: columns[:1], Windows: []board.Window{board.Day}})
		require.Equal(t, "ada 3", g.live(b, "day"))
		r, err := b.LastClosed(t.Context(), "day")
		require.NoError(t, err)
		require.True(t, infoOf(r).Closed)
		require.Equal(t, 4, b.Version())
		if durable {
			g.reopen()
			require.Equal(t, "ada 3", g.live(g.board("arena"), "day"))
		}
	}
}

// TestMigrateArrivals: members that reached a score in the same microsecond keep their order of arrival through migrations, and come before
// members that arrive later.
func TestMigrateArrivals(t *testing.T) {
	g := newGame(t, true)
	spec := counting("arena")
	b := g.define(spec)
	for i := range 300 {
		g.score(b, fmt.Sprintf("%03d", (i*7)%300), 1)
	}
	for _, ties := range []board.Ties{board.LastToReach, board.FirstToReach, board.LastToReach} {
		spec.Ties = ties
		g.migrate(spec)
		n := b.Version()
		g.score(b, fmt.Sprint("new", n), 1)
		r, err := b.Live(t.Context(), "all")
		require.NoError(t, err)
		rows, err := r.Top(t.Context(), 1000)
		require.NoError(t, err)
		for i, row := range rows {
			if ties == board.LastToReach {
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
	b := g.define(board.Spec{Name: "arena", Columns: []board.Column{{Kind: board.Float64}}, Windows: []board.Window{board.Day, board.All}})
	_, err := b.Submit(t.Context(), board.Submission{Member: "ada", Score: board.Floats(1.5)})
	require.NoError(t, err)
	before, err := dump(g.bs)
	require.NoError(t, err)
	sets, privates := g.sets(), g.privates("")
	wrong := new(board.ScoreError)
	_, err = g.bs.Migrate(t.Context(), board.Spec{Name: "arena", Windows: []board.Window{board.Day, board.All}})
	require.ErrorIs(t, err, board.ErrSpec)
	require.ErrorAs(t, err, &wrong)
	require.ErrorContains(t, err, `member "ada"`)
	_, err = g.bs.Migrate(t.Context(), board.Spec{Name: "arena", Columns: []board.Column{{Kind: board.Float64, Max: new(board.Float(1))}}, Windows: []board.Window{board.All, board.Day}})
	require.ErrorIs(t, err, board.ErrBounds)
	_, err = g.bs.Migrate(t.Context(), board.Spec{Name: "arena", Columns: []board.Column{{Kind: board.Float64}}, Windows: []board.Window{board.All, {Kind: window.Day, TimeZone: "Asia/Tokyo"}}})
	require.ErrorIs(t, err, board.ErrSpec)
	_, err = g.bs.Migrate(t.Context(), board.Spec{Name: "nobody"})
	require.ErrorIs(t, err, board.ErrNoBoard)
	_, err = g.bs.Migrate(t.Context(), board.Spec{})
	require.ErrorIs(t, err, board.ErrSpec)
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = g.bs.Migrate(cancelled, board.Spec{Name: "arena", Op: board.Sum, Columns: []board.Column{{Kind: board.Float64}}})
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

// traffic is submissions and reads from several goroutines while a board is being migrated.
type traffic struct {
	*game
	b            board.Board
	acks         acknowledged
	stop         atomic.Bool
	wg           sync.WaitGroup
	accepted     atomic.Int64 // submissions
	reads, stale atomic.Int64 // reads of rankings; stale ones return ErrMigrating
}

// submits submits until stop is set, alone and in transactions in turn.
func (tr *traffic) submits(who int) {
	for n := 0; !tr.stop.Load(); n++ {
		member := fmt.Sprint("m", who, n%50)
		sub := board.Submission{Member: member, Score: board.Ints(1), At: tr.clock.Now().Add(-time.Duration(n%10) * time.Hour)}
		c, err := submitAloneOrInTx(tr.game, tr.b, sub, n%2 == 0)
		switch {
		case err != nil:
			tr.t.Error(err)
			return
		default:
			tr.accepted.Add(1)
			tr.acks.add(c.Move, member)
			tr.acks.add(c.Others[0], member)
		}
	}
}

// readsLive reads the length of the live ranking until stop is set.
func (tr *traffic) readsLive() {
	for !tr.stop.Load() {
		r, err := tr.b.Live(context.Background(), "day")
		n := 0
		if err == nil {
			n, err = r.Len(context.Background())
		}
		if errors.Is(err, board.ErrMigrating) {
			tr.stale.Add(1)
		} else if err != nil || n < 500 {
			tr.t.Error(n, err)
			return
		}
		tr.reads.Add(1)
	}
}

// TestMigrateWhileSubmitting: during migrations, submissions wait, or run again in their transactions. None is lost or counted twice.
// Readers see the old board or the new one; rankings from before return ErrMigrating.
func TestMigrateWhileSubmitting(t *testing.T) {
	tr := &traffic{game: newGame(t, true)}
	spec := counting("arena", board.Day, board.Window{Kind: window.Hour, Grace: window.Duration(100 * time.Hour)})
	tr.b = tr.define(spec)
	for i := range 500 {
		member := fmt.Sprint("there", i)
		c := tr.score(tr.b, member, 1)
		tr.acks.add(c.Move, member)
		tr.acks.add(c.Others[0], member)
	}
	for i := range 3 {
		tr.wg.Go(func() { tr.submits(i) })
	}
	tr.wg.Go(tr.readsLive)
	migrations := howMany(24)
	for i := range migrations {
		for before := tr.accepted.Load() + 50; tr.accepted.Load() < before && !t.Failed(); {
			runtime.Gosched()
		}
		spec.Ties = []board.Ties{board.FirstToReach, board.LastToReach, board.ByMember}[i%3]
		spec.Columns = []board.Column{{Order: []board.Order{board.Asc, board.Desc}[i%2]}}
		tr.migrate(spec)
	}
	tr.stop.Store(true)
	tr.wg.Wait()
	usage, err := usageOf(tr.b)
	require.NoError(t, err)
	for _, u := range usage {
		r, err := tr.b.Period(t.Context(), u.Window, u.Period)
		require.NoError(t, err)
		tr.acks.require(t, r)
	}
	require.Equal(t, 1+migrations, tr.b.Version())
	require.Len(t, tr.sets(), len(usage))
	t.Logf("%d migrations of %d periods, %d submissions; %d of %d reads used an old ranking",
		migrations, len(usage), tr.accepted.Load(), tr.stale.Load(), tr.reads.Load())
}

// submitAloneOrInTx submits with Submit if alone is set, else in a transaction.
func submitAloneOrInTx(g *game, b board.Board, sub board.Submission, alone bool) (c board.Change, err error) {
	ctx := context.Background()
	if alone {
		return b.Submit(ctx, sub)
	}
	keys, err := hintsOf(b).Submit(ctx, nil, sub)
	if err != nil {
		return c, err
	}
	err = g.e.Update(ctx, func(tx *engine.Tx) (err error) {
		c, err = in(b, tx).Submit(sub)
		return err
	}, keys...)
	return c, err
}

// TestMigrateStalled: if the commit of a migration returns ErrStalled but is visible to readers, the board has the new spec.
func TestMigrateStalled(t *testing.T) {
	for wait := range 12 {
		synctest.Test(t, func(t *testing.T) {
			disk := &slowDisk{}
			g := newGame(t, true, withSlowDisk(disk))
			b := g.define(counting("arena", board.Day))
			g.score(b, "ada", 3)
			disk.skip.Store(int64(wait))
			disk.delay.Store(int64(time.Minute))
			_, err := g.bs.Migrate(t.Context(), board.Spec{Name: "arena", Op: board.Last, Windows: []board.Window{board.Day, board.All}})
			time.Sleep(2 * time.Minute)
			disk.delay.Store(0)
			time.Sleep(2 * time.Minute)
			if err != nil {
				require.ErrorIs(t, err, engine.ErrStalled)
			}
			require.Equal(t, "ada 3", g.live(b, "day"))
			version := b.Version()
			_, err = g.bs.Migrate(t.Context(), board.Spec{Name: "arena", Op: board.Min, Windows: []board.Window{board.Day, board.Hour}})
			require.NoError(t, err)
			require.Equal(t, version+1, b.Version())
			g.powerCut(0, 1)
			require.Equal(t, "ada 3", g.live(g.board("arena"), "day"))
			require.NoError(t, nothingLeft(g.bs))
		})
	}
}

// TestMigrateCrash cuts the power before every write of a migration of many open and closed periods that also drops a window. The board is
// the old one or the new one afterwards, and no data of the other is left.
func TestMigrateCrash(t *testing.T) {
	c := &crasher{}
	g := newGame(t, true, crashing(c))
	b := g.define(board.Spec{Name: "arena", MaxMeta: 5, BestRanks: true, Windows: []board.Window{board.Day, board.Hour, board.All}})
	for i := range 12 {
		_, err := b.Submit(t.Context(), board.Submission{Member: fmt.Sprint("m", i%5), Score: board.Ints(int64(i)), Meta: []byte("M")})
		require.NoError(t, err)
		if g.jump(5 * time.Hour); i%4 != 0 {
			continue
		}
		require.NoError(t, b.SaveBaseline(t.Context(), "all", fmt.Sprint(i)))
		require.NoError(t, g.e.Snapshot())
	}
	_, err := g.bs.CloseDue(t.Context())
	require.NoError(t, err)
	before, err := dump(g.bs)
	require.NoError(t, err)
	c.take()
	g.migrate(board.Spec{Name: "arena", Op: board.Sum, MaxMeta: 5, BestRanks: true, Columns: []board.Column{{Order: board.Asc}}, Windows: []board.Window{board.Week, board.All, board.Day}})
	after, err := dump(g.bs)
	require.NoError(t, err)
	old, next := g.recoveredAs(t, c, before, after)
	t.Logf("%d crash points: %d times the old board, %d times the new", old+next, old, next)
}

// TestMigrateLive: a live ranking that has been read is read again after a migration that rewrites no ranking: of the awards, or of the size of the journal.
func TestMigrateLive(t *testing.T) {
	g := newGame(t, false)
	spec := board.Spec{Name: "arena", Windows: []board.Window{board.All, board.Day}}
	b := g.define(spec)
	g.score(b, "ada", 1)
	for i := range 3 {
		require.Equal(t, "ada 1", g.live(b, "all"))
		require.Equal(t, "ada 1", g.live(b, "day"))
		spec.Journal = i + 1
		spec.Awards = []awards.Plan{{Window: "day", Claim: true, Tiers: []awards.Tier{{Name: fmt.Sprint("tier ", i), Everyone: true}}}}
		g.migrate(spec)
		require.Equal(t, 1, b.Version())
	}
	require.Equal(t, "ada 1", g.live(b, "all"))
}
