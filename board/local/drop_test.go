package local

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
)

// fullBoard returns a board with two closed days, metadata, Once keys, best ranks and a baseline.
func fullBoard(g *game, name string) board.Board {
	b := g.define(board.Spec{Name: name, MaxMeta: 10, BestRanks: true, Windows: []board.Window{board.Day, board.All}})
	for range 2 {
		_, err := b.Submit(context.Background(), board.Submission{Member: "ada", Score: board.Ints(7), Meta: []byte("M"), Once: fmt.Sprint(g.clock.Now())})
		require.NoError(g.t, err)
		require.NoError(g.t, b.SaveBaseline(g.t.Context(), "day", "x"))
		g.jump(24 * time.Hour)
		g.closeDue(1)
	}
	return b
}

// TestDrop: Drop deletes all data of a board, and a board that is defined with its name is empty. Boards whose names begin with the same name
// stay.
func TestDrop(t *testing.T) {
	g := newGame(t, true)
	other := fullBoard(g, "shop/flowers")
	g.index()
	keys, privates := g.sets(), g.privates("")
	g.jump(-48 * time.Hour)
	for range 3 {
		b := fullBoard(g, "shop")
		ranking, err := b.Live(t.Context(), "all")
		require.NoError(t, err)
		require.NoError(t, g.bs.Drop(t.Context(), "shop"))
		require.Equal(t, keys, g.sets())
		require.Equal(t, privates, g.privates(""))
		_, err = b.Submit(t.Context(), board.Submission{Member: "ada", Score: board.Ints(1)})
		require.ErrorIs(t, err, board.ErrNoBoard)
		_, err = ranking.Top(t.Context(), 1)
		require.ErrorIs(t, err, board.ErrNoBoard)
		require.ErrorIs(t, b.SaveBaseline(t.Context(), "day", "x"), board.ErrNoBoard)
		require.ErrorIs(t, g.bs.Drop(t.Context(), "shop"), board.ErrNoBoard)
		_, err = g.bs.Migrate(t.Context(), board.Spec{Name: "shop", Op: board.Sum})
		require.ErrorIs(t, err, board.ErrNoBoard)
		g.jump(-48 * time.Hour) // the new board plays on the days that were closed: their records must be gone too
		require.Equal(t, []board.Board{other}, g.bs.All())
	}
	b := g.define(board.Spec{Name: "shop", MaxMeta: 10, BestRanks: true, Windows: []board.Window{board.Day, board.All}})
	require.Equal(t, "", g.live(b, "all"))
	_, ok, err := b.BestRank(t.Context(), "all", "ada")
	require.NoError(t, err)
	require.False(t, ok)
	names, err := b.Baselines(t.Context(), "day")
	require.NoError(t, err)
	require.Empty(t, names)
	c, err := b.Submit(t.Context(), board.Submission{Member: "ada", Score: board.Ints(1), Once: fmt.Sprint(g.clock.Now())})
	require.NoError(t, err)
	require.False(t, c.Duplicate)
	require.Equal(t, "ada 1", g.live(b, "day"), "without metadata")
	require.Equal(t, `ada 7 "M"`, g.live(other, "all"))
}

// TestDropCrash cuts the power before every write of a Drop: afterwards the board is complete, or nothing of it is stored.
func TestDropCrash(t *testing.T) {
	c := &crasher{}
	g := newGame(t, true, crashing(c))
	fullBoard(g, "shop/flowers")
	g.jump(-48 * time.Hour)
	fullBoard(g, "shop")
	before, err := dump(g.bs)
	require.NoError(t, err)
	c.take()
	require.NoError(t, g.bs.Drop(t.Context(), "shop"))
	after, err := dump(g.bs)
	require.NoError(t, err)
	old, next := g.recoveredAs(t, c, before, after)
	t.Logf("%d crash points: %d times the board exists, %d times not", old+next, old, next)
}

// recoveredAs opens each crashed disk. The dump must be that before a change or that after it. It returns the number of each.
func (g *game) recoveredAs(t testing.TB, c *crasher, before, after string) (old, next int) {
	found := map[string]int{}
	for _, d := range c.take() {
		got, err := recovered(d.disk, g.clock.Now(), nothingLeft)
		require.NoError(t, err, d.point)
		require.Contains(t, []string{before, after}, got, d.point)
		found[got]++
	}
	require.Len(t, found, 2)
	return found[before], found[after]
}

