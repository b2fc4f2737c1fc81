package submit

import (
	"context"
	"fmt"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/errs"
	"github.com/zrankdb/zrank/board/internal/rolling"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
)

// storeMeta stores the metadata of the entry in a window, if the submission has any.
func (p *plan) storeMeta(tx *engine.Tx, i int) error {
	if p.sub.Meta == nil {
		return nil
	}
	return putMeta(tx, boardkey.Meta(p.st.Name, p.lines[i].Window.Name, p.slots[i].Name, p.sub.Member), p.sub.Meta)
}

func putMeta(tx *engine.Tx, key string, meta []byte) error {
	if len(meta) == 0 {
		return tx.Delete(key)
	}
	return tx.Put(key, meta)
}

// SetMeta changes the metadata of a member's entry in the live period: see Board.SetMeta.
func SetMeta(ctx context.Context, b *catalog.Board, window, member string, meta []byte) error {
	return b.Retry(func(st *state.State) error {
		now := b.Engine().Now()
		o, err := metaPeriod(st, window, meta, now)
		if err != nil {
			return err
		}
		t, slot := o.t, o.slot
		if t.IsClosed(slot) { // checked before the transaction, which would load the set
			return metaClosedError(b, t, slot, now, now)
		}
		if err := rolling.Settle(ctx, b, st, t); err != nil {
			return err
		}
		at := o.placeOf(member)
		err = b.Owner().Update(ctx, at.AppendKeys(nil), func(tx *engine.Tx) error {
			if err := b.CheckWritable(st); err != nil {
				return err
			}
			if rolling.IsDue(b, t) {
				return errs.ErrAgain
			}
			if !t.Accepts(slot, tx.Now()) {
				return metaClosedError(b, t, slot, now, tx.Now())
			}
			return setMeta(tx, b, st, o, member, meta)
		})
		return unblock(ctx, err, b, st, func(yield func(*state.Timeline, *state.Slot) bool) { yield(t, slot) }, 0)
	})
}

// SetMetaIn changes the metadata of a member's entry in the caller's transaction: see InTx.SetMeta.
func SetMetaIn(b *catalog.Board, tx *engine.Tx, window, member string, meta []byte) error {
	st, now := b.State(), tx.Now()
	o, err := metaPeriod(st, window, meta, now)
	if err != nil {
		return err
	}
	err = b.Owner().In(tx, func() error {
		if err := b.CheckWritable(st); err != nil {
			return err
		}
		if !o.t.Accepts(o.slot, now) {
			return o.t.ClosedError(o.slot, now, now)
		}
		if rolling.IsRolling(o.t) {
			if err := rolling.SettleIn(tx, b, st, o.t); err != nil {
				return err
			}
		}
		return setMeta(tx, b, st, o, member, meta)
	})
	return catalog.InError(err, tx, st, o.t, o.slot)
}

// metaPeriod checks metadata, and returns the live period of a window.
func metaPeriod(st *state.State, window string, meta []byte, now time.Time) (o openPeriod, err error) {
	if o.t, err = st.Timeline(window); err != nil {
		return o, err
	}
	if len(meta) > st.Spec.MaxMeta {
		return o, fmt.Errorf("%w: %d bytes, want at most %d: %q", board.ErrMeta, len(meta), st.Spec.MaxMeta, st.Name)
	}
	if o.slot, err = o.t.SlotAt(now); err == nil && o.slot.Parts != nil {
		o.division = o.slot.Parts.Now()
	}
	return o, err
}

// setMeta changes the metadata of a member's entry in a period that accepts results.
func setMeta(tx *engine.Tx, b *catalog.Board, st *state.State, o openPeriod, member string, meta []byte) error {
	at := o.placeOf(member)
	if err := at.Open(tx, b, st, nil); err != nil {
		return err
	}
	if _, _, ok := at.Get(); !ok {
		return fmt.Errorf("%w: %q in %s of %q", board.ErrNotRanked, member, o.slot.Name, st.Name)
	}
	return putMeta(tx, boardkey.Meta(st.Name, o.t.Window.Name, o.slot.Name, member), meta)
}

// metaClosedError returns the error of a period that accepts no metadata any more. It is ErrAgain if another period has become live since the
// call read the clock. at is the time that the call read.
func metaClosedError(b *catalog.Board, t *state.Timeline, slot *state.Slot, at, now time.Time) error {
	if t.AnotherIsLive(slot, b.Engine().Now()) {
		return errs.ErrAgain
	}
	return t.ClosedError(slot, at, now)
}
