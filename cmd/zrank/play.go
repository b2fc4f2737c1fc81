package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/progress"

	"github.com/zrankdb/zrank/cmd/zrank/internal/events"
	"github.com/zrankdb/zrank/cmd/zrank/internal/season"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board"
)

const demoBatch = 1000 // results a commit

// play feeds the season into the engine and shows the boards filling. It returns the time the engine took.
func (d *demo) play(ctx context.Context, db *data, s *season.Season) (took time.Duration, err error) {
	f := newFeed(db, func(name string) (board.Spec, error) { return demoSpecs[name], nil })
	screen := d.newScreen(f)
	defer screen.stop()
	var b batch
	f.next(&b)
	commit := func() error {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("stopped")
		}
		start := time.Now()
		err := f.commit(b.items, false, func(*engine.Tx) error { return nil })
		took += time.Since(start)
		if err != nil {
			return err
		}
		err = screen.show(b.items)
		f.next(&b)
		return err
	}
	for r := range s.All() {
		it, err := f.item(event(r), events.Position{})
		if err != nil {
			return took, err
		}
		for len(b.items) == demoBatch || !b.add(it) { // a week ends, or the batch is full: the result begins the next one
			if err := commit(); err != nil {
				return took, err
			}
		}
	}
	if len(b.items) == 0 {
		return took, nil
	}
	return took, commit()
}

// event returns a result as an event.
func event(r season.Result) events.Event {
	score := board.Ints(int64(r.Score))
	if r.Board == season.Speedrun {
		score = board.Floats(r.Score)
	}
	return events.Event{Time: r.Time, Board: r.Board, Member: r.Player, Score: score}
}

// screen shows the leaders while the boards fill: under a progress bar on a terminal, elsewhere a line a week.
type screen struct {
	d    *demo
	f    *feed
	p    progress.Writer // nil: not a terminal
	bar  *progress.Tracker
	done int
	week string
	won  string // the last week that closed
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
func (s *screen) show(batch []item) error {
	s.done += len(batch)
	if err := s.close(); err != nil {
		return err
	}
	at := batch[len(batch)-1].Time
	year, n := at.ISOWeek()
	week := fmt.Sprintf("%d-W%02d", year, n)
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
		r, err := b.Live(board.All.Label())
		if err != nil {
			return nil, err
		}
		card, err := r.Card("", 1, 0)
		if err != nil {
			return nil, err
		}
		lines = append(lines, fmt.Sprintf("%s: %s %v of %s", name, card.Top[0].Member, card.Top[0].Score, count(int64(card.Len))))
	}
	return lines, nil
}

// close says who has won the arena's week, when it has closed.
func (s *screen) close() error {
	b := s.f.boards[season.Arena]
	if b == nil {
		return nil
	}
	r, err := b.LastClosed(board.Week.Label())
	if errors.Is(err, board.ErrNoPeriod) || err == nil && r.Info().Period == s.won {
		return nil
	}
	if err != nil {
		return err
	}
	card, err := r.Card("", 1, 0)
	if err != nil {
		return err
	}
	s.won = r.Info().Period
	line := fmt.Sprintf("%s closes: %s wins the arena with %v, first of %s", s.won, card.Top[0].Member, card.Top[0].Score, count(int64(card.Len)))
	if s.p == nil {
		fmt.Fprintln(s.d.out, line)
	} else {
		s.p.Log("%s", line)
	}
	return nil
}

func (s *screen) stop() { stopProgress(s.p) }
