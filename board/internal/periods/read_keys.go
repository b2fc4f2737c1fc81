package periods

import (
	"context"

	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/rolling"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/board/internal/tail"
	"github.com/zrankdb/zrank/board/window"
)

// AppendKeys appends the keys that a transaction of the caller's must name to read periods of a window, the live one if none is named: see
// Hints.Read and, unless member is nil, Hints.ReadOf.
func AppendKeys(ctx context.Context, b *catalog.Board, dst []string, member *string, name string, periods []string) ([]string, error) {
	st, t, err := b.Timeline(name)
	if err != nil {
		return nil, err
	}
	if !b.Engine().InTx() {
		if err := rolling.Settle(ctx, b, st, t); err != nil { // so that the transaction has little to apply
			return nil, err
		}
	}
	list, err := listed(b, st, t, periods)
	if err != nil {
		return nil, err
	}
	for _, p := range list {
		slot := t.SlotOf(p)
		if dst = appendKeys(dst, t, slot, member); rolling.IsRolling(t) {
			dst = rolling.AppendKeys(dst, b, st, t)
		}
		if t.IsClosed(slot) {
			noteRead(b, t, slot) // the transaction loads it
		}
	}
	if st.Spec.BestRanks {
		dst = append(dst, t.BestKey)
	}
	return dst, nil
}

// listed returns the periods of a window by their names, or the live one if there are none.
func listed(b *catalog.Board, st *state.State, t *state.Timeline, names []string) (list []window.Period, err error) {
	if len(names) == 0 {
		p, err := t.PeriodAt(b.Engine().Now())
		return []window.Period{p}, err
	}
	for _, name := range names {
		p, err := Parse(st, t, name)
		if err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	return list, nil
}

// appendKeys appends the keys of a period: of all sets of its ranking, but of the buckets of a tail only that of the member.
func appendKeys(dst []string, t *state.Timeline, slot *state.Slot, member *string) []string {
	if slot.Parts != nil {
		return append(dst, slot.Parts.Now().Keys...)
	}
	if dst = append(dst, slot.Key); tail.Has(t) && member != nil {
		dst = append(dst, tail.BucketOf(slot, []byte(*member)).Key)
	}
	return dst
}

// noteRead tells the evictor that a closed period is read.
func noteRead(b *catalog.Board, t *state.Timeline, slot *state.Slot) {
	if b.Env().IsStopped() {
		return
	}
	keys := []string{slot.Key}
	if slot.Parts != nil {
		keys = slot.Parts.Now().Keys
	}
	b.Env().Idle.NoteRead(b.Engine().Now(), keys...)
}
