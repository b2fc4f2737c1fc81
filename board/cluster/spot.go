package cluster

import (
	"context"

	"github.com/redis/go-redis/v9"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/cluster/internal/layout"
	"github.com/zrankdb/zrank/board/cluster/internal/sets"
	"github.com/zrankdb/zrank/board/internal/state"
)

// spot is a member in a period, open or closed.
type spot struct {
	b       *clusterBoard
	t       *state.Timeline
	slot    *state.Slot
	closed  bool
	was     layout.Value
	before  int // how many texts come before its own, or would; 0 without the member
	members int // that are ranked
}

// spotsOf returns the spots of a member in all periods: windows as in the spec, periods in order of time.
func (b *clusterBoard) spotsOf(ctx context.Context, member []byte) (all []spot, err error) {
	had, err := b.refresh(ctx)
	if err != nil {
		return nil, err
	}
	for _, t := range b.st.Timelines {
		for _, p := range had.inOrder(t.Window.Name) {
			slot := t.SlotOf(p)
			all = append(all, spot{b: b, t: t, slot: slot, closed: t.IsClosed(slot)})
		}
	}
	return all, b.readSpots(ctx, all, member)
}

// readSpots reads the values of a member, and where they are in the rankings.
func (b *clusterBoard) readSpots(ctx context.Context, all []spot, member []byte) error {
	k, gets := b.keys.PartitionOf(member), make([]*redis.StringCmd, len(all))
	err := b.servers.Ask(ctx, func(pipe redis.Pipeliner) {
		for i, s := range all {
			gets[i] = pipe.HGet(ctx, b.keys.Values(k, s.t.Window.Name, s.slot.Name), string(member))
		}
	})
	if err != nil {
		return err
	}
	for i := range all {
		if all[i].was, err = layout.DecodeValue(gets[i].Val(), b.st.Rules.TieWidth()); err != nil {
			return err
		}
	}
	before, members := make([]sets.Sums, len(all)), make([]sets.Sums, len(all))
	err = b.servers.Ask(ctx, func(pipe redis.Pipeliner) {
		for i, s := range all {
			if !s.was.HasMember {
				continue
			}
			before[i], members[i] = b.count(ctx, pipe, &s, s.was.Place(member))
		}
	})
	for i := range all {
		all[i].before, all[i].members = before[i].Val(), members[i].Val()
	}
	return err
}

// count queues the counts of the texts before one, and of all, in the ranking of a spot.
func (b *clusterBoard) count(ctx context.Context, pipe redis.Pipeliner, s *spot, text string) (before, members sets.Sums) {
	before, members = make(sets.Sums, b.partitions()), make(sets.Sums, b.partitions())
	for k := range before {
		key := b.keys.Ranking(k, s.t.Window.Name, s.slot.Name)
		before[k], members[k] = pipe.ZLexCount(ctx, key, "-", "("+text), pipe.ZCard(ctx, key)
	}
	return before, members
}

// place returns the place of the member as it is.
func (s *spot) place() board.Place {
	p := board.Place{Window: s.t.Window.Name, Period: s.slot.Name, Closed: s.closed, Hidden: s.was.Hidden, Score: s.was.Entry(s.b.st.Rules).Score}
	if s.closed {
		p.Members = s.members
	}
	if !s.was.Hidden {
		p.Rank = s.before + 1
	}
	return p
}

// leaving returns the place of the member, which is about to leave the ranking.
func (s *spot) leaving() board.Place {
	p := s.place()
	if s.closed && !s.was.Hidden {
		p.Moved = s.members - p.Rank
	}
	return p
}
