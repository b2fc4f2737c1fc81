package periods

import (
	"context"
	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/rolling"
	"github.com/zrankdb/zrank/board/internal/state"
)

// OfWindow returns the periods of a window that have members: see Board.Periods.
func OfWindow(ctx context.Context, b *catalog.Board, window string) ([]board.Usage, error) {
	st, t, err := b.Timeline(window)
	if err != nil {
		return nil, err
	}
	if err := b.Env().CheckNotInTx(); err != nil {
		return nil, err
	}
	return appendUsage(ctx, nil, b, st, t)
}

// OfBoard returns the periods of all windows that have members: see Board.Usage.
func OfBoard(ctx context.Context, b *catalog.Board) (all []board.Usage, err error) {
	if err := b.Env().CheckNotInTx(); err != nil {
		return nil, err
	}
	st, err := b.Readable()
	if err != nil {
		return nil, err
	}
	for _, t := range st.Timelines {
		if all, err = appendUsage(ctx, all, b, st, t); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// appendUsage appends the periods of a window that have members, in order of time. It does not load their sets.
func appendUsage(ctx context.Context, dst []board.Usage, b *catalog.Board, st *state.State, t *state.Timeline) ([]board.Usage, error) {
	if err := rolling.Settle(ctx, b, st, t); err != nil {
		return nil, err
	}
	periods := t.Periods()
	var keys []string
	sizes := make([]int, len(periods)) // numbers of sets, which may grow meanwhile
	for i, p := range periods {
		if parts := t.PartsOf(p.Name); parts != nil { // so that no step moves members from a set that is read later to one that was
			parts.Steps.Lock()
			defer parts.Steps.Unlock()
		}
		sets := t.SetKeys(p.Name)
		keys, sizes[i] = append(keys, sets...), len(sets)
	}
	all, err := b.Engine().Usages(keys)
	if err != nil {
		return nil, err
	}
	now := b.Engine().Now()
	for i, p := range periods {
		sets, beside := sizes[i], t.BesideCount()
		u := board.Usage{Info: st.Info(t, p.Period)}
		if s := t.SettlementOf(p.Name); s != nil {
			u.Waiting, _, _ = s.Counts(now)
		}
		for j, set := range all[:sets] {
			if j < sets-beside {
				u.Members += set.Members
			}
			u.Memory += int64(set.Memory + set.Keyspace)
			u.Disk += set.Disk
		}
		if all = all[sets:]; u.Members > 0 {
			dst = append(dst, u)
		}
	}
	return dst, nil
}
