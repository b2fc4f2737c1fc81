package pages

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/internal/numbers"
)

const (
	rowsPage   = 50
	aroundEach = 12 // rows before and after a member that is looked for
	bins       = 30
)

// Board is the page of one ranking.
type Board struct {
	Board, Window, Period string
	Member                string // that is looked for, "" for none
	From                  int    // the place that is looked for, 0 for none
	Base                  string // the baseline that arrows show the movement since, "" for none
	Sections, Windows     Tabs
	Bases                 Tabs // baselines to compare with

	Info     board.Info
	Members  int
	Ends     bool
	In       time.Duration
	Rate     float64
	Rated    bool
	Heading  string
	Rows     []board.Row
	Marked   string
	Arrows   map[string]board.Arrow
	NotFound string
	Pager    Pager
	Bins     []board.Bin
	NoBins   string // why there are no Bins
}

// Best returns the best value of the histogram.
func (p Board) Best() string { return p.Bins[0].Best.String() }

// Worst returns the worst value of the histogram.
func (p Board) Worst() string { return p.Bins[len(p.Bins)-1].Worst.String() }

func (s *Site) ranking(r Request) (any, error) {
	b, err := s.board(r)
	if err != nil {
		return nil, err
	}
	p := Board{Board: b.Name(), Period: r.Query.Get("period"), Member: MemberOf(r.Query.Get("member")), Base: r.Query.Get("base"), Sections: sections(r, b.Name(), "board")}
	windows := windowsOf(b.Spec())
	p.Window = cmp.Or(r.Query.Get("window"), windows[0].Name)
	p.Windows = windowTabs("board", b.Name(), p.Window, windows)
	if p.From, err = r.number("from"); err != nil {
		return nil, err
	}
	k, err := rankingOf(r.Context, b, p.Window, p.Period)
	if err != nil {
		return nil, err
	}
	if err := s.readRanking(r.Context, &p, b, k); err != nil {
		return nil, err
	}
	if !r.Again {
		p.Bases = baseTabs(r.Context, &p, b)
	}
	err = s.readMovement(r.Context, &p, b, k)
	return p, err
}

// rankingOf returns the ranking of a period, or the live one.
func rankingOf(ctx context.Context, b board.Board, window, period string) (board.Ranking, error) {
	if period == "" {
		return b.Live(ctx, window)
	}
	return b.Period(ctx, window, period)
}

// windowTabs are the windows of a board.
func windowTabs(page, name, current string, windows []board.Window) Tabs {
	t := Tabs{Label: "Windows"}
	for _, w := range windows {
		t.Tabs = append(t.Tabs, Tab{w.Name, to(page, "board", name, "window", w.Name), w.Name == current})
	}
	return t
}

// readRanking reads rows and histogram as they are at one moment.
func (s *Site) readRanking(ctx context.Context, p *Board, b board.Board, k board.Ranking) error {
	outside := new(board.OutsideError)
	err := k.View(ctx, func(v board.Ranking) (err error) {
		if p.Info, err = v.Info(ctx); err != nil {
			return err
		}
		if p.Members, err = v.Len(ctx); err != nil {
			return err
		}
		if p.Bins, err = v.Histogram(ctx, bins); errors.Is(err, board.ErrUnsupported) || errors.Is(err, board.ErrNoRanks) {
			p.NoBins, err = "The ranking has no histogram.", nil
		} else if len(p.Bins) == 0 {
			p.NoBins = "Nobody has a score."
		}
		if err != nil {
			return err
		}
		return p.readRows(ctx, v)
	})
	switch {
	case errors.As(err, &outside):
		p.Heading, p.NotFound, p.NoBins = "No period is live", outside.Error(), "Nobody has a score."
		return nil
	case err != nil:
		return err
	}
	p.Ends, p.In = !p.Info.End.IsZero() && !p.Info.Closed, p.Info.End.Sub(s.Now())
	return nil
}

// readRows reads the rows that are asked for: around a member, from a place on, or the first.
func (p *Board) readRows(ctx context.Context, k board.Ranking) (err error) {
	if p.Member != "" {
		var ok bool
		p.Rows, ok, err = k.Around(ctx, p.Member, aroundEach)
		if err != nil {
			return err
		}
		if ok {
			p.Marked, p.Heading = p.Member, "Around the member"
			return nil
		}
		p.NotFound = "This member is not ranked here. Names must be whole, and as the game has submitted them."
	}
	first := min(max(p.From, 1), max(p.Members, 1))
	last := min(first+rowsPage-1, p.Members)
	if last >= first {
		if p.Rows, err = k.Places(ctx, first, last); err != nil {
			return err
		}
	}
	p.Heading = "The best"
	if first > 1 {
		p.Heading = fmt.Sprintf("From place %s", numbers.Count(first))
	}
	p.Pager = pager("board", first, len(p.Rows), p.Members, rowsPage, "board", p.Board, "window", p.Window, "period", p.Period, "base", p.Base)
	return nil
}

// readMovement reads how fast the ranking changes, and how far its rows have moved since a baseline.
func (s *Site) readMovement(ctx context.Context, p *Board, b board.Board, k board.Ranking) error {
	if p.Period == "" {
		u, err := s.usage(ctx, b, p.Window)
		if err != nil {
			return err
		}
		p.Rate, p.Rated = u.Rate, u.Rated
	}
	if p.Base == "" || len(p.Rows) == 0 {
		return nil
	}
	base, err := b.Baseline(ctx, p.Window, p.Base)
	if err != nil {
		return err
	}
	members := make([]string, len(p.Rows))
	for i, row := range p.Rows {
		members[i] = row.Member
	}
	arrows, err := k.Arrows(ctx, base, members...)
	p.Arrows = map[string]board.Arrow{}
	for _, a := range arrows {
		p.Arrows[a.Member] = a
	}
	return err
}

// baseTabs are the baselines of a window. Finding them takes time with the sets of the engine, so that a page that is open does not do it again.
func baseTabs(ctx context.Context, p *Board, b board.Board) (t Tabs) {
	names, err := b.Baselines(ctx, p.Window)
	if err != nil || len(names) == 0 {
		return t
	}
	t.Label = "Movement since"
	for _, name := range append([]string{""}, names...) {
		t.Tabs = append(t.Tabs, Tab{cmp.Or(name, "no arrows"), to("board", "board", p.Board, "window", p.Window, "period", p.Period, "base", name), name == p.Base})
	}
	return t
}
