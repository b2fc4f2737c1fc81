package submit

import (
	"context"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/feed"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/place"
	"github.com/zrankdb/zrank/board/internal/rolling"
	"github.com/zrankdb/zrank/engine"
)

// AppendRemoveKeys appends the keys of the sets that the removal of a member may change: see
// Hints.Remove.
func AppendRemoveKeys(ctx context.Context, b *catalog.Board, dst []string, member string) ([]string, error) {
	st, err := b.Writable()
	if err == nil {
		err = b.CheckSubmits()
	}
	if err != nil {
		return nil, err
	}
	if !b.Engine().InTx() {
		b.MakeDue()
		if err := rolling.SettleAll(ctx, b, st); err != nil { // so that the transaction has little to apply
			return nil, err
		}
		if err := place.Prepare(ctx, b, st, st.OpenPeriods); err != nil {
			return nil, err
		}
	}
	return appendKeys(dst, st, placesOf(b, st, member)), nil
}

// RemoveIn removes a member in the caller's transaction: see InTx.Remove.
func RemoveIn(b *catalog.Board, tx *engine.Tx, member string) (removed []board.Removed, err error) {
	if err := b.CheckSubmits(); err != nil {
		return nil, err
	}
	st := b.State()
	all := placesOf(b, st, member)
	for i := range all {
		all[i].Within = true
	}
	err = b.Owner().In(tx, func() error {
		if err := b.Owner().Lock(tx, func() ([]string, error) { return appendKeys(nil, st, all), nil }); err != nil {
			return err
		}
		if err := b.CheckWritable(st); err != nil {
			return err
		}
		removed, err = removeFromAll(tx, st, all, feed.Removed)
		return err
	})
	if err != nil {
		return nil, place.NoteShort(err, b, st, place.PeriodsOf(all))
	}
	if st.IsInParts() {
		b.Later(func() { maintain(context.Background(), all) })
	}
	return removed, nil
}
