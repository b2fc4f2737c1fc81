package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/progress"

	"github.com/zrankdb/zrank/cmd/zrank/internal/events"
	"github.com/zrankdb/zrank/cmd/zrank/internal/season"
	"github.com/zrankdb/zrank/cmd/zrank/internal/show"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board"
)

const demoBatch = 1000 // results a commit

// play feeds the season into the engine and shows the boards filling. It returns the time the engine took.
func (d *demo) play(ctx context.Context, e *engine.Engine, s *season.Season) (took time.Duration, err error) {
	f := newFeed(e, func(name string) board.Spec { return demoSpecs[name] })
	screen := d.newScreen(f)
	defer screen.stop()
	batch := make([]events.Event, 0, demoBatch)
	commit := func() error {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("stopped")
		}
		start := time.Now()
		err := f.commit(batch, func(tx *engine.Tx) error { return tx.Put(demoMark, nil) })
		took += time.Since(start)
		if err != nil {
			return err
		}
		err = screen.show(batch)
		batch = batch[:0]
		return err
	}
	for r := range s.All() {
		batch = append(batch, events.Event{Time: r.Time, Board: r.Board, Member: r.Player, Value: r.Score})
		if len(batch) < cap(batch) {
			continue
		}
		if err := commit(); err != nil {
			return took, err
		}
	}
	if len(batch) == 0 {
		return took, nil
	}
	return took, commit()
}

// screen shows the leaders while the boards fill: under a progress bar on a terminal, elsewhere a line a week.
type screen struct {
	d    *demo
	f    *feed
	p    progress.Writer // nil: not a terminal
	bar  *progress.Tracker
	done int
	week string
}

func (d *demo) newScreen(f *feed) *screen {
	s := &screen{d: d, f: f}
	if !isTerminal(d.errs) {
		return s
	}
	s.p = newProgress(d.errs)
	s.bar = &progress.Tracker{Message: "results", Total: int64(d.config.Results)}
	s.p.AppendTracker(s.bar)
	go s.p.Render()
	return s
}

// show brings the screen up to date with a batch that has been committed.
func (s *screen) show(batch []events.Event) error {
	s.done += len(batch)
	at := batch[len(batch)-1].Time
	week := board.Week.Period(at)
	last := s.done >= s.d.config.Results
	if s.p == nil && week == s.week && !last {
		return nil
	}
	lines, err := s.leaders()
	if err != nil {
		return err
	}
	if s.p == nil {
		s.week = week
		fmt.Fprintf(s.d.out, "%s %9s results   %s\n", at.Format(time.DateOnly), count(int64(s.done)), strings.Join(lines, "   "))
		return nil
	}
	s.bar.UpdateMessage(fmt.Sprintf("%s: %s results", at.Format(time.DateOnly), count(int64(s.done))))
	s.bar.SetValue(int64(s.done))
	s.p.SetPinnedMessages(lines...)
	return nil
}

// leaders returns a text a board: who leads, with what, and how many there are.
func (s *screen) leaders() ([]string, error) {
	var lines []string
	for _, name := range demoBoards {
		b := s.f.boards[name]
		if b == nil {
			continue
		}
		r, err := b.Period(board.All, string(board.All))
		if err != nil {
			return nil, err
		}
		n, err := r.Len()
		if err != nil {
			return nil, err
		}
		top, err := r.Top(1)
		if err != nil {
			return nil, err
		}
		lines = append(lines, fmt.Sprintf("%s: %s %s of %s", name, top[0].Member, show.Score(top[0].Score), count(int64(n))))
	}
	return lines, nil
}

func (s *screen) stop() { stopProgress(s.p) }
