package groups

import (
	"github.com/zrankdb/zrank/engine/board/internal/ranking"
)

// Among returns the members of a group that a ranking has: see board.Groups.Among.
func (k *Kind) Among(r ranking.Ranking, group string) ([]ranking.Standing, error) {
	g, err := k.g.Kind.Group(group)
	if err != nil {
		return nil, err
	}
	return r.Among(k.g.AppendMembers(nil, g, "", k.g.Size(g))...)
}
