package local

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/testclock"
)

// errPlayAgain ends the transaction of a match whose result did not count.
var errPlayAgain = errors.New("a newer match was committed before")

// match is a match whose transaction has its keys and its time.
type match struct {
	winner, loser string
	at            time.Time
	keys          []string
}

// ratings is a board of ratings with the operator Last, as chess has them: what the winner gets, the loser loses.
type ratings struct {
	e *engine.Engine
	b board.Board
}

// begin gets the keys of a match, which fixes its time.
func (r ratings) begin(winner, loser string) (m match, err error) {
	m = match{winner: winner, loser: loser, at: r.e.Now()}
	for _, member := range []string{winner, loser} {
		if m.keys, err = hintsOf(r.b).Submit(context.Background(), m.keys, board.Submission{Member: member, At: m.at}); err != nil {
			return m, err
		}
	}
	m.keys, err = hintsOf(r.b).Read(context.Background(), m.keys, "all")
	return m, err
}

// commit rates a match. It returns errPlayAgain, and changes nothing, if one of the two ratings does not count.
func (r ratings) commit(m match) error {
	ctx := context.Background()
	return r.e.Update(ctx, func(tx *engine.Tx) error {
		live, err := in(r.b, tx).Live("all")
		if err != nil {
			return err
		}
		winner, _, _ := live.Score(ctx, m.winner)
		loser, _, err := live.Score(ctx, m.loser)
		if err != nil {
			return err
		}
		stake := loser.Int(0)/10 + 1
		for member, rating := range map[string]int64{m.winner: winner.Int(0) + stake, m.loser: loser.Int(0) - stake} {
			c, err := in(r.b, tx).Submit(board.Submission{Member: member, Score: board.Ints(rating), At: m.at})
			if err != nil {
				return err
			}
			if c.Ignored != "" {
				return errPlayAgain
			}
		}
		return nil
	}, m.keys...)
}

// total returns the sum of all ratings.
func (r ratings) total(t *testing.T) (total int64) {
	live, err := r.b.Live(t.Context(), "all")
	require.NoError(t, err)
	rows, err := live.Top(t.Context(), 100)
	require.NoError(t, err)
	for _, row := range rows {
		total += row.Score.Int(0)
	}
	return total
}

// newRatings opens a board of ratings on an engine whose clock moves with every look at it.
func newRatings(t *testing.T, members []string) ratings {
	clock := testclock.New()
	e, err := engine.New(engine.Options{Clock: func() time.Time { clock.Add(time.Microsecond); return clock.Now() }})
	require.NoError(t, err)
	bs, err := Open(e, Options{})
	require.NoError(t, err)
	t.Cleanup(func() { _ = bs.Close(); _ = e.Close() })
	b, err := bs.Define(t.Context(), board.Spec{Name: "chess", Op: board.Last})
	require.NoError(t, err)
	for _, member := range members {
		_, err := b.Submit(t.Context(), board.Submission{Member: member, Score: board.Ints(1000)})
		require.NoError(t, err)
	}
	return ratings{e, b}
}

// TestRatingsAreConserved: a match whose time is older than that of a match which was committed before it says so in Change.Ignored. Writers that begin such a
// match again keep the total of all ratings, in whatever order the matches are committed.
func TestRatingsAreConserved(t *testing.T) {
	members := []string{"ada", "bea", "cas", "dan", "eva"}
	two := func(rng *rand.Rand) (winner, loser string) {
		i, j := rng.IntN(len(members)), rng.IntN(len(members)-1)
		return members[i], members[(i+1+j)%len(members)]
	}
	t.Run("out of order", func(t *testing.T) {
		r, rng, again := newRatings(t, members), rand.New(rand.NewPCG(1, 2)), 0
		var open []match
		for range 300 {
			winner, loser := two(rng)
			m, err := r.begin(winner, loser)
			require.NoError(t, err)
			if open = append(open, m); len(open) < 4 {
				continue
			}
			i := rng.IntN(len(open))
			m, open[i] = open[i], open[len(open)-1]
			open = open[:len(open)-1]
			for err = r.commit(m); err == errPlayAgain; err = r.commit(m) {
				again++
				m, err = r.begin(m.winner, m.loser)
				require.NoError(t, err)
			}
			require.NoError(t, err)
			require.EqualValues(t, 1000*len(members), r.total(t))
		}
		require.NotZero(t, again)
	})
	t.Run("at once", func(t *testing.T) {
		r := newRatings(t, members)
		var wg sync.WaitGroup
		var failed atomic.Value
		for i := range 4 {
			wg.Go(func() {
				rng := rand.New(rand.NewPCG(3, uint64(i)))
				for range 100 {
					winner, loser := two(rng)
					err := errPlayAgain
					for err == errPlayAgain {
						var m match
						if m, err = r.begin(winner, loser); err == nil {
							runtime.Gosched()
							err = r.commit(m)
						}
					}
					if err != nil {
						failed.Store(err)
					}
				}
			})
		}
		wg.Wait()
		require.Nil(t, failed.Load())
		require.EqualValues(t, 1000*len(members), r.total(t))
	})
}

// TestNowIsNotOlder: a submission without a time is newer than whatever was committed while it waited for its sets, so SubmitFunc loses no update.
func TestNowIsNotOlder(t *testing.T) {
	clock := testclock.New()
	var between func()
	e, err := engine.New(engine.Options{Clock: func() time.Time {
		now := clock.Now()
		if call := between; call != nil {
			between = nil
			call()
		}
		return now
	}})
	require.NoError(t, err)
	bs, err := Open(e, Options{})
	require.NoError(t, err)
	t.Cleanup(func() { _ = bs.Close(); _ = e.Close() })
	b, err := bs.Define(t.Context(), board.Spec{Name: "ladder", Op: board.Last})
	require.NoError(t, err)
	win := func(was board.Row, ranked bool) (board.Score, bool) {
		if !ranked {
			return board.Ints(1), true
		}
		return board.Ints(was.Score.Int(0) + 1), true
	}
	between = func() { // after the first look at the clock
		clock.Add(time.Second)
		c, err := b.SubmitFunc(t.Context(), board.Submission{Member: "ada"}, win)
		require.NoError(t, err)
		require.Equal(t, board.Ints(1), c.After.Score)
	}
	c, err := b.SubmitFunc(t.Context(), board.Submission{Member: "ada"}, win)
	require.NoError(t, err)
	require.Empty(t, c.Ignored)
	require.Equal(t, board.Ints(2), c.After.Score)
}
