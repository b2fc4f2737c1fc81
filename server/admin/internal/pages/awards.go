package pages

import (
	"errors"
	"slices"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/awards"
)

const (
	settlementsPage = 50
	awardsPage      = 500
)

// Awards is the page of what closed periods have paid.
type Awards struct {
	Settlements []awards.Settlement // the newest first
	Pager       Pager
}

func (s *Site) awards(r Request) (any, error) {
	from, err := r.number("from")
	if err != nil {
		return nil, err
	}
	names, err := s.names(r)
	if err != nil {
		return nil, err
	}
	var all []awards.Settlement
	for _, name := range names {
		b, err := s.Boards.Board(r.Context, name)
		if err != nil {
			continue // dropped meanwhile
		}
		for _, w := range windowsOf(b.Spec()) {
			list, err := b.Settlements(r.Context, w.Name)
			if err != nil && !gone(err) && !errors.Is(err, board.ErrUnsupported) {
				return nil, err
			}
			all = append(all, list...)
		}
	}
	slices.SortStableFunc(all, func(x, y awards.Settlement) int { return y.ClosedAt.Compare(x.ClosedAt) })
	part, first := cut(all, from, settlementsPage)
	return Awards{part, pager("awards", first, len(part), len(all), settlementsPage)}, nil
}

// Settled is the page of the awards of one period.
type Settled struct {
	Window, Period string
	States         Tabs
	Awards         []awards.Award
	More           bool
}

func (s *Site) settlement(r Request) (any, error) {
	b, err := s.board(r)
	if err != nil {
		return nil, err
	}
	state := r.Query.Get("state")
	p := Settled{Window: r.Query.Get("window"), Period: r.Query.Get("period"), States: Tabs{Label: "States of awards"}}
	at := func(state string) string {
		return to("settlement", "board", b.Name(), "window", p.Window, "period", p.Period, "state", state)
	}
	p.States.Tabs = append(p.States.Tabs, Tab{"all", at(""), state == ""})
	for _, x := range []awards.State{awards.Waiting, awards.Failed, awards.Granted, awards.Withheld, awards.Expired} {
		p.States.Tabs = append(p.States.Tabs, Tab{x.String(), at(x.String()), state == x.String()})
	}
	for award, err := range b.Awards(r.Context, p.Window, p.Period) {
		if err != nil {
			return nil, err
		}
		if state != "" && award.State.String() != state {
			continue
		}
		if p.More = len(p.Awards) == awardsPage; p.More {
			break
		}
		p.Awards = append(p.Awards, award)
	}
	return p, nil
}
