package groups

import (
	"context"

	"github.com/zrankdb/zrank/board"
)

// Among returns the members of a group that a ranking has: see board.Groups.Among.
func (k *Kind) Among(ctx context.Context, r board.Ranking, group string) ([]board.Standing, error) {
	g, err := k.g.Kind.Group(group)
	if err != nil {
		return nil, err
	}
	return r.Among(ctx, k.g.AppendMembers(nil, g, "", k.g.Size(g))...)
}
