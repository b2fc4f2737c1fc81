package groups

import (
	"github.com/zrankdb/zrank/board"
)

// Among returns the members of a group that a ranking has: see local.Groups.Among.
func (k *Kind) Among(r board.Ranking, group string) ([]board.Standing, error) {
	g, err := k.g.Kind.Group(group)
	if err != nil {
		return nil, err
	}
	return r.Among(k.g.AppendMembers(nil, g, "", k.g.Size(g))...)
}
