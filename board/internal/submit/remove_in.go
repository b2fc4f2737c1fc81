package submit

import (
	"context"
	"errors"
	"fmt"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/feed"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/errs"
	"github.com/zrankdb/zrank/board/internal/rolling"
	"github.com/zrankdb/zrank/board/internal/tail"
	"github.com/zrankdb/zrank/engine"
)

// AppendRemoveKeys appends the keys of the sets that the removal of a member may change: see Hints.Remove.
func AppendRemoveKeys(ctx context.Context, b *catalog.Board, dst []string, member string) ([]string, error) {
	st, err := b.Writable()
	if err == nil {
		err = b.CheckSubmits()
	}
	if err != nil {
		return nil, err
	}
	if b.Engine().InTx() {
		return appendRemoveKeys(dst, b, st, openPeriods(st), member), nil
	}
	b.MakeDue()
	if err := rolling.SettleAll(ctx, b, st); err != nil { // so that the transaction has little to apply
		return nil, err
	}
	if err := prepare(ctx, b, st, periodsOf(openPeriods(st))); err != nil {
		return nil, err
	}
	return appendRemoveKeys(dst, b, st, openPeriods(st), member), nil
}

// RemoveIn removes a member in the caller's transaction: see InTx.Remove.
func RemoveIn(b *catalog.Board, tx *engine.Tx, member string) (removed []board.Removed, err error) {
	if err := b.CheckSubmits(); err != nil {
		return nil, err
	}
	st := b.State()
	all := openPeriods(st)
	err = b.Owner().In(tx, func() error {
		if err := b.CheckWritable(st); err != nil {
			return err
		}
		return removeFromAll(tx, b, st, all, member, feed.Removed, expireAll, &removed)
	})
	noteShort(err, periodsOf(all))
	switch {
	case err == nil:
		if st.IsInParts() {
			b.Later(func() { maintainParts(context.Background(), b, st, all) })
		}
		return removed, nil
	case err == tail.ErrShort || err == errs.ErrMoved || errors.Is(err, engine.ErrNotNamed):
		err = fmt.Errorf("%w: %q", errs.ErrMoved, st.Name)
	case err == errs.ErrAgain:
		err = fmt.Errorf("%w: %q", board.ErrMigrating, st.Name)
	}
	return nil, err
}
