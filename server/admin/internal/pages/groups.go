package pages

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/internal/numbers"
)

const (
	groupsPage  = 100
	membersPage = 200
)

// Groups is the page of the groups of a kind.
type Groups struct {
	Kinds  Tabs
	Kind   string
	Groups []board.GroupInfo
	Pager  Pager
	None   string // why there are none
}

func (s *Site) groups(r Request) (any, error) {
	if err := r.sees(""); err != nil {
		return nil, err
	}
	var p Groups
	from, err := r.number("from")
	if err != nil {
		return nil, err
	}
	kinds, err := s.Boards.GroupKinds(r.Context)
	if errors.Is(err, board.ErrUnsupported) {
		p.None = "Boards on a cluster have no groups."
		return p, nil
	}
	if err != nil {
		return nil, err
	}
	if len(kinds) == 0 {
		p.None = "There are no groups."
		return p, nil
	}
	p.Kind = cmp.Or(r.Query.Get("kind"), kinds[0])
	p.Kinds.Label = "Kinds of groups"
	for _, kind := range kinds {
		p.Kinds.Tabs = append(p.Kinds.Tabs, Tab{kind, to("groups", "kind", kind), kind == p.Kind})
	}
	g, err := s.Boards.Groups(r.Context, p.Kind)
	if err != nil {
		return nil, err
	}
	all, err := g.All(r.Context)
	if err != nil {
		return nil, err
	}
	part, first := cut(all, from, groupsPage)
	p.Groups = part
	p.Pager = pager("groups", first, len(part), len(all), groupsPage, "kind", p.Kind)
	return p, nil
}

// Group is the page of one group.
type Group struct {
	Kind    string
	Info    board.GroupInfo
	Boards  []GroupRow
	Members []string
	Pager   Pager
}

// GroupRow is the place of a group in a live ranking.
type GroupRow struct {
	Board, Window, Period string
	Row                   board.Row
}

func (s *Site) group(r Request) (any, error) {
	if err := r.sees(""); err != nil {
		return nil, err
	}
	p := Group{Kind: r.Query.Get("kind")}
	g, err := s.Boards.Groups(r.Context, p.Kind)
	if err != nil {
		return nil, err
	}
	name, after := r.Query.Get("group"), r.Query.Get("after")
	if p.Info, err = g.Info(r.Context, name); err != nil {
		return nil, err
	}
	if p.Members, err = g.Members(r.Context, name, after, membersPage); err != nil {
		return nil, err
	}
	p.Pager.Text = fmt.Sprintf("%s of %s", numbers.Count(len(p.Members)), numbers.Count(p.Info.Members))
	if after != "" {
		p.Pager.Previous = to("group", "kind", p.Kind, "group", name)
	}
	if len(p.Members) == membersPage {
		p.Pager.Next = to("group", "kind", p.Kind, "group", name, "after", p.Members[membersPage-1])
	}
	p.Boards, err = s.ranksOf(r.Context, p.Kind, name)
	return p, err
}

// ranksOf returns the live places of a group on the boards that are derived from its kind.
func (s *Site) ranksOf(ctx context.Context, kind, name string) (rows []GroupRow, err error) {
	names, err := s.Boards.Names(ctx)
	if err != nil {
		return nil, err
	}
	for _, at := range names {
		b, err := s.Boards.Board(ctx, at)
		if err != nil {
			continue // dropped meanwhile
		}
		spec := b.Spec()
		if spec.Derived == nil || spec.Derived.Groups != kind {
			continue
		}
		for _, w := range windowsOf(spec) {
			row, period, ok, err := liveRow(ctx, b, w.Name, name)
			if err != nil {
				return nil, err
			}
			if ok {
				rows = append(rows, GroupRow{at, w.Name, period, row})
			}
		}
	}
	return rows, nil
}

// liveRow returns the row of a member in the live ranking of a window; ok is false if it has none.
func liveRow(ctx context.Context, b board.Board, window, member string) (row board.Row, period string, ok bool, err error) {
	k, err := b.Live(ctx, window)
	if err == nil {
		var info board.Info
		info, err = k.Info(ctx)
		period = info.Period
	}
	if err == nil {
		row, ok, err = k.Rank(ctx, member)
	}
	if outside := new(board.OutsideError); errors.As(err, &outside) { // no period is live
		return row, "", false, nil
	}
	return row, period, ok, err
}
