package closing

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board/internal/boardkey"
	"github.com/zrankdb/zrank/engine/board/internal/catalog"
	"github.com/zrankdb/zrank/engine/board/internal/errs"
	"github.com/zrankdb/zrank/engine/board/internal/ranking"
	"github.com/zrankdb/zrank/engine/board/internal/state"
	"github.com/zrankdb/zrank/engine/board/window"
)

// CloseNow closes the live period of a window: see Board.CloseNow.
func CloseNow(b *catalog.Board, window string) (info ranking.Info, err error) {
	err = b.Retry(func(st *state.State) error {
		t, err := st.Timeline(window)
		if err != nil {
			return err
		}
		x, err := closable(t, b.Engine().Now())
		if err != nil {
			return err
		}
		if x.End.IsZero() {
			return fmt.Errorf("%w: %s of %q", errs.ErrNoEnd, window, st.Name)
		}
		defer b.LockClosing()()
		if _, err := closeThrough(b, st, t, x, true); err != nil {
			return err
		}
		info = st.Info(t, x.Period)
		return dropSurplus(b, st, t)
	})
	return info, err
}

// closable returns the slot of the live period or, if none is live, of the season that ended last, while that takes late results.
// Errors: those of Timeline.SlotAt.
func closable(t *state.Timeline, now time.Time) (*state.Slot, error) {
	x, err := t.SlotAt(now)
	if outside := new(window.OutsideError); errors.As(err, &outside) && outside.Before != nil {
		if y := t.SlotOf(*outside.Before); t.Accepts(y, now) {
			return y, nil
		}
	}
	return x, err
}

// closeDuePeriod closes a period whose time is up. Errors: ErrAgain, those of the engine.
func closeDuePeriod(b *catalog.Board, st *state.State, t *state.Timeline, x *state.Slot) (closed int, err error) {
	defer b.LockClosing()()
	return closeThrough(b, st, t, x, false)
}

// closeThrough closes a period and the open ones before it, by hand or because their time is up, and returns the number of closed periods.
// The steps are those of Timeline. The caller holds Board.closing. Errors: ErrAgain, those of the engine.
func closeThrough(b *catalog.Board, st *state.State, t *state.Timeline, x *state.Slot, byHand bool) (closed int, err error) {
	if t.IsClosed(x) {
		return 0, nil
	}
	end := x.End.UnixMicro()
	t.BeginClosing(end)
	defer t.EndClosing()
	open := t.OpenBefore(end)
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
func closeOne(b *catalog.Board, st *state.State, t *state.Timeline, x *state.Slot, byHand bool) error {
	seal, err := b.Owner().Seal(x.Key) // waits for the lock of the set, and does not read it from the disk
	if err != nil {
		return err
	}
	r := &state.Record{Period: x.Name, Start: x.Start, End: x.End, Members: seal.Members}
	if seal.Known {
		r.Digests = map[int]uint64{st.Version: seal.Digest}
	}
	err = b.Owner().Update(nil, func(tx *engine.Tx) error {
		if b.CheckWritable(st) != nil || !byHand && tx.Now().UnixMicro() < x.Closes {
			return errs.ErrAgain
		}
		r.ClosedAt = time.UnixMicro(tx.Now().UnixMicro())
		return storeRecord(tx, st.Name, t.Window.Name, x.End.UnixMicro(), r)
	})
	if err != nil && !isStored(b, st, t, x) {
		return err
	}
	if t.MarkClosed(x, r); r.Members > 0 {
		b.Log().Info("board: period closed", "board", st.Name, "window", t.Window.Name, "period", r.Period, "members", r.Members)
	}
	return errors.Join(err, b.Engine().Unload(x.Key))
}

// isStored reports whether a commit that returned an error has closed the period: see engine.ErrStalled.
func isStored(b *catalog.Board, st *state.State, t *state.Timeline, x *state.Slot) bool {
	text, _ := b.Env().Stored(boardkey.Window(st.Name, t.Window.Name))
	through, err := state.DecodeThrough(text)
	return err == nil && through >= x.End.UnixMicro()
}

// storeRecord stores how far a window is closed, and the record of the last closed period if it has members.
func storeRecord(tx *engine.Tx, board, window string, through int64, r *state.Record) error {
	if err := tx.Put(boardkey.Window(board, window), strconv.AppendInt(nil, through, 10)); err != nil || r.Members == 0 {
		return err
	}
	text, err := r.Encode()
	if err != nil {
		return err
	}
	return tx.Put(boardkey.Record(board, window, r.Period), text)
}
