package cluster

import (
	"context"
	"fmt"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/audit"
	"github.com/zrankdb/zrank/board/cluster/internal/layout"
)

// Hide takes a member out of all rankings, in open and closed periods, by one commit: see board.Board.Hide. Its values stay, with a mark. O(periods). Errors: those
// of board.Board.Hide, ErrUndecided.
func (b *clusterBoard) Hide(ctx context.Context, member string, a board.Action) (board.Moderated, error) {
	return b.act(ctx, audit.Hide, member, a, func(x *action) error {
		if x.who.Hidden {
			return fmt.Errorf("%w: %q of %q", board.ErrHidden, member, b.st.Name)
		}
		x.mark(x.who.With(x.who.Banned, true))
		x.change(func(s *spot) (is layout.Value, p board.Place, ok bool) {
			is, p = s.was, s.leaving()
			is.Hidden, p.Hidden, p.NewScore = true, true, p.Score
			return is, p, true
		})
		return nil
	})
}

// Show undoes Hide: see board.Board.Show. O(periods). Errors: those of board.Board.Show, ErrUndecided.
func (b *clusterBoard) Show(ctx context.Context, member string, a board.Action) (board.Moderated, error) {
	return b.act(ctx, audit.Show, member, a, func(x *action) error {
		if !x.who.Hidden {
			return fmt.Errorf("%w: %q of %q", board.ErrNotHidden, member, b.st.Name)
		}
		x.mark(x.who.With(x.who.Banned, false))
		x.change(func(s *spot) (is layout.Value, p board.Place, ok bool) {
			is, p = s.was, s.place()
			is.Hidden, p.Hidden, p.NewScore, p.NewRank = false, false, p.Score, s.before+1
			if s.closed {
				p.Moved = s.members - s.before
			}
			return is, p, true
		})
		return nil
	})
}

// IsHidden reports whether a member is hidden. Errors: those of the servers.
func (b *clusterBoard) IsHidden(ctx context.Context, member string) (bool, error) {
	s, err := b.standingOf(ctx, []byte(member))
	return s.Hidden, err
}
