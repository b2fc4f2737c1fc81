package local

import (
	"context"
	"errors"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
)

// moderate changes a member as an operator does.
func (s *societies) moderate(member, other string) {
	ctx := context.Background()
	var err error
	switch s.rng.IntN(9) {
	case 0:
		_, err = s.arena.Remove(ctx, member)
		s.removes[member] = true
	case 1:
		if _, err = s.arena.Ban(ctx, member, ops); err == nil {
			s.removes[member] = true
			_, err = s.arena.Unban(ctx, member, ops)
		}
	case 2:
		if _, err = s.arena.Hide(ctx, member, ops); err == nil {
			s.then = func() { s.whileHidden(member) }
		}
	case 3:
		_, err = s.arena.Show(ctx, member, ops)
	case 4:
		s.rename(member, other)
		s.then = func() {
			g, err := s.bs.Groups(ctx, "guild")
			require.NoError(s.t, err)
			s.renameIn(g, member, other)
		}
	case 5:
		if _, err = s.arena.Merge(ctx, member, other, ops); err == nil {
			s.handOver(member, other, false)
		}
	case 6:
		_, err = s.arena.Revert(ctx, member, board.Reversion{Since: s.clock.Now().Add(-time.Duration(s.rng.IntN(50)) * time.Hour)}, ops)
	case 7, 8:
		err = s.correct(member)
	}
	s.refused(err)
}

// whileHidden changes a hidden member, and shows it again after that.
func (s *societies) whileHidden(member string) {
	show := func() {
		_, err := s.arena.Show(context.Background(), member, ops)
		s.refused(err)
	}
	s.then = show
	switch s.rng.IntN(4) {
	case 0:
		s.submit(member)
	case 1:
		_, err := s.arena.Remove(context.Background(), member)
		require.NoError(s.t, err)
		s.removes[member] = true
		s.then = func() {
			s.submit(member)
			s.then = show
		}
	default:
		s.join("guild", member)
	}
}

// rename gives a member another name on the board.
func (s *societies) rename(member, to string) {
	_, err := s.arena.Rename(context.Background(), member, to, ops)
	if err == nil {
		s.handOver(member, to, true)
	}
	s.refused(err)
}

// refused fails the test on an error that moderation does not return here.
func (s *societies) refused(err error) {
	for _, allowed := range []error{board.ErrHidden, board.ErrNotHidden, board.ErrExists, board.ErrAction, board.ErrNoJournal, board.ErrNotInJournal} {
		if errors.Is(err, allowed) {
			return
		}
	}
	require.NoError(s.t, err)
}
