package moderation

import (
	"context"
	"errors"
	"slices"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/periods"
	"github.com/zrankdb/zrank/board/internal/places"
	"github.com/zrankdb/zrank/board/internal/rolling"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/board/rules"
)

// Of returns what a board has of a member: see Board.Member.
func Of(ctx context.Context, b *catalog.Board, member string) (m board.Member, err error) {
	if member == "" || len(member) > board.MaxMember {
		return m, board.ErrMember
	}
	err = b.Retry(func(st *state.State) error {
		m = board.Member{Name: member, Banned: b.Bans.Has(member), Hidden: b.Hides.Has(member)}
		open, err := openPlaces(ctx, b, st, member) // before the closed ones: a period that is closed meanwhile is found twice, and not missed
		if err != nil {
			return err
		}
		closed, err := places.Of(ctx, b, st, member)
		if err != nil {
			return err
		}
		for i, t := range st.Timelines {
			n := 0
			for n < len(closed) && closed[n].T == t {
				n++
			}
			h := board.History{Window: t.Window.Name, Places: slices.Grow([]board.Place(nil), n)}
			for i := range closed[:n] {
				h.Places = append(h.Places, keptPlace(st, &closed[i]))
			}
			closed = closed[n:]
			addOpen(&h, open[i])
			FindBest(&h, st.Rules)
			m.Windows = append(m.Windows, h)
		}
		return nil
	})
	return m, err
}

// openPlaces returns the places of a member in the open periods of each window. A hidden member has them beside the rankings.
func openPlaces(ctx context.Context, b *catalog.Board, st *state.State, member string) ([][]board.Place, error) {
	all := make([][]board.Place, len(st.Timelines))
	for i, t := range st.Timelines {
		for _, slot := range t.OpenSlots() {
			p, ok, err := ranked(ctx, b, t, slot, member)
			if err == nil && !ok && b.Hides.Has(member) {
				p, ok, err = hiddenOpen(ctx, b, st, t, slot, member)
			}
			if err != nil {
				return nil, err
			}
			if ok {
				all[i] = append(all[i], p)
			}
		}
	}
	return all, nil
}

// addOpen adds the places in periods that were open, but for those that it has as closed ones.
func addOpen(h *board.History, open []board.Place) {
	closed := h.Places
	for _, p := range open {
		if !slices.ContainsFunc(closed, func(c board.Place) bool { return c.Period == p.Period }) {
			h.Places = append(h.Places, p)
		}
	}
}

// ranked returns the place of a member in the ranking of an open period.
func ranked(ctx context.Context, b *catalog.Board, t *state.Timeline, slot *state.Slot, member string) (p board.Place, ok bool, err error) {
	r, err := periods.Named(ctx, b, t.Window.Name, slot.Name)
	if errors.Is(err, board.ErrNoPeriod) {
		return p, false, nil
	}
	if err != nil {
		return p, false, err
	}
	row, ok, err := r.Rank(ctx, member)
	return board.Place{Window: t.Window.Name, Period: slot.Name, Rank: row.Rank, Score: row.Score}, ok, err
}

// hiddenOpen returns the place of a hidden member beside the ranking of an open period.
func hiddenOpen(ctx context.Context, b *catalog.Board, st *state.State, t *state.Timeline, slot *state.Slot, member string) (p board.Place, ok bool, err error) {
	if err := rolling.Settle(ctx, b, st, t); err != nil {
		return p, false, err
	}
	key := t.HiddenKey(slot.Name)
	tx, err := b.Owner().BeginView(ctx, key, true)
	if err != nil {
		return p, false, err
	}
	defer b.Owner().EndView(tx)
	if rolling.IsDue(b, t) {
		return p, false, state.ErrAgain
	}
	set, err := tx.IntSet(key, st.Form)
	if err != nil {
		return p, false, err
	}
	score, tie, ok := set.Get([]byte(member))
	if ok {
		p = board.Place{Window: t.Window.Name, Period: slot.Name, Hidden: true, Score: st.Rules.Decode(score, tie).Score}
	}
	return p, ok, nil
}

// FindBest finds the best rank and the best score; of equals the earliest.
func FindBest(h *board.History, r *rules.Rules) {
	for i := range h.Places {
		p := &h.Places[i]
		if !p.Hidden && (h.BestRank.Rank == 0 || p.Rank < h.BestRank.Rank) {
			h.BestRank = *p
		}
		if i == 0 || r.Compare(p.Score, h.BestScore.Score) < 0 {
			h.BestScore = *p
		}
	}
}
