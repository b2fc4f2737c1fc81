package leagues

import (
	"cmp"
	"context"
	"fmt"
	"iter"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/place"
	"github.com/zrankdb/zrank/board/internal/ranking"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/board/window"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/zset"
)

// Live returns the cohort of a member in the live period: see Board.League.
func Live(ctx context.Context, b *catalog.Board, member string) (board.League, error) {
	return find(ctx, b, member, func(t *state.Timeline) (window.Period, error) { return t.PeriodAt(b.Engine().Now()) })
}

// Of returns the cohort of a member in a period: see Board.LeagueOf.
func Of(ctx context.Context, b *catalog.Board, period, member string) (board.League, error) {
	return find(ctx, b, member, func(t *state.Timeline) (window.Period, error) {
		p, err := t.Cal.Parse(period)
		if err != nil {
			err = fmt.Errorf("%w: %q", err, t.Board)
		}
		return p, err
	})
}

// find reads a cohort.
func find(ctx context.Context, b *catalog.Board, member string, at func(*state.Timeline) (window.Period, error)) (l board.League, err error) {
	if err := b.Env().CheckNotInTx(); err != nil {
		return l, err
	}
	st, t, err := timeline(b)
	if err != nil {
		return l, err
	}
	p, err := at(t)
	if err != nil {
		return l, err
	}
	slot := t.SlotOf(p)
	if t.IsClosed(slot) {
		defer b.Env().Idle.NoteRead(b.Engine().Now(), t.SetKeys(p.Name)...) // the evictor evicts them again
	}
	l = board.League{Board: st.Name, Window: t.Window.Name, Period: p.Name, Ends: p.End}
	empty := l
	for {
		err = b.Engine().View(ctx, func(tx *engine.Tx) error {
			l = empty
			err := b.Owner().In(tx, func() error { return readCohort(&l, tx, b, st, t, slot, member) })
			return cmp.Or(b.CheckReadable(st), err) // in this order: the sets may have been another version's
		}, slot.CohortKey, slot.Key)
		switch err {
		case nil:
			return l, nil
		case state.ErrMoved:
			slot.WaitForSteps()
		default:
			return board.League{}, err
		}
	}
}

// readCohort reads the cohort of a member in a transaction. O(size log members).
func readCohort(l *board.League, tx *engine.Tx, b *catalog.Board, st *state.State, t *state.Timeline, slot *state.Slot,
	member string) error {
	set, err := open(tx, slot.CohortKey)
	if err != nil {
		return err
	}
	score, in := set.Score([]byte(member))
	if !in {
		return fmt.Errorf("%w: %q in %s of %q, window %s", board.ErrNoCohort, member, slot.Name, st.Name, t.Window.Name)
	}
	n, o := split(score)
	if n.tier() == queue {
		return fmt.Errorf("%w: %q is put into one of %s of %q, window %s, when the cohorts of the period before are settled",
			board.ErrNoCohort, member, slot.Name, st.Name, t.Window.Name)
	}
	tiers := st.Spec.Leagues.Tiers
	l.Tier, l.Band, l.Cohort, l.Settled = tiers[min(n.tier(), len(tiers)-1)], n.band(), uint64(n.sequence())+1, o != board.Unsettled
	members := membersOf(set.IntView, n)
	ranked, err := inOrder(tx, b, st, t, slot, members)
	if err != nil {
		return err
	}
	entryOf, err := place.Lookup(tx, b, st, t, slot)
	if err != nil {
		return err
	}
	promoted, relegated := zones(ranked, st.Spec.Leagues.Up, st.Spec.Leagues.Down, n.tier(), len(tiers))
	if p := t.PromotingOf(slot.Name); p != nil {
		promoted, relegated = zones(ranked, p.Up, p.Down, n.tier(), p.Tiers)
	}
	for place, e := range members {
		row := board.LeagueRow{Zone: board.ZoneStay}
		if row.Member = string(e.Member); place < ranked {
			score, tie, _, err := entryOf(e.Member)
			if err != nil {
				return err
			}
			entry := st.Rules.Decode(score, tie)
			ranking.SetRow(&row.Row, st.Rules, place+1, row.Member, &entry)
			row.Zone = outcome(place, ranked, promoted, relegated)
			if st.Spec.MaxMeta > 0 {
				if row.Meta, _, err = tx.Get(boardkey.Meta(st.Name, t.Window.Name, slot.Name, row.Member)); err != nil {
					return err
				}
			}
		}
		if l.Settled {
			_, row.Zone = split(e.Score)
		}
		l.Rows = append(l.Rows, row)
	}
	return nil
}

// page is the number of entries that one transaction of Promotions reads.
const page = 1024

// Promotions iterates over the members that a closed period has promoted and relegated: see
// Board.Promotions.
func Promotions(ctx context.Context, b *catalog.Board, period string) iter.Seq2[board.Promotion, error] {
	return func(yield func(board.Promotion, error) bool) {
		err := promotions(ctx, b, period, func(p board.Promotion) bool { return yield(p, nil) })
		if err != nil {
			yield(board.Promotion{}, err)
		}
	}
}

func promotions(ctx context.Context, b *catalog.Board, period string, yield func(board.Promotion) bool) error {
	if err := b.Env().CheckNotInTx(); err != nil {
		return err
	}
	st, t, err := timeline(b)
	if err != nil {
		return err
	}
	p, err := t.Cal.Parse(period)
	if err != nil {
		return fmt.Errorf("%w: %q", err, st.Name)
	}
	slot := t.SlotOf(p)
	switch at := fmt.Sprintf("%s of %q, window %s", p.Name, st.Name, t.Window.Name); {
	case !t.IsClosed(slot):
		return fmt.Errorf("%w: %s", board.ErrPeriodOpen, at)
	case t.PromotingOf(p.Name) != nil:
		return fmt.Errorf("%w: %s", board.ErrUnsettled, at)
	case t.RecordOf(p.Name) == nil:
		return fmt.Errorf("%w: %s: nobody has scored in it, or it is not kept any more", board.ErrNoPeriod, at)
	}
	defer b.Env().Idle.NoteRead(b.Engine().Now(), slot.CohortKey)
	var entries []zset.IntEntry
	for lo := 0; ; lo += page {
		err := b.Engine().View(ctx, func(tx *engine.Tx) error {
			set, err := open(tx, slot.CohortKey)
			if err == nil {
				entries = set.Append(entries[:0], lo, lo+page)
			}
			return err
		}, slot.CohortKey)
		if err != nil || len(entries) == 0 {
			return err
		}
		for _, e := range entries {
			if m, ok := promotionOf(st, e); ok && !yield(m) {
				return nil
			}
		}
	}
}

// promotionOf returns the promotion of an entry, and false if the member stays.
func promotionOf(st *state.State, e zset.IntEntry) (p board.Promotion, ok bool) {
	n, o := split(e.Score)
	tiers := st.Spec.Leagues.Tiers
	to := n.tier()
	switch o {
	case board.ZoneUp:
		to++
	case board.ZoneDown:
		to--
	default:
		return p, false
	}
	if to < 0 || to >= len(tiers) {
		return p, false
	}
	return board.Promotion{Member: string(e.Member), Zone: o, From: tiers[n.tier()], To: tiers[to], Cohort: uint64(n.sequence()) + 1}, true
}
