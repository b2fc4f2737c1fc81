package groups

import (
	"context"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/engine"
)

// Among returns the members of a group that a ranking has: see board.Groups.Among.
func (k *Kind) Among(ctx context.Context, r board.Ranking, group string) ([]board.AmongRow, error) {
	return k.amongIn(ctx, nil, r, group)
}

// amongIn is Among as a transaction sees the members.
func (k *Kind) amongIn(ctx context.Context, tx *engine.Tx, r board.Ranking, group string) ([]board.AmongRow, error) {
	g, err := k.g.Group(tx, group)
	if err != nil {
		return nil, err
	}
	return r.Among(ctx, k.g.AppendMembers(tx, nil, g, "", k.g.Size(tx, g))...)
}
