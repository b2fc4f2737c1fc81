package pages

import (
	"context"
	"fmt"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/internal/printable"
	"github.com/zrankdb/zrank/server/access"
)

// Order is what a moderator wants done.
type Order struct {
	Do, Board, Member, To string
	Reason                string
	Keep                  bool   // the others keep their ranks in closed periods
	Typed                 string // the name, where it must be typed
}

// Done is what has been done.
type Done struct {
	Member string // whose page shows it
	Text   string
}

// Act does what a moderator wants. Errors: ErrInput, access.ErrForbidden, those of the boards.
func (s *Site) Act(ctx context.Context, who access.Principal, o Order) (d Done, err error) {
	a, err := actionNamed(o.Do)
	if err != nil {
		return d, err
	}
	if a.all {
		o.Board = ""
	}
	if err := who.Need(access.Moderate, o.Board); err != nil {
		return d, err
	}
	switch {
	case o.Member == "":
		return d, fmt.Errorf("%w: no member is named", ErrInput)
	case o.Reason == "":
		return d, fmt.Errorf("%w: the audit log needs a reason", ErrInput)
	case a.to != "" && o.To == "":
		return d, fmt.Errorf("%w: the other name is missing", ErrInput)
	case a.typed && o.Typed != o.Member && o.Typed != printable.Name(o.Member):
		return d, fmt.Errorf("%w: the name that was typed is not that of the member", ErrInput)
	}
	x := board.Action{By: who.Name, Reason: o.Reason, KeepRanks: o.Keep && a.keep}
	if a.all {
		return s.erase(ctx, o, x)
	}
	b, err := s.Boards.Board(ctx, o.Board)
	if err != nil {
		return d, err
	}
	result, err := a.on(b, ctx, o.Member, o.To, x)
	if d.Member = o.Member; a.to != "" {
		d.Member = o.To
	}
	d.Text = fmt.Sprintf("Done: %s on %s, entry %d of the audit log.", o.Do, o.Board, result.Entry)
	return d, err
}

// erase erases a member from all boards.
func (s *Site) erase(ctx context.Context, o Order, a board.Action) (d Done, err error) {
	receipt, err := s.Boards.Erase(ctx, o.Member, a)
	return Done{o.Member, fmt.Sprintf("Erased from %d boards and %d groups.", len(receipt.Boards), len(receipt.Groups))}, err
}
