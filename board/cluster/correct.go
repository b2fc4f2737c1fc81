package cluster

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/audit"
	"github.com/zrankdb/zrank/board/cluster/internal/layout"
	"github.com/zrankdb/zrank/board/cluster/internal/sets"
	"github.com/zrankdb/zrank/board/rules"
)

// Correct submits a result of a member to one closed period, by one commit with its entry in the audit log: see board.Board.Correct. O(periods). Errors: those of
// board.Board.Correct but for ErrBusy, ErrUndecided.
func (b *clusterBoard) Correct(ctx context.Context, member string, sub board.ClosedSubmission, a board.Action) (board.Moderated, error) {
	return b.act(ctx, audit.Correct, member, a, func(x *action) error {
		s, at, err := x.closedSpot(sub)
		switch {
		case err != nil:
			return err
		case x.who.Banned:
			return fmt.Errorf("%w: %q of %q", board.ErrBanned, member, b.st.Name)
		case x.who.Hidden:
			return fmt.Errorf("%w: %q of %q: show it first", board.ErrHidden, member, b.st.Name)
		}
		if x.commit.Arrival, err = b.nextArrival(ctx); err != nil {
			return err
		}
		next, _, _, _, err := s.was.WithKept().Submit(b.st.Rules, rules.Entry{Score: sub.Score, Reached: at.UnixMicro(), Arrival: x.commit.Arrival})
		if err != nil {
			return fmt.Errorf("%w: %q, member %q", layout.Corrupt(err), b.st.Name, member)
		}
		is := s.was.With(next)
		p, err := s.corrected(ctx, x.member, &is)
		if err != nil {
			return err
		}
		x.mark(x.who.Released())
		x.change(func(s *spot) (layout.Value, board.Place, bool) { return layout.Value{}, board.Place{}, false })
		for i := range x.commit.Edits {
			if e := &x.commit.Edits[i]; e.Timeline == s.t && e.Slot.Name == s.slot.Name {
				e.Is = is
			}
		}
		x.commit.Places = []board.Place{p}
		return nil
	})
}

// closedSpot returns the spot of the closed period that a result is for, and the time when it happened. Errors: ErrNoWindow, ErrNoPeriod, ErrPeriodOpen, ErrTime.
func (x *action) closedSpot(sub board.ClosedSubmission) (s *spot, at time.Time, err error) {
	t, err := x.b.st.Timeline(sub.Window)
	if err != nil {
		return nil, at, err
	}
	r, err := t.ClosedRecord(sub.Period, "submit to it")
	if err != nil {
		return nil, at, err
	}
	for i := range x.spots {
		if x.spots[i].t == t && x.spots[i].slot.Name == sub.Period {
			s = &x.spots[i]
		}
	}
	if s == nil {
		return nil, at, fmt.Errorf("%w: %s of %q, window %s: nobody was ranked in it, or it was dropped", board.ErrNoPeriod, sub.Period, x.b.st.Name, sub.Window)
	}
	if at = sub.At; at.IsZero() {
		at = r.End.Add(-time.Microsecond)
	}
	if p, err := t.PeriodAt(at); err != nil || p.Name != sub.Period {
		return nil, at, fmt.Errorf("%w: %s is not in %s of %q, window %s", board.ErrTime, at.Format(time.RFC3339Nano), sub.Period, x.b.st.Name, sub.Window)
	}
	return s, at, nil
}

// nextArrival returns the arrival of a result, 0 with several partitions.
func (b *clusterBoard) nextArrival(ctx context.Context) (uint64, error) {
	if b.partitions() > 1 {
		return 0, nil
	}
	var text *redis.StringCmd
	err := b.servers.Ask(ctx, func(pipe redis.Pipeliner) { text = pipe.HGet(ctx, b.keys.Fence(0), layout.ArrivalsField) })
	if err != nil {
		return 0, err
	}
	n, _ := strconv.ParseUint(text.Val(), 10, 64) // none yet: 0
	return n + 1, nil
}

// corrected returns the place of a member that gets another value in a closed period.
func (s *spot) corrected(ctx context.Context, member []byte, is *layout.Value) (p board.Place, err error) {
	var before, members sets.Sums
	err = s.b.servers.Ask(ctx, func(pipe redis.Pipeliner) { before, members = s.b.count(ctx, pipe, s, is.Place(member)) })
	if err != nil {
		return p, err
	}
	if s.members = members.Val(); s.was.HasMember {
		p = s.place()
	} else {
		p = board.Place{Window: s.t.Window.Name, Period: s.slot.Name, Closed: true, Members: s.members}
	}
	p.NewScore, p.NewRank = is.Entry(s.b.st.Rules).Score, before.Val()+1
	if s.was.HasMember && s.was.Place(member) < is.Place(member) {
		p.NewRank-- // the member itself is before its new place
	}
	if p.Moved = s.members + 1 - p.NewRank; s.was.HasMember {
		p.Moved = max(p.Rank-p.NewRank, p.NewRank-p.Rank)
	}
	return p, nil
}
