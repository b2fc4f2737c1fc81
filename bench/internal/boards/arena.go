package boards

import (
	"errors"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"github.com/zrankdb/zrank/bench/internal/workload"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board"
)

// Windows are those of the board that is measured.
var Windows = []board.Window{board.All, board.Day, board.Week}

// noon is when every measurement begins: in the middle of a day and of a week, so that no period ends by itself.
var noon = time.Date(2026, 11, 18, 12, 0, 0, 0, time.UTC)

// Clock is an engine's clock. It can be made to jump.
type Clock struct {
	start time.Time
	ahead atomic.Int64
}

// NewClock returns a clock that begins at noon of a Wednesday.
func NewClock() *Clock { return &Clock{start: time.Now()} }

// Now returns the time.
func (c *Clock) Now() time.Time {
	return noon.Add(time.Since(c.start) + time.Duration(c.ahead.Load()))
}

// Midnight makes the clock jump to the end of the day.
func (c *Clock) Midnight() {
	c.ahead.Add(int64(c.Now().Truncate(24 * time.Hour).Add(24 * time.Hour).Sub(c.Now())))
}

// Spec is the board's: points add up, and who reaches a score first stands before the others.
func Spec(windows ...board.Window) board.Spec {
	return board.Spec{Name: "arena", Op: board.Sum, Windows: windows}
}

// Arena is a board on an engine of its own.
type Arena struct {
	*board.Board
	Engine *engine.Engine
	Boards *board.Boards
}

// Open opens the engine in a directory, or in memory if that has no name, and makes the board or finds it again.
func Open(dir string, o engine.Options, clock *Clock, windows ...board.Window) (*Arena, error) {
	o.Clock = clock.Now
	var e *engine.Engine
	var err error
	if dir == "" {
		e, err = engine.New(o)
	} else {
		e, err = engine.Open(dir, o)
	}
	if err != nil {
		return nil, err
	}
	a := &Arena{Engine: e}
	if a.Boards, err = board.Open(e, board.Options{}); err != nil {
		return nil, errors.Join(err, e.Close())
	}
	if a.Board, err = a.Boards.Define(Spec(windows...)); err != nil {
		return nil, errors.Join(err, a.Close())
	}
	return a, nil
}

// Close closes the board and its engine.
func (a *Arena) Close() error { return errors.Join(a.Boards.Close(), a.Engine.Close()) }

// Apply submits all of a stream in one transaction.
func (a *Arena) Apply(s *workload.Stream) error {
	at := a.Boards.Now()
	keys, err := a.Keys(nil, submission(s, 0, at)) // they depend on the time only
	if err != nil {
		return err
	}
	return a.Engine.Update(keys, func(tx *engine.Tx) error {
		in := a.In(tx)
		for i := range s.Len() {
			if _, err := in.Apply(submission(s, i, at)); err != nil {
				return err
			}
		}
		return nil
	})
}

// submission is the i-th of a stream.
func submission(s *workload.Stream, i int, at time.Time) board.Submission {
	return board.Submission{Member: s.Key(i).Name, Score: board.Ints(int64(s.Score(i))), At: at}
}

const (
	// fillSize is how many players fill hands over at once.
	fillSize = 1000
	// pointSpan is how many points a player may begin with, and maxPoints how many a submission adds at most.
	pointSpan, maxPoints = 1_000_000, 1000
)

// Fill hands every one of n players over once, in random order, with the points to begin with.
func Fill(n int, seed uint64, put func(*workload.Stream) error) error {
	r := rand.New(rand.NewPCG(seed, 0x66696c6c))
	order := r.Perm(n)
	for lo := 0; lo < n; lo += fillSize {
		s := workload.NewStream(min(fillSize, n-lo), func(i int) int { return order[lo+i] },
			func() float64 { return float64(r.Int64N(pointSpan)) })
		if err := put(&s); err != nil {
			return err
		}
	}
	return nil
}
