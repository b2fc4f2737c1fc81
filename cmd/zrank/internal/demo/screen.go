package demo

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/progress"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/cmd/zrank/internal/console"
	"github.com/zrankdb/zrank/cmd/zrank/internal/feed"
	"github.com/zrankdb/zrank/cmd/zrank/internal/season"
	"github.com/zrankdb/zrank/internal/numbers"
)

// screen shows the leaders while the season goes on: on a terminal under a progress bar, elsewhere one line a week.
type screen struct {
	d    *demo
	f    *feed.Feed
	p    progress.Writer // nil: not a terminal
	bar  *progress.Tracker
	done int
	week string
	won  string // the last week that closed
}

func (d *demo) newScreen(f *feed.Feed) *screen {
	s := &screen{d: d, f: f}
	if !console.IsTerminal(d.errs) {
		return s
	}
	s.p = console.NewProgress(d.errs)
	s.bar = &progress.Tracker{Message: "results", Total: int64(d.config.Results)}
	s.p.AppendTracker(s.bar)
	go s.p.Render()
	return s
}

// show updates the screen after a commit.
func (s *screen) show(ctx context.Context, batch []feed.Item) error {
	s.done += len(batch)
	if err := s.close(ctx); err != nil {
		return err
	}
	at := batch[len(batch)-1].Time
	year, n := at.ISOWeek()
	week := fmt.Sprintf("%d-W%02d", year, n)
	last := s.done >= s.d.config.Results
	if s.p == nil && week == s.week && !last {
		return nil
	}
	lines, err := s.leaders(ctx)
	if err != nil {
		return err
	}
	if s.p == nil {
		s.week = week
		fmt.Fprintf(s.d.out, "%s %9s results   %s\n", at.Format(time.DateOnly), numbers.Count(s.done), strings.Join(lines, "   "))
		return nil
	}
	s.bar.UpdateMessage(fmt.Sprintf("%s: %s results", at.Format(time.DateOnly), numbers.Count(s.done)))
	s.bar.SetValue(int64(s.done))
	s.p.SetPinnedMessages(lines...)
	return nil
}

// leaders returns a text for each board: its leader, the score, and the number of members.
func (s *screen) leaders(ctx context.Context) ([]string, error) {
	var lines []string
	for _, name := range demoBoards {
		b := s.f.Boards[name]
		if b == nil {
			continue
		}
		r, err := b.Live(ctx, board.All.Label())
		if err != nil {
			return nil, err
		}
		card, err := r.Card(ctx, "", 1, 0)
		if err != nil {
			return nil, err
		}
		lines = append(lines, fmt.Sprintf("%s: %s %v of %s", name, card.Top[0].Member, card.Top[0].Score, numbers.Count(card.Len)))
	}
	return lines, nil
}

// close shows the winner of the arena's week after the week has closed.
func (s *screen) close(ctx context.Context) error {
	b := s.f.Boards[season.Arena]
	if b == nil {
		return nil
	}
	r, err := b.LastClosed(ctx, board.Week.Label())
	if errors.Is(err, board.ErrNoPeriod) {
		return nil
	}
	if err != nil {
		return err
	}
	info, err := r.Info(ctx)
	if err != nil || info.Period == s.won {
		return err
	}
	card, err := r.Card(ctx, "", 1, 0)
	if err != nil {
		return err
	}
	s.won = info.Period
	line := fmt.Sprintf("%s closes: %s wins the arena with %v, first of %s", s.won, card.Top[0].Member, card.Top[0].Score, numbers.Count(card.Len))
	if s.p == nil {
		fmt.Fprintln(s.d.out, line)
	} else {
		s.p.Log("%s", line)
	}
	return nil
}

func (s *screen) stop() { console.StopProgress(s.p) }
