package local

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
)

// midnights is a board of hours with goroutines that submit to it and read a kept handle of its live ranking. A score is the number of the
// hour in which it was submitted, so that a reader notices rows of different hours.
type midnights struct {
	*game
	b      board.Board
	live   board.Ranking
	start  time.Time
	stop   chan bool
	done   sync.WaitGroup
	rounds []*atomic.Int64 // the repetitions of each goroutine
	seen   atomic.Int64    // the number of rows read
}

// hour returns the number of hours since start.
func (m *midnights) hour() int64 { return m.hourOf(m.clock.Now()) }

func (m *midnights) hourOf(t time.Time) int64 { return int64(t.Sub(m.start) / time.Hour) }

// repeat calls do in a goroutine until stop is closed.
func (m *midnights) repeat(do func(i int) error) {
	n := new(atomic.Int64)
	m.rounds = append(m.rounds, n)
	m.done.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-m.stop:
				return
			default:
			}
			if err := do(i); err != nil {
				m.t.Error(err)
			}
			n.Add(1)
		}
	})
}

// submit submits the number of the present hour. The hour may end, and be closed, during the call.
func (m *midnights) submit(i int) error {
	at := m.clock.Now()
	_, err := m.b.Submit(context.Background(), board.Submission{Member: fmt.Sprint(i % 20), At: at, Score: board.Ints(m.hourOf(at))})
	if errors.Is(err, board.ErrPeriodClosed) {
		return nil
	}
	return err
}

// read reads a card, and rows in a View. The rows of each must be of one hour that was live during the read.
func (m *midnights) read(int) error {
	ctx := context.Background()
	from := m.hour()
	card, err := m.live.Card(ctx, "0", 30, 2)
	if err != nil || len(card.Top) != min(card.Len, 30) {
		return fmt.Errorf("%d rows of %d: %w", len(card.Top), card.Len, err)
	}
	if err := m.checkOneHour(from, slices.Concat(card.Top, card.Around)); err != nil {
		return err
	}
	from = m.hour()
	return m.live.View(ctx, func(r board.Ranking) error {
		rows, err := r.Top(ctx, 50)
		return errors.Join(err, m.checkOneHour(from, rows))
	})
}

// checkOneHour returns an error unless rows are all of one hour, between from and the present one.
func (m *midnights) checkOneHour(from int64, rows []board.Row) error {
	to := m.hour()
	m.seen.Add(int64(len(rows)))
	for _, row := range rows {
		if s := row.Score.Int(0); s != rows[0].Score.Int(0) || s < from || s > to {
			return fmt.Errorf("between hours %d and %d: %v", from, to, rows)
		}
	}
	return nil
}

// TestLiveAtMidnight: while members score and periods end, each read of a kept handle is of one period, which was live during the call.
func TestLiveAtMidnight(t *testing.T) {
	g := newGame(t, false)
	m := &midnights{game: g, b: g.define(board.Spec{Name: "arena", Op: board.Last, Windows: []board.Window{board.Hour}}), start: g.clock.Now(), stop: make(chan bool)}
	var err error
	m.live, err = m.b.Live(t.Context(), "hour")
	require.NoError(t, err)
	for range 2 {
		m.repeat(m.submit)
		m.repeat(m.read)
	}
	for range howMany(16) {
		for _, n := range m.rounds { // every goroutine makes progress in every hour
			for from := n.Load(); n.Load() < from+2; {
				runtime.Gosched()
			}
		}
		g.jump(time.Hour)
		_, err := g.bs.CloseDue(t.Context())
		require.NoError(t, err)
	}
	close(m.stop)
	m.done.Wait()
	t.Logf("%d rows", m.seen.Load())
	require.NotZero(t, m.seen.Load())
}
