package board

import (
	"context"
	"fmt"
	"math"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board/rules"
)

// inEngine puts the world's set into an engine, and the ranking over that.
func (w *world) inEngine(e *engine.Engine, key string) {
	form := formOf(w.rules)
	update := func(fn func(tx *engine.Tx, s *engine.IntSet) error) error {
		return e.Update([]string{key}, func(tx *engine.Tx) error {
			s, err := tx.IntSet(key, form)
			if err != nil {
				return err
			}
			return fn(tx, s)
		})
	}
	w.add = func(member, tie []byte, score int64) error {
		return update(func(tx *engine.Tx, s *engine.IntSet) error {
			if meta, _ := metaFor(string(member)); meta != nil {
				if err := tx.Put("meta/"+string(member), meta); err != nil {
					return err
				}
			}
			_, err := s.AddTied(member, tie, score)
			return err
		})
	}
	w.drop = func(member []byte) error {
		return update(func(_ *engine.Tx, s *engine.IntSet) error {
			_, err := s.Remove(member)
			return err
		})
	}
	meta := func(tx *engine.Tx, member string) ([]byte, error) {
		value, _, err := tx.Get("meta/" + member)
		return value, err
	}
	w.Ranking = newRanking(&engineSource{e, key, form, meta}, w.rules, key, func() Info { return worldInfo })
}

// TestEveryReadInAnEngine: a ranking over a set of an engine answers as the plain list does, empty too.
func TestEveryReadInAnEngine(t *testing.T) {
	e, err := engine.New(engine.Options{})
	require.NoError(t, err)
	compared := 0
	for i, ties := range allTies {
		for _, n := range []int{0, 1, fewer(200)} {
			w := newWorld(t, uint64(i), directions(1 + i)[1], ties, false)
			w.inEngine(e, fmt.Sprintf("%d/%d", i, n))
			w.fill(t, n)
			compared += w.ask(t)
		}
	}
	t.Logf("%d answers compared", compared)

	w := newWorld(t, 1, nil, rules.ByMember, false)
	w.inEngine(e, "1/1")
	_, err = w.Len()
	require.ErrorIs(t, err, engine.ErrTieWidth, "a set of other rules")
	w.inEngine(e, "closed")
	require.NoError(t, e.Close())
	_, err = w.Top(1)
	require.ErrorIs(t, err, engine.ErrClosed)
	_, err = w.Pin(context.Background())
	require.ErrorIs(t, err, engine.ErrClosed)
}

// TestOneMoment: what a View and a Card say is of one moment, and a pinned ranking does not change, while others write.
func TestOneMoment(t *testing.T) {
	e, err := engine.New(engine.Options{})
	require.NoError(t, err)
	defer func() { require.NoError(t, e.Close()) }()
	w := newWorld(t, 1, nil, rules.FirstToReach, false)
	w.inEngine(e, "moments")
	w.fill(t, 300)
	want := w.sorted(Competition)
	pinned := mustPin(t, w.By(Competition))
	stop, done := make(chan struct{}), sync.WaitGroup{}
	done.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				w.change(t)
			}
		}
	})
	for range fewer(300) {
		require.NoError(t, w.By(Dense).View(oneMoment))
		card, err := w.Card("m1", math.MaxInt, 1)
		require.NoError(t, err)
		require.Len(t, card.Top, card.Len)
		rows, err := pinned.Top(math.MaxInt)
		require.NoError(t, err)
		require.True(t, equal(rows, want))
	}
	close(stop)
	done.Wait()
}

// oneMoment compares several reads of a View.
func oneMoment(r Ranking) error {
	rows, err := r.Top(math.MaxInt)
	if err != nil {
		return err
	}
	i := 0
	for row, err := range r.All() {
		if err != nil || row.Rank != rows[i].Rank || row.Member != rows[i].Member {
			return fmt.Errorf("row %d has moved: %v", i, err)
		}
		i++
	}
	if n, err := r.Len(); err != nil || n != i || n != len(rows) {
		return fmt.Errorf("%d rows of %d: %v", i, n, err)
	}
	return nil
}
