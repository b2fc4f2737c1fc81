package main

import (
	"errors"
	"fmt"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board"
	"github.com/zrankdb/zrank/engine/board/window"
)

// data is an open data directory, with its boards and its time.
type data struct {
	e      *engine.Engine
	boards *board.Boards
	clock  *clock
}

// withEngine opens a data directory for fn and closes it after.
func withEngine(dir string, o engine.Options, fn func(*engine.Engine) error) (err error) {
	e, err := engine.Open(dir, o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	return fn(e)
}

// withData opens a data directory and its boards for fn and closes them after. Periods whose time is up are closed.
func withData(dir string, o engine.Options, fn func(*data) error) error {
	c := newClock()
	o.Clock = c.now
	return withEngine(dir, o, func(e *engine.Engine) error {
		if err := c.start(e); err != nil {
			return err
		}
		boards, err := board.Open(e, board.Options{})
		if err != nil {
			return err
		}
		defer boards.Close()
		return fn(&data{e, boards, c})
	})
}

// existing is for commands that make no directory.
var existing = engine.Options{MustExist: true}

// ranking finds a ranking; no window means the board's first, no period the latest that holds anybody.
func (d *data) ranking(name, win, period string) (*board.Board, board.Ranking, error) {
	b, err := d.boards.Board(name)
	if err != nil {
		return nil, nil, err
	}
	if win == "" {
		win = b.Spec().Windows[0].Name
	}
	if period != "" {
		r, err := b.Period(win, period)
		return b, r, err
	}
	periods, err := b.Periods(win)
	if err != nil {
		return nil, nil, err
	}
	if len(periods) == 0 {
		r, err := b.Live(win)
		return b, r, err
	}
	r, err := b.Period(win, periods[len(periods)-1].Period)
	return b, r, err
}

// each calls fn for every ranking: boards by name, windows as the board has them, periods in order of time.
func (d *data) each(fn func(b *board.Board, r board.Ranking) error) error {
	for _, b := range d.boards.All() {
		all, err := b.Usage()
		if err != nil {
			return err
		}
		for _, u := range all {
			r, err := b.Period(u.Window, u.Period)
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

// ending returns the window called win, or if that is empty the board's first one whose periods end.
func ending(b *board.Board, win string) (string, error) {
	if win != "" {
		return win, nil
	}
	for _, w := range b.Spec().Windows {
		if w.Kind != window.All {
			return w.Name, nil
		}
	}
	return "", fmt.Errorf("%w: %q has no window with an end", board.ErrNoWindow, b.Name())
}
