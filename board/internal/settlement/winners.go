package settlement

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/periods"
	"github.com/zrankdb/zrank/board/internal/ranking"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/zset"
)

// step is the number of places that settling reads at once.
const step = 512

// winners makes the awards of a period: of its ranking, a plan, and the awards before.
type winners struct {
	s       *state.Settling
	r       board.Ranking
	field   awards.Field
	without *closeUp
	old     *zset.IntSet    // the awards before; nil in the first revision
	seen    map[string]bool // of old; nil in the first revision
	bits    []uint64        // for each tier of the plan its set in the table
	counted int             // members that have been visited and may get awards
	equals  awards.Standing // of the first of those with the present rank
	found   func(member string, was, is entry) error
}

// newWinners returns the winners of a settlement with a state, which need not be its present one. old are the awards before, nil if there are none.
func newWinners(ctx context.Context, b *catalog.Board, t *state.Settlement, s *state.Settling, old *zset.IntSet) (w *winners, err error) {
	w = &winners{s: s, old: old}
	if w.r, err = rankingOf(ctx, b, t, s); err != nil {
		return nil, err
	}
	if w.without, err = newCloseUp(ctx, w.r, s.Plan.Mode, s.Without); err != nil {
		return nil, err
	}
	n, err := w.r.Len(ctx)
	if err != nil {
		return nil, err
	}
	w.field = awards.Field{Members: n - w.without.ranked, Reached: make([]int, len(s.Plan.Tiers))}
	for i := range s.Plan.Tiers {
		if score := s.Plan.Tiers[i].Score; score != nil {
			if w.field.Reached[i], err = w.r.Count(ctx, nil, score); err != nil {
				return nil, scoreError(&s.Plan.Tiers[i], err)
			}
		}
		w.bits = append(w.bits, 1<<s.Index(s.Plan.Tiers[i]))
	}
	if w.r = w.r.By(s.Plan.Mode); old != nil {
		w.seen = make(map[string]bool, old.Len())
	}
	return w, nil
}

// scoreError returns the error of a plan if a tier has a score that the board cannot have, and any other error as it is.
func scoreError(t *awards.Tier, err error) error {
	if at := new(rules.ScoreError); errors.As(err, &at) || errors.Is(err, rules.ErrColumns) {
		return fmt.Errorf("%w: tier %q: %w", awards.ErrPlan, t.Name, err)
	}
	return err
}

// rankingOf returns the ranking of a period that a plan is about: on a board of the best members it is a copy with all of them, unless no
// other can be in a tier, or change the rank of one that is: in the other modes the equals of the last of them do.
func rankingOf(ctx context.Context, b *catalog.Board, of *state.Settlement, s *state.Settling) (board.Ranking, error) {
	st, t, err := b.Timeline(of.Window)
	if err != nil {
		return nil, err
	}
	r, err := periods.Named(ctx, b, of.Window, of.Period)
	if record := t.RecordOf(of.Period); errors.Is(err, board.ErrNoPeriod) && record != nil && record.Members == 0 { // all were removed after the closing
		return emptyRanking(st, t, of.Period)
	}
	if err != nil || t.Top == nil || s.Plan.Mode == rules.Ordinal && s.Plan.MaxRank() <= t.Top.N-len(s.Without) {
		return r, err
	}
	all, err := catalog.CopySets(ctx, b.Owner(), t.RankingKeys(of.Period), st.Form)
	if err != nil {
		return nil, err
	}
	info, err := r.Info(ctx)
	return ranking.NewPinned(all, st.ClosedVacancies(t, of.Period), st.Rules, t.Key(of.Period), info), err
}

// emptyRanking returns a ranking without members of a period.
func emptyRanking(st *state.State, t *state.Timeline, period string) (board.Ranking, error) {
	build, err := st.Form.Builder()
	if err != nil {
		return nil, err
	}
	return ranking.NewPinned(build.Set(), nil, st.Rules, t.Key(period), board.Info{Board: st.Name, Window: t.Window.Name, Period: period, Closed: true}), nil
}

// walk calls found with each award, by place: as it was, and as it is by the plan. Both are the zero entry where there is none. O(winners).
func (w *winners) walk(ctx context.Context, found func(member string, was, is entry) error) error {
	w.found = found
	last := 0 // the last place of an award before
	if w.old != nil && w.old.Len() > 0 {
		last = int(w.old.Append(nil, w.old.Len()-1, w.old.Len())[0].Score) + 1
	}
	rows, more, begin := []board.Row(nil), true, time.Time{}
	for lo := 1; more || lo <= last; lo += step {
		if lo > 1 {
			if err := catalog.Rest(ctx, begin); err != nil {
				return err
			}
		}
		begin = time.Now()
		var err error
		if rows, err = w.r.AppendPlaces(ctx, rows[:0], lo, lo+step-1); err != nil {
			return err
		}
		if len(rows) == 0 {
			break
		}
		for i := range rows {
			if more, err = w.visit(&rows[i], lo+i, more); err != nil {
				return err
			}
		}
	}
	return w.visitAbsent()
}

// visit finds the award of the row at a place. more tells whether the plan may have a tier for it, and for those behind it.
func (w *winners) visit(row *board.Row, place int, more bool) (bool, error) {
	is := entry{place: int64(place - 1), revision: uint8(w.s.Revision)}
	if !w.without.members[row.Member] {
		rank := w.without.rank(row.Rank)
		if is.rank = uint32(rank); more {
			var tiers uint64
			tiers, more = w.s.Plan.For(w.standing(rank, place), w.field)
			for i, bit := range w.bits {
				if tiers>>i&1 != 0 {
					is.due |= bit
				}
			}
		}
	}
	was, ok := w.before(row.Member)
	if is.due == 0 && !ok {
		return more, nil
	}
	return more, w.found(row.Member, was, w.next(was, ok, is))
}

// standing returns where the next member stands, by its rank and its place. Members come in the order of their places.
func (w *winners) standing(rank, place int) awards.Standing {
	if w.counted++; rank != w.equals.Rank {
		w.equals = awards.Standing{Rank: rank, Competition: w.counted}
	}
	s := awards.Standing{Rank: rank, Place: place}
	if w.s.Plan.Mode == rules.Dense {
		s.Competition = w.equals.Competition
	}
	return s
}

// before returns the award that a member had before.
func (w *winners) before(member string) (was entry, ok bool) {
	if w.old == nil {
		return was, false
	}
	if was, ok = entryOf(w.old.View(), member); ok {
		w.seen[member] = true
	}
	return was, ok
}

// next returns an award with what was before: what was granted stays granted, and so does its revision unless what is due has changed.
func (w *winners) next(was entry, ok bool, is entry) entry {
	if !ok {
		return is
	}
	is.granted, is.flag = was.granted, was.flag
	if is.due == was.due {
		is.revision = was.revision
	}
	if is.flag == failed && is.toGrant(w.s) == 0 {
		is.flag = plain
	}
	return is
}

// visitAbsent finds the awards before of members that are not in the ranking any more.
func (w *winners) visitAbsent() error {
	if w.old == nil || len(w.seen) == w.old.Len() {
		return nil
	}
	for e := range w.old.Entries(0, w.old.Len()) {
		member := string(e.Member)
		if w.seen[member] {
			continue
		}
		was := decodeEntry(e.Score, e.Tie)
		if err := w.found(member, was, w.next(was, true, entry{place: was.place, revision: uint8(w.s.Revision)})); err != nil {
			return err
		}
	}
	return nil
}
