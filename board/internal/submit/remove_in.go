package submit

import (
	"context"
	"errors"
	"fmt"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/feed"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/place"
	"github.com/zrankdb/zrank/board/internal/rolling"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
)

// AppendRemoveKeys appends the keys of the sets that the removal of a member may change: see
// Hints.Remove.
func AppendRemoveKeys(ctx context.Context, tx *engine.Tx, b *catalog.Board, dst []string, member string) ([]string, error) {
	st, err := b.Writable()
	if err == nil {
		err = b.CheckSubmits()
	}
	if err != nil {
		return nil, err
	}
	if b.Engine().InTx() {
		return appendRemoveKeys(dst, tx, b, st, placesOf(b, st, member), feed.Removed), nil
	}
	b.MakeDue()
	if err := rolling.SettleAll(ctx, b, st); err != nil { // so that the transaction has little to apply
		return nil, err
	}
	if err := place.Prepare(ctx, b, st, st.OpenPeriods); err != nil {
		return nil, err
	}
	return appendRemoveKeys(dst, tx, b, st, placesOf(b, st, member), feed.Removed), nil
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
		if err := b.CheckWritable(st); err != nil {
			return err
		}
		removed, err = removeFromAll(tx, st, all, feed.Removed)
		return err
	})
	err = place.NoteShort(err, b, st, place.PeriodsOf(all))
	switch {
	case err == nil:
		if st.IsInParts() {
			b.Later(func() { maintain(context.Background(), all) })
		}
		return removed, nil
	case err == state.ErrMoved || errors.Is(err, engine.ErrNotNamed):
		err = fmt.Errorf("%w: %q", state.ErrMoved, st.Name)
	case err == state.ErrAgain:
		err = fmt.Errorf("%w: %q", board.ErrMigrating, st.Name)
	}
	return nil, err
}
