package settlement

import (
	"fmt"
	"slices"

	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/state"
)

// work is a settlement of a board.
type work struct {
	b *catalog.Board
	t *state.Timeline
	s *state.Settlement
}

// works returns the settlements of a board that want accepts: windows as in the spec, periods in order of time. O(settlements).
func works(b *catalog.Board, st *state.State, want func(work) bool) (list []work) {
	for _, t := range st.Timelines {
		for _, s := range t.Settlements() {
			if w := (work{b, t, s}); want(w) {
				list = append(list, w)
			}
		}
	}
	return list
}

// unsettled reports whether a settlement is not settled.
func unsettled(w work) bool { return !w.s.Now().Settled }

// find returns the settlements that want accepts, in the order in which their periods ended. O(settlements).
func find(c *catalog.Catalog, want func(work) bool) (list []work) {
	for _, b := range c.All() {
		list = append(list, works(b, b.State(), want)...)
	}
	slices.SortStableFunc(list, func(a, b work) int { return a.s.Now().End.Compare(b.s.Now().End) })
	return list
}

// lookup returns the settlement of an award, by its id. Errors: awards.ErrNoAward, ErrNoWindow, ErrClosed, ErrNoBoard.
func lookup(b *catalog.Board, text string) (w work, i id, err error) {
	if i, err = parseID(text); err != nil {
		return w, i, err
	}
	st, err := b.Readable()
	if err != nil {
		return w, i, err
	}
	if i.board != st.Name {
		return w, i, fmt.Errorf("%w: %s is one of %q, not of %q", awards.ErrNoAward, text, i.board, st.Name)
	}
	t, err := st.Timeline(i.window)
	if err != nil {
		return w, i, err
	}
	s := t.SettlementOf(i.period)
	if s == nil {
		return w, i, fmt.Errorf("%w: %s of %q, window %s, has none", awards.ErrNoAward, i.period, st.Name, i.window)
	}
	if now := s.Now().Revision; i.revision > uint64(now) {
		return w, i, fmt.Errorf("%w: %s: the last revision is %d", awards.ErrNoAward, text, now)
	}
	return work{b, t, s}, i, nil
}

// settlementOf returns the settlement of a period. Errors: ErrNoWindow, awards.ErrNoAward if the period has none.
func settlementOf(b *catalog.Board, window, period string) (w work, err error) {
	st, t, err := b.Timeline(window)
	if err != nil {
		return w, err
	}
	s := t.SettlementOf(period)
	if s == nil {
		return w, fmt.Errorf("%w: %s of %q, window %s, has none", awards.ErrNoAward, period, st.Name, window)
	}
	return work{b, t, s}, nil
}
