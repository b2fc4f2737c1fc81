package ops

import (
	"context"
	"fmt"

	"github.com/zrankdb/zrank/board"
)

// Standings is some members among themselves.
type Standings struct {
	Rows []board.AmongRow `json:"rows" doc:"Best first; members that are not ranked are left out."`
}

// Arrows is the movement of members.
type Arrows struct {
	Arrows []board.Arrow `json:"arrows" doc:"In the order of the request."`
}

// AmongArgs is some members.
type AmongArgs struct {
	Body struct {
		Members []string `json:"members,text" doc:"The names of members: friends, a guild."`
	}
}

// ArrowsArgs is some members, and what to compare with.
type ArrowsArgs struct {
	Body ArrowsBase
}

// ArrowsBase is some members, and the ranking to compare with.
type ArrowsBase struct {
	Members  []string `json:"members,text"`
	Period   string   `json:"period,omitempty" doc:"The base: a period."`
	Which    string   `json:"which,omitempty" enum:"closed,latest" doc:"The base: the last closed period that had members, or the last that has members."`
	Baseline string   `json:"baseline,omitempty" doc:"The base: a baseline of the window."`
	Pin      string   `json:"pin,omitempty" doc:"The base: a pinned ranking."`
	Union    string   `json:"union,omitempty" doc:"The base: a stored union."`
	Board    string   `json:"board,omitempty" doc:"The board of the base; absent: the same."`
	Window   string   `json:"window,omitempty" doc:"The window of the base, of which it is the live period unless something else is given; absent: the same."`
}

// Reads of several members. They have bodies, so they are POST.
var (
	// AmongMembers is board.Ranking.Among.
	AmongMembers = onRanking(Op{ID: "Among", Route: "POST among",
		Command: "BOARD.AMONG [MEMBER members]...", Cost: "O(M*log(N)) for M members; with ASOF O(N) more", Own: true,
		Summary: "Some members among themselves, with their ranks in the whole ranking"},
		func(ctx context.Context, e *Env, k board.Ranking, a *AmongArgs) (o Standings, err error) {
			if err = e.RowsIn(ctx, k, len(a.Body.Members)); err == nil {
				o.Rows, err = k.Among(ctx, a.Body.Members...)
			}
			return o, err
		})
	// MoveArrows is board.Ranking.Arrows.
	MoveArrows = onRanking(Op{ID: "Arrows", Route: "POST arrows", Summary: "The ranks of members here and in a base"},
		func(ctx context.Context, e *Env, k board.Ranking, a *ArrowsArgs) (o Arrows, err error) {
			if err := e.rows(len(a.Body.Members)); err != nil {
				return o, err
			}
			base, err := a.Body.ranking(ctx, e, k)
			if err == nil {
				o.Arrows, err = k.Arrows(ctx, base, a.Body.Members...)
			}
			return o, err
		})
)

// ranking returns the ranking that the request compares k with, nil for none.
func (x *ArrowsBase) ranking(ctx context.Context, e *Env, k board.Ranking) (board.Ranking, error) {
	switch {
	case x.Pin != "":
		return e.pinned(ctx, x.Pin)
	case x.Union != "":
		if err := e.mayRead(ctx, ""); err != nil {
			return nil, err
		}
		return (&UnionLocator{Union: x.Union}).Ranking(ctx, e)
	case x.Period == "" && x.Baseline == "" && x.Which == "" && x.Window == "":
		return nil, nil
	}
	same, err := k.Info(ctx)
	if err != nil {
		return nil, err
	}
	l := Locator{Period: x.Period, Which: x.Which, Baseline: x.Baseline}
	l.Board, l.Window = same.Board, same.Window
	if x.Board != "" {
		l.Board = x.Board
	}
	if x.Window != "" {
		l.Window = x.Window
	}
	if err := e.mayRead(ctx, l.Board); err != nil {
		return nil, err
	}
	return l.Ranking(ctx, e)
}

// pinned returns a pinned ranking.
func (e *Env) pinned(ctx context.Context, id string) (board.Ranking, error) {
	if e.Pinned == nil {
		return nil, fmt.Errorf("%w: pinned rankings", board.ErrUnsupported)
	}
	return e.Pinned(ctx, id)
}
