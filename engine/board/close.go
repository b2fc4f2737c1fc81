package board

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/seeded"
)

// closeNow closes the live period of a window: see Board.CloseNow.
func closeNow(b *core, window string) (info Info, err error) {
	err = b.retry(func(st *state) error {
		t, err := st.timeline(window)
		if err != nil {
			return err
		}
		x, err := closable(t, b.engine().Now())
		if err != nil {
			return err
		}
		if x.End.IsZero() {
			return fmt.Errorf("%w: %s of %q", ErrNoEnd, window, st.name)
		}
		defer b.lockClosing()()
		if _, err := closeThrough(b, st, t, x, true); err != nil {
			return err
		}
		info = st.info(t, x.Period)
		return dropSurplus(b, st, t)
	})
	return info, err
}

// closable returns the slot of the live period or, if none is live, of the season that ended last, while that takes late results.
// Errors: those of Timeline.SlotAt.
func closable(t *timeline, now time.Time) (*slot, error) {
	x, err := t.slotAt(now)
	if outside := new(OutsideError); errors.As(err, &outside) && outside.Before != nil {
		if y := t.slotOf(*outside.Before); t.accepts(y, now) {
			return y, nil
		}
	}
	return x, err
}

// closeDuePeriod closes a period whose time is up. Errors: ErrAgain, those of the engine.
func closeDuePeriod(b *core, st *state, t *timeline, x *slot) (closed int, err error) {
	defer b.lockClosing()()
	return closeThrough(b, st, t, x, false)
}

// closeThrough closes a period and the open ones before it, by hand or because their time is up, and returns the number of closed periods.
// The steps are those of Timeline. The caller holds Board.closing. Errors: ErrAgain, those of the engine.
func closeThrough(b *core, st *state, t *timeline, x *slot, byHand bool) (closed int, err error) {
	if t.isClosed(x) {
		return 0, nil
	}
	end := x.End.UnixMicro()
	t.beginClosing(end)
	defer t.endClosing()
	open := t.openBefore(end)
	if len(open) == 0 || open[len(open)-1].Name != x.Name {
		open = append(open, x)
	}
	for _, y := range open {
		if err := closeOne(b, st, t, y, byHand); err != nil {
			return closed, err
		}
		closed++
	}
	return closed, nil
}

// closeOne closes a period that accepts no more results. One commit stores how far the window is closed and a record of the period; then
// the period's set may leave memory.
func closeOne(b *core, st *state, t *timeline, x *slot, byHand bool) error {
	seal, err := b.owner().Seal(x.key) // waits for the lock of the set, and does not read it from the disk
	if err != nil {
		return err
	}
	r := &record{Period: x.Name, Start: x.Start, End: x.End, Members: seal.Members}
	if seal.Known {
		r.Digests = map[int]uint64{st.version: seal.Digest}
	}
	err = b.owner().Update(nil, func(tx *engine.Tx) error {
		if b.checkWritable(st) != nil || !byHand && tx.Now().UnixMicro() < x.closes {
			return errAgain
		}
		r.ClosedAt = time.UnixMicro(tx.Now().UnixMicro())
		return storeRecord(tx, st.name, t.Window.Name, x.End.UnixMicro(), r)
	})
	if err != nil && !isStored(b, st, t, x) {
		return err
	}
	if seeded.Bug("a period that was closed by hand takes results until it is opened again") && byHand {
		return nil
	}
	if t.markClosed(x, r); r.Members > 0 {
		b.log().Info("board: period closed", "board", st.name, "window", t.Window.Name, "period", r.Period, "members", r.Members)
	}
	return errors.Join(err, b.engine().Unload(x.key))
}

// isStored reports whether a commit that returned an error has closed the period: see engine.ErrStalled.
func isStored(b *core, st *state, t *timeline, x *slot) bool {
	text, _ := b.in().stored(windowKey(st.name, t.Window.Name))
	through, err := decodeThrough(text)
	return err == nil && through >= x.End.UnixMicro()
}

// storeRecord stores how far a window is closed, and the record of the last closed period if it has members.
func storeRecord(tx *engine.Tx, board, window string, through int64, r *record) error {
	if err := tx.Put(windowKey(board, window), strconv.AppendInt(nil, through, 10)); err != nil || r.Members == 0 {
		return err
	}
	text, err := r.encode()
	if err != nil {
		return err
	}
	return tx.Put(recordKey(board, window, r.Period), text)
}
