package routes

import (
	"context"

	"github.com/zrankdb/zrank/board"
)

// ActionOn is an action on a member.
type ActionOn struct {
	OnBoard
	Body struct {
		Member string `json:"member,text"`
		board.Action
	}
}

// ActionOnTwo is an action on two members.
type ActionOnTwo struct {
	OnBoard
	Body struct {
		Member string `json:"member,text"`
		To     string `json:"to,text" doc:"The other member."`
		board.Action
	}
}

// Correcting is a result for a closed period.
type Correcting struct {
	OnBoard
	Body struct {
		Member string `json:"member,text"`
		board.ClosedSubmission
		board.Action
	}
}

// Reverting is a reversion.
type Reverting struct {
	OnBoard
	Body struct {
		Member string `json:"member,text"`
		board.Reversion
		board.Action
	}
}

// Erasing is the erasure of a member from all boards.
type Erasing struct {
	Body struct {
		Member string `json:"member,text"`
		board.Action
	}
}

// registerModeration registers what operators do about members.
func registerModeration(r *Router) {
	verb := func(name, summary string, act func(m board.Board, ctx context.Context, member string, a board.Action) (board.Moderated, error)) {
		add(r, operation(name+"Member", "POST /v1/boards/{board}/moderation/"+name, "Moderation", summary), moderator, func(ctx context.Context, in *ActionOn) (o board.Moderated, err error) {
			m, err := r.Boards.Board(ctx, in.Board)
			if err != nil {
				return o, err
			}
			return act(m, ctx, in.Body.Member, action(ctx, in.Body.Action))
		})
	}
	verb("ban", "Removes a member from all periods, and refuses its later submissions", board.Board.Ban)
	verb("unban", "Lets a banned member submit again", board.Board.Unban)
	verb("hide", "Takes a member out of all rankings, while its scores stay", board.Board.Hide)
	verb("show", "Puts a hidden member back", board.Board.Show)
	verb("erase", "Erases a member from the board, its audit log included", board.Board.Erase)
	pair := func(name, summary string, act func(m board.Board, ctx context.Context, from, to string, a board.Action) (board.Moderated, error)) {
		add(r, operation(name+"Member", "POST /v1/boards/{board}/moderation/"+name, "Moderation", summary), moderator, func(ctx context.Context, in *ActionOnTwo) (o board.Moderated, err error) {
			m, err := r.Boards.Board(ctx, in.Board)
			if err != nil {
				return o, err
			}
			return act(m, ctx, in.Body.Member, in.Body.To, action(ctx, in.Body.Action))
		})
	}
	pair("rename", "Gives a member another name", board.Board.Rename)
	pair("merge", "Adds the results of a member to those of another one", board.Board.Merge)
	add(r, operation("correctMember", "POST /v1/boards/{board}/moderation/correct", "Moderation", "Submits a result to a closed period"), moderator, func(ctx context.Context, in *Correcting) (o board.Moderated, err error) {
		m, err := r.Boards.Board(ctx, in.Board)
		if err != nil {
			return o, err
		}
		return m.Correct(ctx, in.Body.Member, in.Body.ClosedSubmission, action(ctx, in.Body.Action))
	})
	add(r, operation("revertMember", "POST /v1/boards/{board}/moderation/revert", "Moderation", "Takes submissions of a member back"), moderator, func(ctx context.Context, in *Reverting) (o board.Reverted, err error) {
		m, err := r.Boards.Board(ctx, in.Board)
		if err != nil {
			return o, err
		}
		return m.Revert(ctx, in.Body.Member, in.Body.Reversion, action(ctx, in.Body.Action))
	})
	add(r, operation("eraseEverywhere", "POST /v1/erase", "Moderation", "Erases a member from all boards, stored unions and groups"), moderator, func(ctx context.Context, in *Erasing) (o board.Erased, err error) {
		return r.Boards.Erase(ctx, in.Body.Member, action(ctx, in.Body.Action))
	})
}
