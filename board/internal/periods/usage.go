package periods

import (
	"context"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/rolling"
)

// OfWindow returns the periods of a window that have members, in order of time: see Board.Periods. It does not load their sets.
func OfWindow(ctx context.Context, b *catalog.Board, window string) (list []board.Usage, err error) {
	st, t, err := b.Timeline(window)
	if err != nil {
		return nil, err
	}
	if err := b.Env().CheckNotInTx(); err != nil {
		return nil, err
	}
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
			list = append(list, u)
		}
	}
	return list, nil
}
