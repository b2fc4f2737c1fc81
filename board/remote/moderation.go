package remote

import (
	"context"
	"net/http"

	"github.com/zrankdb/zrank/internal/boardjson"

	"github.com/zrankdb/zrank/board"
)

// acting is the body of an action on a member, and perhaps on another one.
type acting struct {
	Member boardjson.Text  `json:"member"`
	To     *boardjson.Text `json:"to,omitempty"`
	board.Action
}

// act makes a request that changes what a board has of a member; to is the other one, nil for none.
func (b *remoteBoard) act(ctx context.Context, verb, member string, to *boardjson.Text, a board.Action) (board.Moderated, error) {
	return send[board.Moderated](ctx, b.c, http.MethodPost, b.path("moderation", verb), acting{boardjson.Text(member), to, a})
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
func other(name string) *boardjson.Text { return (*boardjson.Text)(&name) }

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
	return send[board.Moderated](ctx, b.c, http.MethodPost, b.path("moderation", "correct"), struct {
		Member boardjson.Text `json:"member"`
		board.ClosedSubmission
		board.Action
	}{boardjson.Text(member), sub, a})
}

// Revert is board.Board.Revert.
func (b *remoteBoard) Revert(ctx context.Context, member string, r board.Reversion, a board.Action) (board.Reverted, error) {
	return send[board.Reverted](ctx, b.c, http.MethodPost, b.path("moderation", "revert"), struct {
		Member boardjson.Text `json:"member"`
		board.Reversion
		board.Action
	}{boardjson.Text(member), r, a})
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
