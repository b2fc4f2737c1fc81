package remote

import (
	"context"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/ops"
)

// act does an operation on a member.
func (b *remoteBoard) act(ctx context.Context, op ops.Typed[ops.ActionArgs, board.Moderated], member string, a board.Action) (board.Moderated, error) {
	return call(ctx, b.c, op, ops.ActionArgs{OnBoard: b.on(), Body: ops.ActionOn{Member: member, Action: a}})
}

// Ban is board.Board.Ban.
func (b *remoteBoard) Ban(ctx context.Context, member string, a board.Action) (board.Moderated, error) {
	return b.act(ctx, ops.Ban, member, a)
}

// Unban is board.Board.Unban.
func (b *remoteBoard) Unban(ctx context.Context, member string, a board.Action) (board.Moderated, error) {
	return b.act(ctx, ops.Unban, member, a)
}

// Hide is board.Board.Hide.
func (b *remoteBoard) Hide(ctx context.Context, member string, a board.Action) (board.Moderated, error) {
	return b.act(ctx, ops.Hide, member, a)
}

// Show is board.Board.Show.
func (b *remoteBoard) Show(ctx context.Context, member string, a board.Action) (board.Moderated, error) {
	return b.act(ctx, ops.Show, member, a)
}

// Erase is board.Board.Erase.
func (b *remoteBoard) Erase(ctx context.Context, member string, a board.Action) (board.Moderated, error) {
	return b.act(ctx, ops.Erase, member, a)
}

// actOnTwo does an operation on two members.
func (b *remoteBoard) actOnTwo(ctx context.Context, op ops.Typed[ops.PairArgs, board.Moderated], member, to string, a board.Action) (board.Moderated, error) {
	args := ops.PairArgs{OnBoard: b.on()}
	args.Body.Member, args.Body.To, args.Body.Action = member, to, a
	return call(ctx, b.c, op, args)
}

// Rename is board.Board.Rename.
func (b *remoteBoard) Rename(ctx context.Context, member, to string, a board.Action) (board.Moderated, error) {
	return b.actOnTwo(ctx, ops.Rename, member, to, a)
}

// Merge is board.Board.Merge.
func (b *remoteBoard) Merge(ctx context.Context, from, into string, a board.Action) (board.Moderated, error) {
	return b.actOnTwo(ctx, ops.Merge, from, into, a)
}

// Correct is board.Board.Correct.
func (b *remoteBoard) Correct(ctx context.Context, member string, sub board.ClosedSubmission, a board.Action) (board.Moderated, error) {
	args := ops.CorrectArgs{OnBoard: b.on()}
	args.Body.Member, args.Body.ClosedSubmission, args.Body.Action = member, sub, a
	return call(ctx, b.c, ops.Correct, args)
}

// Revert is board.Board.Revert.
func (b *remoteBoard) Revert(ctx context.Context, member string, r board.Reversion, a board.Action) (board.Reverted, error) {
	args := ops.RevertArgs{OnBoard: b.on()}
	args.Body.Member, args.Body.Reversion, args.Body.Action = member, r, a
	return call(ctx, b.c, ops.Revert, args)
}

// IsBanned is board.Board.IsBanned. The server tells it with all places of the member.
func (b *remoteBoard) IsBanned(ctx context.Context, member string) (bool, error) {
	m, err := b.Member(ctx, member)
	return m.Banned, err
}

// IsHidden is board.Board.IsHidden. The server tells it with all places of the member.
func (b *remoteBoard) IsHidden(ctx context.Context, member string) (bool, error) {
	m, err := b.Member(ctx, member)
	return m.Hidden, err
}