// TestDropRace: a board is dropped and defined again while other goroutines submit to it: Drop leaves no data, and no submission adds any
// afterwards.
func TestDropRace(t *testing.T) {
	g := newGame(t, true)
	spec := counting("arena", board.Day, board.All)
	g.define(spec)
	var stop atomic.Bool
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() {
			for n := 0; !stop.Load(); n++ {
				b, err := g.bs.Board(t.Context(), "arena")
				if err == nil {
					sub := board.Submission{Member: fmt.Sprint("m", i), Score: board.Ints(1), At: g.clock.Now(), Once: fmt.Sprint(i, n)}
					_, err = submitAloneOrInTx(g, b, sub, n%2 == 0)
				}
				if err != nil && !errors.Is(err, board.ErrNoBoard) && !errors.Is(err, board.ErrMigrating) {
					t.Error(err)
				}
			}
		})
	}
	drops := howMany(60)
	for range drops {
		require.NoError(t, g.bs.Drop(t.Context(), "arena"))
		require.Empty(t, g.sets(), "nothing is left, and nothing comes after")
		require.Empty(t, g.privates(""))
		b := g.define(spec)
		for r, err := b.Live(t.Context(), "day"); ; {
			require.NoError(t, err)
			if n, err := r.Len(t.Context()); err == nil && n > 0 {
				break
			}
		}
	}
	stop.Store(true)
	wg.Wait()
	t.Logf("%d drops", drops)
}

// reopening is a game whose boards are closed and opened again while other goroutines submit.
type reopening struct {
	*game
	mu           sync.RWMutex // of bs
	acks         acknowledged
	byHand, late int // calls of CloseNow that closed a period, and that returned ErrClosed
}

// submit submits once, alone or in a transaction. ErrClosed and ErrPeriodClosed are allowed.
func (r *reopening) submit(who, n int) {
	r.mu.RLock()
	b, err := r.bs.Board(context.Background(), "arena")
	r.mu.RUnlock()
	sub := board.Submission{Member: fmt.Sprint("m", who), Score: board.Ints(1), At: r.clock.Now()}
	var c board.Change
	if err == nil {
		c, err = submitAloneOrInTx(r.game, b, sub, n%2 == 0)
	}
	if err == nil {
		r.acks.add(c.Move, sub.Member)
	} else if !errors.Is(err, board.ErrClosed) && !errors.Is(err, board.ErrPeriodClosed) {
		r.t.Error(err)
	}
}

// reopenOnce closes the boards while another goroutine closes the hour by hand, opens them, moves the clock by an hour, and waits until a
// submission was accepted.
func (r *reopening) reopenOnce() {
	ctx := context.Background()
	old, byHand := r.board("arena"), make(chan error)
	go func() {
		byHand <- nil
		_, err := old.CloseNow(ctx, "hour")
		byHand <- err
	}()
	<-byHand
	for range rand.IntN(10) {
		runtime.Gosched()
	}
	require.NoError(r.t, r.bs.Close())
	closeErr := <-byHand
	fresh, err := Open(r.e, Options{})
	require.NoError(r.t, err)
	r.mu.Lock()
	r.bs = fresh
	r.mu.Unlock()
	r.checkClosed(r.clock.Now(), closeErr)
	r.jump(time.Hour)
	for n := 0; n == 0 && !r.t.Failed(); {
		ranking, err := r.board("arena").Live(ctx, "hour")
		require.NoError(r.t, err)
		n, err = ranking.Len(ctx)
		require.NoError(r.t, err)
	}
}

// checkClosed checks the period of a CloseNow that returned closeErr: if that is nil, the period must be closed.
func (r *reopening) checkClosed(at time.Time, closeErr error) {
	if errors.Is(closeErr, board.ErrClosed) {
		r.late++
		return
	}
	require.NoError(r.t, closeErr)
	r.byHand++
	ranking, err := r.board("arena").At(context.Background(), "hour", at)
	require.NoError(r.t, err)
	require.True(r.t, infoOf(ranking).Closed)
}

// TestReopenRace: boards are closed and opened again on the same engine while other goroutines submit: every period is closed in the end, and
// has all acknowledged submissions.
func TestReopenRace(t *testing.T) {
	r := &reopening{game: newGame(t, true)}
	r.define(counting("arena", board.Hour))
	var stop atomic.Bool
	var wg sync.WaitGroup
	for who := range 3 {
		wg.Go(func() {
			for n := 0; !stop.Load(); n++ {
				r.submit(who, n)
			}
		})
	}
	reopens := howMany(100)
	for range reopens {
		r.reopenOnce()
	}
	stop.Store(true)
	wg.Wait()
	r.jump(time.Hour)
	_, err := r.bs.CloseDue(t.Context())
	require.NoError(t, err)
	periods, err := r.board("arena").Periods(t.Context(), "hour")
	require.NoError(t, err)
	for _, u := range periods {
		require.True(t, u.Closed, "%s was not closed", u.Period)
		ranking, err := r.board("arena").Period(t.Context(), "hour", u.Period)
		require.NoError(t, err)
		r.acks.require(t, ranking)
	}
	require.Len(t, r.sets(), len(periods))
	t.Logf("%d reopens, %d periods, %d closed by hand, %d calls of CloseNow after Close", reopens, len(periods), r.byHand, r.late)
}
