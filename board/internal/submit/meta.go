package submit

import (
	"context"
	"fmt"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/place"
	"github.com/zrankdb/zrank/board/internal/rolling"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
)

// SetMeta changes the metadata of a member's entry in the live period: see Board.SetMeta.
func SetMeta(ctx context.Context, b *catalog.Board, window, member string, meta []byte) error {
	return b.Retry(func(st *state.State) error {
		now := b.Engine().Now()
		p, err := metaPlace(b, st, window, member, meta, now)
		if err != nil {
			return err
		}
		if p.T.IsClosed(p.Slot) { // checked before the transaction, which would load the set
			return metaClosedError(&p, now, now)
		}
		if err := rolling.Settle(ctx, b, st, p.T); err != nil {
			return err
		}
		err = b.Owner().Update(ctx, p.AppendKeys(nil, false), func(tx *engine.Tx) error {
			if err := b.CheckWritable(st); err != nil {
				return err
			}
			if !p.T.Accepts(p.Slot, tx.Now()) {
				return metaClosedError(&p, now, tx.Now())
			}
			return setMeta(tx, &p, meta)
		})
		return place.Unblock(ctx, err, b, st, place.PeriodsOf([]place.Place{p}), 0)
	})
}

// SetMetaIn changes the metadata of a member's entry in the caller's transaction: see InTx.SetMeta.
func SetMetaIn(b *catalog.Board, tx *engine.Tx, window, member string, meta []byte) error {
	st, now := b.State(), tx.Now()
	p, err := metaPlace(b, st, window, member, meta, now)
	if err != nil {
		return err
	}
	p.Within = true
	return b.Owner().In(tx, func() error {
		if err := b.Owner().Lock(tx, func() ([]string, error) { return p.AppendKeys(nil, false), nil }); err != nil {
			return err
		}
		if err := b.CheckWritable(st); err != nil {
			return err
		}
		if !p.T.Accepts(p.Slot, now) {
			return p.T.ClosedError(p.Slot, now, now)
		}
		return setMeta(tx, &p, meta)
	})
}

// metaPlace checks metadata, and returns the place of a member in the live period of a window.
func metaPlace(b *catalog.Board, st *state.State, window, member string, meta []byte, now time.Time) (p place.Place, err error) {
	t, err := st.Timeline(window)
	if err != nil {
		return p, err
	}
	if len(meta) > st.Spec.MaxMeta {
		return p, fmt.Errorf("%w: %d bytes, want at most %d: %q", board.ErrMeta, len(meta), st.Spec.MaxMeta, st.Name)
	}
	slot, err := t.SlotAt(now)
	if err != nil {
		return p, err
	}
	return place.Of(b, st, t, slot, member), nil
}

// setMeta changes the metadata of a member's entry in a period that accepts results.
func setMeta(tx *engine.Tx, p *place.Place, meta []byte) error {
	if err := p.Open(tx); err != nil {
		return err
	}
	if _, _, ok := p.Get(); !ok {
		return fmt.Errorf("%w: %q in %s of %q", board.ErrNotRanked, p.Name, p.Slot.Name, p.State.Name)
	}
	return p.PutMeta(meta)
}

// metaClosedError returns the error of a period that accepts no metadata any more. It is ErrAgain
// if another period has become live since the call read the clock. at is the time that the call
// read.
func metaClosedError(p *place.Place, at, now time.Time) error {
	if p.T.AnotherIsLive(p.Slot, p.Board.Engine().Now()) {
		return state.ErrAgain
	}
	return p.T.ClosedError(p.Slot, at, now)
}
