package boards

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/zrankdb/zrank/bench/internal/subject"
	"github.com/zrankdb/zrank/bench/internal/workload"
	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/engine"
)

// windows are those of the board that is measured.
var windows = []board.Window{board.All, board.Day, board.Week}

// noon is the time at which every measurement begins: far from the end of a day and of a week.
var noon = time.Date(2026, 11, 18, 12, 0, 0, 0, time.UTC)

// clock is an engine's clock that can jump ahead.
type clock struct {
	start time.Time
	ahead atomic.Int64
}

func newClock() *clock { return &clock{start: time.Now()} }

func (c *clock) now() time.Time { return noon.Add(time.Since(c.start) + time.Duration(c.ahead.Load())) }

// midnight makes the clock jump to the end of the day.
func (c *clock) midnight() {
	c.ahead.Add(int64(c.now().Truncate(24 * time.Hour).Add(24 * time.Hour).Sub(c.now())))
}

// spec is the board's: points add up, and who reaches a score first is ranked first.
func spec(windows ...board.Window) board.Spec {
	return board.Spec{Name: "arena", Op: board.Sum, Windows: windows}
}

// arena is a board on an engine of its own.
type arena struct {
	board.Board
	engine *engine.Engine
	boards *local.Boards
}

// openArena opens the engine in a directory, or in memory if dir is empty, and defines the board.
func openArena(dir string, o engine.Options, c *clock, windows ...board.Window) (*arena, error) {
	return openSpec(dir, o, c, spec(windows...))
}

// openSpec is openArena for a board of a spec.
func openSpec(dir string, o engine.Options, c *clock, spec board.Spec) (*arena, error) {
	o.Clock = c.now
	e, err := subject.Level{Disk: dir != ""}.Open(dir, o)
	if err != nil {
		return nil, err
	}
	a := &arena{engine: e}
	if a.boards, err = local.Open(e, local.Options{}); err != nil {
		return nil, errors.Join(err, e.Close())
	}
	if a.Board, err = a.boards.Define(context.Background(), spec); err != nil {
		return nil, errors.Join(err, a.close())
	}
	return a, nil
}

func (a *arena) close() error { return errors.Join(a.boards.Close(), a.engine.Close()) }

func (a *arena) put(s *workload.Stream) error { return a.apply(s, 0, s.Len()) }

// apply submits [lo, hi) of a stream in one transaction, and asks for no ranks.
func (a *arena) apply(s *workload.Stream, lo, hi int) error {
	at := a.engine.Now()
	submission := func(i int) board.Submission {
		return board.Submission{Member: s.Key(i).Name, Score: board.Ints(int64(s.Score(i))), At: at}
	}
	hints, err := a.boards.Hints(a.Name())
	if err != nil {
		return err
	}
	names, err := hints.Submit(context.Background(), nil, submission(lo)) // they depend on the time only
	if err != nil {
		return err
	}
	return a.engine.Update(context.Background(), func(tx *engine.Tx) error {
		in, err := a.boards.In(tx, a.Name())
		if err != nil {
			return err
		}
		for i := lo; i < hi; i++ {
			if _, err := in.Apply(submission(i)); err != nil {
				return err
			}
		}
		return nil
	}, names...)
}
