package boardcmd

import (
	"context"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/server/resp/internal/command"
	"github.com/zrankdb/zrank/server/resp/internal/session"
)

// The commands of moderators. Each is written into the audit log of the board under the name of the client's user. The reply has the number of that
// entry: BOARD.AUDIT answers the places that were changed. A dry run answers them itself. When the server closes, changes of closed periods that are
// not done go on after it has started again: see BOARD.JOBS.

// moderation returns the commands of moderators.
func (b *commands) moderation() []session.Command {
	return []session.Command{
		{Name: "board.ban", Arity: -3, Flags: moderates, Alone: b.moderate(true, board.Board.Ban),
			Doc: command.NewDoc("Bans a member and removes it from open and closed periods", "", "board", "O(P*log(N)) for P periods of the member")},
		{Name: "board.unban", Arity: -3, Flags: moderates, Alone: b.moderate(false, unban),
			Doc: command.NewDoc("Ends the ban of a member", "", "board", "O(1)")},
		{Name: "board.revert", Arity: -5, Flags: moderates, Alone: b.revert,
			Doc: command.NewDoc("Takes back a submission of a member, or all since a time", "", "board", "O(J) for J rows of the journal")},
		{Name: "board.correct", Arity: -6, Flags: moderates, Alone: b.correct,
			Doc: command.NewDoc("Submits a result to a closed period", "", "board", "O(log(N))")},
		{Name: "board.hide", Arity: -3, Flags: moderates, Alone: b.moderate(false, board.Board.Hide),
			Doc: command.NewDoc("Hides a member: it is in no list and has no rank", "", "board", "O(P*log(N)) for P periods of the member")},
		{Name: "board.show", Arity: -3, Flags: moderates, Alone: b.moderate(false, board.Board.Show),
			Doc: command.NewDoc("Shows a hidden member again", "", "board", "O(P*log(N)) for P periods of the member")},
		{Name: "board.rename", Arity: -4, Flags: moderates, Alone: b.moderateTwo(board.Board.Rename),
			Doc: command.NewDoc("Gives a member another name in open and closed periods", "", "board", "O(P*log(N)) for P periods of the member")},
		{Name: "board.merge", Arity: -4, Flags: moderates, Alone: b.moderateTwo(board.Board.Merge),
			Doc: command.NewDoc("Adds the results of a member to those of another one", "", "board", "O(P*log(N)) for P periods of the member")},
		{Name: "board.erase", Arity: -3, Flags: moderates, Alone: b.erase,
			Doc: command.NewDoc("Erases all that a board keeps of a member", "", "board", "O(P*log(N)) for P periods of the member")},
		{Name: "board.settier", Arity: -4, Flags: moderates, Alone: b.moderateTwo(setTier),
			Doc: command.NewDoc("Gives a member another tier of a league", "", "board", "O(1)")},
		{Name: "board.member", Arity: 3, Flags: command.ReadOnly | command.NoMulti, Alone: b.member,
			Doc: command.NewDoc("Returns a member's places in all periods", "", "board", "O(P*log(P)) for P periods of the member")},
		{Name: "board.journal", Arity: -2, Flags: command.ReadOnly | command.Moderate | command.NoMulti, Alone: b.journal,
			Doc: command.NewDoc("Returns the last submissions, newest first", "", "board", "O(J) for J rows of the journal")},
		{Name: "board.feed", Arity: -2, Flags: command.ReadOnly | command.Moderate | command.NoMulti | command.Blocking, Alone: b.feed,
			Doc: command.NewDoc("Returns what has happened on boards behind a position, or waits for it", "", "board", "O(E) for E events")},
		{Name: "board.audit", Arity: -2, Flags: command.ReadOnly | command.Moderate | command.NoMulti, Alone: b.audit,
			Doc: command.NewDoc("Returns who has changed what of which member, or the places that an entry has changed", "", "board", "O(E) for E entries")},
		{Name: "board.jobs", Arity: 2, Flags: command.ReadOnly | command.Moderate | command.NoMulti, Alone: b.jobs,
			Doc: command.NewDoc("Returns the changes of closed periods that are in progress", "", "board", "O(J) for J jobs")},
	}
}

func setTier(of board.Board, ctx context.Context, member, tier string, a board.Action) (board.Moderated, error) {
	entry, err := of.SetTier(ctx, member, tier, a)
	return board.Moderated{Entry: entry}, err
}

func unban(of board.Board, ctx context.Context, member string, a board.Action) (board.Moderated, error) {
	return of.Unban(ctx, member, a)
}
