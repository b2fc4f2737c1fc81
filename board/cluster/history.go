package cluster

import (
	"context"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/moderation"
)

// Member returns what the board has of a member, banned or not: see board.Board.Member. O(periods). Errors: board.ErrMember, those of the servers.
func (b *clusterBoard) Member(ctx context.Context, name string) (m board.Member, err error) {
	if name == "" || len(name) > board.MaxMember {
		return m, board.ErrMember
	}
	who, err := b.standingOf(ctx, []byte(name))
	if err != nil {
		return m, err
	}
	spots, err := b.spotsOf(ctx, []byte(name))
	if err != nil {
		return m, err
	}
	m.Name, m.Banned, m.Hidden = name, who.Banned, who.Hidden
	for _, t := range b.st.Timelines {
		h := board.History{Window: t.Window.Name}
		for i := range spots {
			if s := &spots[i]; s.t == t && s.was.HasMember {
				h.Places = append(h.Places, s.place())
			}
		}
		moderation.FindBest(&h, b.st.Rules)
		m.Windows = append(m.Windows, h)
	}
	return m, nil
}
