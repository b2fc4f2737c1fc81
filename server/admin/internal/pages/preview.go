package pages

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/server/access"
)

// action is something that a moderator can do about a member.
type action struct {
	name      string
	explained string
	button    string
	to        string // what another name stands for, "" for no other name
	keep      bool   // it can leave the ranks of the others as they are
	typed     bool   // the name must be typed, since nothing brings back what is gone
	all       bool   // it is about all boards
	on        func(m board.Board, ctx context.Context, member, to string, a board.Action) (board.Moderated, error)
}

const eraseEverywhere = "erase everywhere"

var actions = []action{
	{name: "ban", button: "Ban", keep: true, explained: "Removes the member from all periods, and refuses its later submissions. Its scores are gone, also after an unban.",
		on: func(m board.Board, ctx context.Context, member, _ string, a board.Action) (board.Moderated, error) {
			return m.Ban(ctx, member, a)
		}},
	{name: "unban", button: "Unban", explained: "Lets the member submit again.", on: func(m board.Board, ctx context.Context, member, _ string, a board.Action) (board.Moderated, error) {
		return m.Unban(ctx, member, a)
	}},
	{name: "hide", button: "Hide", explained: "Takes the member out of all rankings, while its scores stay.", on: func(m board.Board, ctx context.Context, member, _ string, a board.Action) (board.Moderated, error) {
		return m.Hide(ctx, member, a)
	}},
	{name: "show", button: "Show", explained: "Puts the member back into the rankings.", on: func(m board.Board, ctx context.Context, member, _ string, a board.Action) (board.Moderated, error) {
		return m.Show(ctx, member, a)
	}},
	{name: "rename", button: "Rename", to: "New name", explained: "Gives the member another name.", on: func(m board.Board, ctx context.Context, member, to string, a board.Action) (board.Moderated, error) {
		return m.Rename(ctx, member, to, a)
	}},
	{name: "merge", button: "Merge", to: "Into the member", typed: true, explained: "Adds the results of the member to those of another one, and removes it.", on: func(m board.Board, ctx context.Context, member, to string, a board.Action) (board.Moderated, error) {
		return m.Merge(ctx, member, to, a)
	}},
	{name: "erase", button: "Erase", keep: true, typed: true, explained: "Erases the member from this board, its audit log included.", on: func(m board.Board, ctx context.Context, member, _ string, a board.Action) (board.Moderated, error) {
		return m.Erase(ctx, member, a)
	}},
	{name: eraseEverywhere, button: "Erase everywhere", keep: true, typed: true, all: true, explained: "Erases the member from all boards, stored unions and groups. The files have its name until they are compacted."},
}

// actionsOn returns the names of what can be done about a member.
func actionsOn(m *board.Member) (names []string) {
	for _, a := range actions {
		switch {
		case a.all, a.name == "ban" && m.Banned, a.name == "unban" && !m.Banned, a.name == "hide" && (m.Hidden || m.Banned), a.name == "show" && !m.Hidden, m.Banned && (a.name == "rename" || a.name == "merge"):
		default:
			names = append(names, a.name)
		}
	}
	return names
}

func actionNamed(name string) (a action, err error) {
	i := slices.IndexFunc(actions, func(a action) bool { return a.name == name })
	if i < 0 {
		return a, fmt.Errorf("%w: there is no action %q", ErrInput, name)
	}
	return actions[i], nil
}

// Preview is the page of what an action would change.
type Preview struct {
	Do, Board, Member, To string
	Explained, Button     string
	NeedsTo               bool
	ToLabel               string
	KeepRanks, Typed      bool
	Reason                string
	Ready                 bool // Results are there
	Results               []PreviewOf
	Unions                []string
	Problem               string
}

// PreviewOf is what an action would change on a board.
type PreviewOf struct {
	Board string // "" where the page is about one board
	board.Moderated
}

// Title names the action.
func (p Preview) Title() string { return p.Button }

// Preview reads what an action would change. Errors: ErrInput, ErrHidden, those of the boards.
func (s *Site) Preview(r Request) (p Preview, err error) {
	a, err := actionNamed(r.Query.Get("do"))
	if err != nil {
		return p, err
	}
	name, member := r.Query.Get("board"), MemberOf(r.Query.Get("member"))
	if a.all {
		name = ""
	}
	if !r.Who.Can(access.Moderate, name) {
		return p, ErrHidden
	}
	if member == "" {
		return p, fmt.Errorf("%w: no member is named", ErrInput)
	}
	p = Preview{Do: a.name, Board: name, Member: member, To: MemberOf(r.Query.Get("to")), Explained: a.explained, Button: a.button, NeedsTo: a.to != "", ToLabel: a.to,
		KeepRanks: a.keep, Typed: a.typed}
	if p.NeedsTo && p.To == "" {
		return p, nil
	}
	err = s.dryRun(r, a, &p)
	if p.Ready = err == nil; errors.Is(err, context.Canceled) || errors.Is(err, board.ErrNoBoard) {
		return p, err
	}
	if err != nil {
		p.Problem = err.Error()
	}
	return p, nil
}

// dryRun fills in what an action would change.
func (s *Site) dryRun(r Request, a action, p *Preview) error {
	x := board.Action{By: "preview", Reason: "preview", DryRun: true}
	if a.all {
		receipt, err := s.Boards.Erase(r.Context, p.Member, x)
		for _, name := range slices.Sorted(maps.Keys(receipt.Boards)) {
			p.Results = append(p.Results, PreviewOf{name, receipt.Boards[name]})
		}
		p.Unions = receipt.Unions
		return err
	}
	b, err := s.Boards.Board(r.Context, p.Board)
	if err != nil {
		return err
	}
	result, err := a.on(b, r.Context, p.Member, p.To, x)
	p.Results = []PreviewOf{{Moderated: result}}
	return err
}
