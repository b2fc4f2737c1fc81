package datadir

import (
	"context"
	"errors"
	"fmt"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/engine"
)

// Data is an open data directory, with its boards and its time.
type Data struct {
	Engine *engine.Engine
	Boards *local.Boards
	Clock  *clock
}

// OpenEngine opens a data directory, calls fn and closes it. Errors: *InUseError, those of the engine and of fn.
func OpenEngine(dir string, o engine.Options, fn func(*engine.Engine) error) (err error) {
	e, err := engine.Open(dir, o)
	if err != nil {
		return Explain(dir, err)
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	return fn(e)
}

// Open opens a data directory and its boards, which closes the periods that are due, calls fn and closes them. Errors: those of the engine,
// of boards and of fn.
func Open(dir string, o engine.Options, fn func(*Data) error) error {
	return openAt(dir, o, (*clock).start, fn)
}

// OpenStill is Open with a clock that stands before all data until Data.Start is called, so that no period is due.
func OpenStill(dir string, o engine.Options, fn func(*Data) error) error {
	return openAt(dir, o, func(*clock, context.Context, *engine.Engine) error { return nil }, fn)
}

// Start sets the clock of a directory that OpenStill has opened. Errors: those of reading the stored time.
func (d *Data) Start(ctx context.Context) error { return d.Clock.start(ctx, d.Engine) }

// openAt is Open with a clock that start sets.
func openAt(dir string, o engine.Options, start func(*clock, context.Context, *engine.Engine) error, fn func(*Data) error) error {
	c := NewClock()
	o.Clock = c.Now
	return OpenEngine(dir, o, func(e *engine.Engine) error {
		if err := start(c, context.Background(), e); err != nil {
			return err
		}
		boards, err := local.Open(e, local.Options{})
		if err != nil {
			return err
		}
		defer boards.Close()
		return fn(&Data{e, boards, c})
	})
}

// FeedLog is how many bytes of the log commands leave for feeds.
const FeedLog = 64 << 20

// Existing are the options of commands that make no directory.
var Existing = engine.Options{MustExist: true, FeedLogBytes: FeedLog}

// Ranking returns a ranking. The default window is the board's first, the default period the latest with members. Errors: those of the board.
func (d *Data) Ranking(ctx context.Context, name, win, period string) (board.Board, board.Ranking, error) {
	b, err := d.Boards.Board(ctx, name)
	if err != nil {
		return nil, nil, err
	}
	if win == "" {
		win = b.Spec().Windows[0].Name
	}
	if period != "" {
		r, err := b.Period(ctx, win, period)
		return b, r, err
	}
	r, err := b.Latest(ctx, win)
	if errors.Is(err, board.ErrNoPeriod) {
		r, err = b.Live(ctx, win)
	}
	return b, r, err
}

// Periods returns the periods of a board that have members: windows in the order of the spec, periods in order of time. Errors: those of the board.
func Periods(ctx context.Context, b board.Board) (all []board.Usage, err error) {
	for _, w := range b.Spec().Windows {
		list, err := b.Periods(ctx, w.Label())
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
	}
	return all, nil
}

// Each calls fn for every ranking: boards by name, windows in the order of the spec, periods in order of time. Errors: those of boards and of fn.
func (d *Data) Each(ctx context.Context, fn func(b board.Board, r board.Ranking) error) error {
	for _, b := range d.Boards.All() {
		all, err := Periods(ctx, b)
		if err != nil {
			return err
		}
		for _, u := range all {
			r, err := b.Period(ctx, u.Window, u.Period)
			if err == nil {
				err = fn(b, r)
			}
			if err != nil {
				return fmt.Errorf("board %q, %s: %w", b.Name(), u.Period, err)
			}
		}
	}
	return nil
}
