package cluster

import (
	"context"
	"fmt"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/audit"
	"github.com/zrankdb/zrank/board/cluster/internal/layout"
)

// refuseKeptRanks returns ErrUnsupported if an action is to keep the ranks of others.
func (b *clusterBoard) refuseKeptRanks(a board.Action) error {
	if !a.KeepRanks {
		return nil
	}
	return fmt.Errorf("%w: %q: KeepRanks: every rank of a closed period would have to be counted with those that nobody has", ErrUnsupported, b.st.Name)
}

// Ban removes a member from all open and closed periods by one commit, and makes every later submission of it fail with board.ErrBanned, until Unban. O(periods).
// Errors: those of board.Board.Ban, ErrUnsupported for KeepRanks, ErrUndecided.
func (b *clusterBoard) Ban(ctx context.Context, member string, a board.Action) (board.Moderated, error) {
	if err := b.refuseKeptRanks(a); err != nil {
		return board.Moderated{}, err
	}
	return b.act(ctx, audit.Ban, member, a, func(x *action) error {
		if x.who.Banned {
			return fmt.Errorf("%w: %q of %q", board.ErrBanned, member, b.st.Name)
		}
		x.mark(x.who.With(true, x.who.Hidden))
		x.change(func(s *spot) (layout.Value, board.Place, bool) { return layout.Value{}, s.leaving(), true })
		return nil
	})
}

// Unban ends the ban of a member: its submissions count again. What was removed stays removed. Errors: those of board.Board.Unban, ErrUndecided.
func (b *clusterBoard) Unban(ctx context.Context, member string, a board.Action) (board.Moderated, error) {
	return b.act(ctx, audit.Unban, member, a, func(x *action) error {
		if !x.who.Banned {
			return fmt.Errorf("%w: %q of %q", board.ErrNotBanned, member, b.st.Name)
		}
		x.mark(x.who.With(false, x.who.Hidden))
		x.change(func(s *spot) (layout.Value, board.Place, bool) { return s.was, board.Place{}, false })
		return nil
	})
}

// IsBanned reports whether a member is banned. Errors: those of the servers.
func (b *clusterBoard) IsBanned(ctx context.Context, member string) (bool, error) {
	s, err := b.standingOf(ctx, []byte(member))
	return s.Banned, err
}
