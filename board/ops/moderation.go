package ops

import (
	"context"
	"strings"

	"github.com/zrankdb/zrank/board"
)

// ActionArgs is an action on a member.
type ActionArgs struct {
	OnBoard
	Body ActionOn
}

// ActionOn is a member and an action on it.
type ActionOn struct {
	Member string `json:"member,text"`
	board.Action
}

// PairArgs is an action on two members.
type PairArgs struct {
	OnBoard
	Body struct {
		Member string `json:"member,text"`
		To     string `json:"to,text" doc:"The other member."`
		board.Action
	}
}

// CorrectArgs is a result for a closed period.
type CorrectArgs struct {
	OnBoard
	Body struct {
		Member string `json:"member,text"`
		board.ClosedSubmission
		board.Action
	}
}

// RevertArgs is a reversion.
type RevertArgs struct {
	OnBoard
	Body struct {
		Member string `json:"member,text"`
		board.Reversion
		board.Action
	}
}

// EverywhereArgs is an action on a member of all boards.
type EverywhereArgs struct {
	Body ActionOn
}

const moderation = "Moderation"

// What operators do about members.
var (
	// Ban is board.Board.Ban.
	Ban = acting("ban", "[KEEPRANKS=keepRanks] ", "Removes a member from all periods, and refuses its later submissions", board.Board.Ban)
	// Unban is board.Board.Unban.
	Unban = acting("unban", "", "Lets a banned member submit again", board.Board.Unban)
	// Hide is board.Board.Hide.
	Hide = acting("hide", "", "Takes a member out of all rankings, while its scores stay", board.Board.Hide)
	// Show is board.Board.Show.
	Show = acting("show", "", "Puts a hidden member back", board.Board.Show)
	// Erase is board.Board.Erase.
	Erase = acting("erase", "[KEEPRANKS=keepRanks] ", "Erases a member from the board, its audit log included", board.Board.Erase)
	// Rename is board.Board.Rename.
	Rename = actingOnTwo("rename", "Gives a member another name", board.Board.Rename)
	// Merge is board.Board.Merge.
	Merge = actingOnTwo("merge", "Adds the results of a member to those of another one", board.Board.Merge)
	// Correct is board.Board.Correct.
	Correct = onBoard(moderating("correct", "member window period score... [AT at] [REASON reason] [DRYRUN=dryRun]", "O(log(N))",
		"Submits a result to a closed period"),
		func(ctx context.Context, e *Env, b board.Board, a *CorrectArgs) (board.Moderated, error) {
			return b.Correct(ctx, a.Body.Member, a.Body.ClosedSubmission, e.action(a.Body.Action))
		})
	// Revert is board.Board.Revert.
	Revert = onBoard(moderating("revert", "member (ROW row|SINCE since) [REASON reason] [DRYRUN=dryRun]", "O(J) for J rows of the journal",
		"Takes submissions of a member back"),
		func(ctx context.Context, e *Env, b board.Board, a *RevertArgs) (board.Reverted, error) {
			return b.Revert(ctx, a.Body.Member, a.Body.Reversion, e.action(a.Body.Action))
		})
	// BanEverywhere is board.Store.Ban.
	BanEverywhere = onStore(Op{ID: "banEverywhere", Route: "POST /ban",
		Command: "BOARD.BANALL member [REASON reason] [KEEPRANKS=keepRanks] [DRYRUN=dryRun]", Cost: "O(P*log(N)) for P periods of the member", Heading: moderation, Right: ToModerate,
		Summary: "Bans a member on all boards, and settles the closed periods again that have awarded something to it or to those behind it"},
		func(ctx context.Context, e *Env, a *EverywhereArgs) (board.Banned, error) {
			return e.Boards.Ban(ctx, a.Body.Member, e.action(a.Body.Action))
		})
	// EraseEverywhere is board.Store.Erase.
	EraseEverywhere = onStore(Op{ID: "eraseEverywhere", Route: "POST /erase",
		Command: "BOARD.ERASEALL member [REASON reason] [KEEPRANKS=keepRanks] [DRYRUN=dryRun]", Cost: "O(P*log(N)) for P periods of the member", Heading: moderation, Right: ToModerate,
		Summary: "Erases a member from all boards, stored unions and groups"},
		func(ctx context.Context, e *Env, a *EverywhereArgs) (board.Erased, error) {
			return e.Boards.Erase(ctx, a.Body.Member, e.action(a.Body.Action))
		})
)

// perPeriod is the cost of most changes of a member.
const perPeriod = "O(P*log(N)) for P periods of the member"

// moderating describes an operation that changes what is kept of a member. words are those of RESP behind the board.
func moderating(name, words, cost, summary string) Op {
	return Op{ID: name + "Member", Route: "POST /boards/{board}/moderation/" + name, Heading: moderation, Right: ToModerate, Summary: summary,
		Command: "BOARD." + strings.ToUpper(name) + " board " + words, Cost: cost}
}

// acting returns an operation on one member.
func acting(name, options, summary string,
	do func(b board.Board, ctx context.Context, member string, a board.Action) (board.Moderated, error),
) Typed[ActionArgs, board.Moderated] {
	return onBoard(moderating(name, "member [REASON reason] "+options+"[DRYRUN=dryRun]", perPeriod, summary),
		func(ctx context.Context, e *Env, b board.Board, a *ActionArgs) (board.Moderated, error) {
			return do(b, ctx, a.Body.Member, e.action(a.Body.Action))
		})
}

// actingOnTwo returns an operation on two members.
func actingOnTwo(name, summary string,
	do func(b board.Board, ctx context.Context, from, to string, a board.Action) (board.Moderated, error),
) Typed[PairArgs, board.Moderated] {
	return onBoard(moderating(name, "member to [REASON reason] [DRYRUN=dryRun]", perPeriod, summary),
		func(ctx context.Context, e *Env, b board.Board, a *PairArgs) (board.Moderated, error) {
			return do(b, ctx, a.Body.Member, a.Body.To, e.action(a.Body.Action))
		})
}
