package remote

import (
	"context"
	"net/http"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/internal/wire"
)

// acting is the body of an action on a member, and perhaps on another one.
type acting struct {
	Member wire.Text  `json:"member"`
	To     *wire.Text `json:"to,omitempty"`
	wire.Action
}

// act makes a request that changes what a board has of a member; to is the other one, nil for none.
func (b *remoteBoard) act(ctx context.Context, verb, member string, to *wire.Text, a board.Action) (board.Moderated, error) {
	m, err := send[wire.Moderated](ctx, b.c, http.MethodPost, b.path("moderation", verb), acting{wire.Text(member), to, wire.ActionOf(a)})
	return m.Board(), err
}

// Ban is board.Board.Ban.
func (b *remoteBoard) Ban(ctx context.Context, member string, a board.Action) (board.Moderated, error) {
	return b.act(ctx, "ban", member, nil, a)
}

// Unban is board.Board.Unban.
func (b *remoteBoard) Unban(ctx context.Context, member string, a board.Action) (board.Moderated, error) {
	return b.act(ctx, "unban", member, nil, a)
}

// Hide is board.Board.Hide.
func (b *remoteBoard) Hide(ctx context.Context, member string, a board.Action) (board.Moderated, error) {
	return b.act(ctx, "hide", member, nil, a)
}

// Show is board.Board.Show.
func (b *remoteBoard) Show(ctx context.Context, member string, a board.Action) (board.Moderated, error) {
	return b.act(ctx, "show", member, nil, a)
}

// Erase is board.Board.Erase.
func (b *remoteBoard) Erase(ctx context.Context, member string, a board.Action) (board.Moderated, error) {
	return b.act(ctx, "erase", member, nil, a)
}

// other returns the name of the other member of an action.
func other(name string) *wire.Text { return (*wire.Text)(&name) }

// Rename is board.Board.Rename.
func (b *remoteBoard) Rename(ctx context.Context, member, to string, a board.Action) (board.Moderated, error) {
	return b.act(ctx, "rename", member, other(to), a)
}

// Merge is board.Board.Merge.
func (b *remoteBoard) Merge(ctx context.Context, from, into string, a board.Action) (board.Moderated, error) {
	return b.act(ctx, "merge", from, other(into), a)
}

// Correct is board.Board.Correct.
func (b *remoteBoard) Correct(ctx context.Context, member string, sub board.ClosedSubmission, a board.Action) (board.Moderated, error) {
	m, err := send[wire.Moderated](ctx, b.c, http.MethodPost, b.path("moderation", "correct"), struct {
		Member wire.Text `json:"member"`
		wire.ClosedSubmission
		wire.Action
	}{wire.Text(member), wire.ClosedSubmissionOf(sub), wire.ActionOf(a)})
	return m.Board(), err
}

// Revert is board.Board.Revert.
func (b *remoteBoard) Revert(ctx context.Context, member string, r board.Reversion, a board.Action) (board.Reverted, error) {
	x, err := send[wire.Reverted](ctx, b.c, http.MethodPost, b.path("moderation", "revert"), struct {
		Member wire.Text `json:"member"`
		wire.Reversion
		wire.Action
	}{wire.Text(member), wire.ReversionOf(r), wire.ActionOf(a)})
	return x.Board(), err
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
