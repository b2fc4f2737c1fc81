package cluster

import (
	"context"
	"fmt"
	"slices"

	"github.com/redis/go-redis/v9"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/audit"
	"github.com/zrankdb/zrank/board/cluster/internal/commit"
	"github.com/zrankdb/zrank/board/cluster/internal/layout"
	"github.com/zrankdb/zrank/board/cluster/internal/sets"
	"github.com/zrankdb/zrank/board/internal/entry"
)

// Rename gives a member another name in all periods, by one commit: see board.Board.Rename. O(periods). Errors: those of board.Board.Rename but for ErrBusy;
// ErrUnsupported if the two names are in two partitions; ErrUndecided.
func (b *clusterBoard) Rename(ctx context.Context, member, to string, a board.Action) (board.Moderated, error) {
	return b.moveAll(ctx, audit.Rename, member, to, a)
}

// Merge adds the results of one member to those of another in all periods, by one commit: see board.Board.Merge. O(periods). Errors: those of board.Board.Merge but
// for ErrBusy; ErrUnsupported if the two members are in two partitions; ErrUndecided.
func (b *clusterBoard) Merge(ctx context.Context, from, into string, a board.Action) (board.Moderated, error) {
	return b.moveAll(ctx, audit.Merge, from, into, a)
}

// moveAll moves what the board has of a member to another one.
func (b *clusterBoard) moveAll(ctx context.Context, kind audit.Kind, member, to string, a board.Action) (board.Moderated, error) {
	return b.act(ctx, kind, member, a, func(x *action) error {
		switch {
		case to == "" || len(to) > board.MaxMember:
			return board.ErrMember
		case to == member:
			return fmt.Errorf("%w: the two members are the same one: %q", board.ErrAction, member)
		case b.keys.PartitionOf([]byte(to)) != x.commit.K:
			return fmt.Errorf("%w: %q: %q and %q are in two partitions, which no script changes together", ErrUnsupported, b.st.Name, member, to)
		}
		m := &mover{action: x, to: []byte(to)}
		x.to = to
		return m.decideAll(ctx)
	})
}

// mover decides what becomes of two members, of which one takes over what the other one has.
type mover struct {
	*action
	to    []byte
	spots []spot // of to, in the order of action.spots
	moves []move
}

// move is what becomes of the two members in one period.
type move struct {
	from, into *spot
	next       layout.Value // of into
	before     sets.Sums    // texts before that of next
}

// decideAll decides what becomes of the two members in all periods.
func (m *mover) decideAll(ctx context.Context) error {
	if err := m.check(ctx); err != nil {
		return err
	}
	for _, closed := range []bool{false, true} {
		for i := range m.spots {
			if from := &m.action.spots[i]; from.closed == closed {
				if err := m.decideOne(from, &m.spots[i]); err != nil {
					return err
				}
			}
		}
	}
	if err := m.moveBaselines(ctx); err != nil {
		return err
	}
	err := m.b.servers.Ask(ctx, func(pipe redis.Pipeliner) {
		for i := range m.moves {
			x := &m.moves[i]
			x.before, _ = m.b.count(ctx, pipe, x.from, x.next.Place(m.to))
		}
	})
	for i := range m.moves {
		m.commit.Places = append(m.commit.Places, m.place(&m.moves[i]))
	}
	return err
}

// check reads the other member, and returns an error unless the two can be moved.
func (m *mover) check(ctx context.Context) error {
	other, err := m.b.standingOf(ctx, m.to)
	if err != nil {
		return err
	}
	for _, x := range []struct {
		name string
		layout.Standing
	}{{string(m.member), m.who}, {string(m.to), other}} {
		if x.Banned {
			return fmt.Errorf("%w: %q of %q", board.ErrBanned, x.name, m.b.st.Name)
		}
	}
	for _, x := range []struct {
		name string
		layout.Standing
	}{{string(m.member), m.who}, {string(m.to), other}} {
		if x.Hidden {
			return fmt.Errorf("%w: %q of %q: show it first", board.ErrHidden, x.name, m.b.st.Name)
		}
	}
	m.mark(m.who.Released())
	m.commit.Standings = append(m.commit.Standings, commit.StandingEdit{Was: other, Is: other.Released()})
	m.spots = make([]spot, len(m.action.spots))
	copy(m.spots, m.action.spots)
	if err := m.b.readSpots(ctx, m.spots, m.to); err != nil {
		return err
	}
	for i := range m.spots {
		if m.kind == audit.Rename && m.spots[i].was.HasMember {
			return fmt.Errorf("%w: %q of %q: use Merge to add the results of %q to them", board.ErrExists, m.to, m.b.st.Name, m.member)
		}
	}
	return nil
}

// decideOne decides what becomes of the two in one period. A score that would be out of range is an error in an open period; in a closed one the other member keeps
// its value.
func (m *mover) decideOne(from, into *spot) error {
	is, next := from.was, into.was
	if from.was.HasMember {
		e, err := into.was.WithKept().Merge(m.b.st.Rules, from.was.WithKept())
		if err != nil && !from.closed {
			return layout.Corrupt(err)
		}
		if is, next = (layout.Value{}), into.was.With(e); !into.was.HasMember {
			next.Meta = from.was.Meta
		}
		m.moves = append(m.moves, move{from: from, into: into, next: next})
	}
	m.commit.Edits = append(m.commit.Edits, commit.Edit{Timeline: from.t, Slot: from.slot, Closed: from.closed, Member: m.member, Was: from.was, Is: is},
		commit.Edit{Timeline: from.t, Slot: from.slot, Closed: from.closed, Member: m.to, Was: into.was, Is: next})
	return nil
}

// moveBaselines decides what becomes of the two in baselines. Where the other member has an entry too, that stays as it is: it is that of the moment of the baseline.
func (m *mover) moveBaselines(ctx context.Context) error {
	from, err := m.b.baselineEdits(ctx, m.member)
	if err != nil {
		return err
	}
	into, err := m.b.baselineEdits(ctx, m.to)
	if err != nil {
		return err
	}
	for i := range from {
		from[i].Is = layout.Value{}
	}
	for i := range into {
		j := slices.IndexFunc(from, func(e commit.Edit) bool { return e.Timeline == into[i].Timeline && e.Baseline == into[i].Baseline })
		if j >= 0 && from[j].Was.IsRanked() && !into[i].Was.IsRanked() {
			into[i].Is = from[j].Was
		}
	}
	m.commit.Edits, m.commit.HasBaselines = append(append(m.commit.Edits, from...), into...), true
	return nil
}

// place returns what becomes of the place of the member in one period.
func (m *mover) place(x *move) board.Place {
	p := x.from.place()
	p.NewScore, p.NewRank = x.next.Entry(m.b.st.Rules).Score, x.before.Val()+1
	text := x.next.Place(m.to)
	if x.from.was.Place(m.member) < text {
		p.NewRank--
	}
	if x.into.was.HasMember && x.into.was.Place(m.to) < text {
		p.NewRank--
	}
	if !p.Closed {
		return p
	}
	from, others := x.from.before, p.Members-1
	if !x.into.was.HasMember {
		p.Moved = entry.Displaced(from, -1, p.NewRank-1, others)
		return p
	}
	to := x.into.before
	if to < from {
		from--
	} else {
		to--
	}
	p.Moved = entry.Displaced(from, to, p.NewRank-1, others-1)
	return p
}
