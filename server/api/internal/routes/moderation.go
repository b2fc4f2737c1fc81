package routes

import (
	"context"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/internal/wire"
)

// ActionOn is an action on a member.
type ActionOn struct {
	OnBoard
	Body struct {
		Member wire.Text `json:"member"`
		wire.Action
	}
}

// ActionOnTwo is an action on two members.
type ActionOnTwo struct {
	OnBoard
	Body struct {
		Member wire.Text `json:"member"`
		To     wire.Text `json:"to" doc:"The other member."`
		wire.Action
	}
}

// Correcting is a result for a closed period.
type Correcting struct {
	OnBoard
	Body struct {
		Member wire.Text `json:"member"`
		wire.ClosedSubmission
		wire.Action
	}
}

// Reverting is a reversion.
type Reverting struct {
	OnBoard
	Body struct {
		Member wire.Text `json:"member"`
		wire.Reversion
		wire.Action
	}
}

// Erasing is the erasure of a member from all boards.
type Erasing struct {
	Body struct {
		Member wire.Text `json:"member"`
		wire.Action
	}
}

// registerModeration registers what operators do about members.
func registerModeration(r *Router) {
	verb := func(name, summary string, act func(m board.Board, ctx context.Context, member string, a board.Action) (board.Moderated, error)) {
		add(r, operation(name+"Member", "POST /v1/boards/{board}/moderation/"+name, "Moderation", summary), moderator, func(ctx context.Context, in *ActionOn) (o wire.Moderated, err error) {
			m, err := r.Boards.Board(ctx, in.Board)
			if err != nil {
				return o, err
			}
			x, err := act(m, ctx, string(in.Body.Member), action(ctx, in.Body.Action))
			return wire.ModeratedOf(x), err
		})
	}
	verb("ban", "Removes a member from all periods, and refuses its later submissions", board.Board.Ban)
	verb("unban", "Lets a banned member submit again", board.Board.Unban)
	verb("hide", "Takes a member out of all rankings, while its scores stay", board.Board.Hide)
	verb("show", "Puts a hidden member back", board.Board.Show)
	verb("erase", "Erases a member from the board, its audit log included", board.Board.Erase)
	pair := func(name, summary string, act func(m board.Board, ctx context.Context, from, to string, a board.Action) (board.Moderated, error)) {
		add(r, operation(name+"Member", "POST /v1/boards/{board}/moderation/"+name, "Moderation", summary), moderator, func(ctx context.Context, in *ActionOnTwo) (o wire.Moderated, err error) {
			m, err := r.Boards.Board(ctx, in.Board)
			if err != nil {
				return o, err
			}
			x, err := act(m, ctx, string(in.Body.Member), string(in.Body.To), action(ctx, in.Body.Action))
			return wire.ModeratedOf(x), err
		})
	}
	pair("rename", "Gives a member another name", board.Board.Rename)
	pair("merge", "Adds the results of a member to those of another one", board.Board.Merge)
	add(r, operation("correctMember", "POST /v1/boards/{board}/moderation/correct", "Moderation", "Submits a result to a closed period"), moderator, func(ctx context.Context, in *Correcting) (o wire.Moderated, err error) {
		m, err := r.Boards.Board(ctx, in.Board)
		if err != nil {
			return o, err
		}
		x, err := m.Correct(ctx, string(in.Body.Member), in.Body.ClosedSubmission.Board(), action(ctx, in.Body.Action))
		return wire.ModeratedOf(x), err
	})
	add(r, operation("revertMember", "POST /v1/boards/{board}/moderation/revert", "Moderation", "Takes submissions of a member back"), moderator, func(ctx context.Context, in *Reverting) (o wire.Reverted, err error) {
		m, err := r.Boards.Board(ctx, in.Board)
		if err != nil {
			return o, err
		}
		x, err := m.Revert(ctx, string(in.Body.Member), in.Body.Reversion.Board(), action(ctx, in.Body.Action))
		return wire.RevertedOf(x), err
	})
	add(r, operation("eraseEverywhere", "POST /v1/erase", "Moderation", "Erases a member from all boards, stored unions and groups"), moderator, func(ctx context.Context, in *Erasing) (o wire.Receipt, err error) {
		receipt, err := r.Boards.Erase(ctx, string(in.Body.Member), action(ctx, in.Body.Action))
		return wire.ReceiptOf(receipt), err
	})
}
