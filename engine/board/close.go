package board

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/zrankdb/zrank/engine"
)

// How a period is closed is told at span. The commit stores how far the window is closed, and a record of the period. Then the set may
// leave memory, and the oldest closed periods go that the window does not keep.

// closeDue closes a period whose time is up. Errors: errAgain, those of the engine.
func (b *Board) closeDue(st *state, s *span, x *slot) (closed int, err error) {
	b.closing.Lock()
	defer b.closing.Unlock()
	return b.close(st, s, x, false)
}

// close closes a period and those before it that are open, by hand or because their time is up, and returns how many. The caller holds
// b.closing. Errors: errAgain, those of the engine.
func (b *Board) close(st *state, s *span, x *slot, byHand bool) (closed int, err error) {
	if s.isClosed(x) {
		return 0, nil
	}
	end := x.End.UnixMicro()
	s.bar.Store(max(end, s.bar.Load()))
	defer func() { s.bar.Store(s.through.Load()) }()
	open := s.before(end)
	if len(open) == 0 || open[len(open)-1].Name != x.Name {
		open = append(open, x)
	}
	for _, y := range open {
		if err := b.closeOne(st, s, y, byHand); err != nil {
			return closed, err
		}
		closed++
	}
	return closed, nil
}

// closeOne closes a period that takes no more results.
func (b *Board) closeOne(st *state, s *span, x *slot, byHand bool) error {
	seal, err := b.bs.own.Seal(x.key) // waits for the lock of the set, and does not read it from the disk
	if err != nil {
		return err
	}
	r := &record{Period: x.Name, Start: x.Start, End: x.End, Members: seal.Members}
	if seal.Known {
		r.Digests = map[int]uint64{st.version: seal.Digest}
	}
	err = b.bs.own.Update(nil, func(tx *engine.Tx) error {
		if b.changed(st) || !byHand && tx.Now().UnixMicro() < x.closes {
			return errAgain
		}
		r.ClosedAt = time.UnixMicro(tx.Now().UnixMicro())
		return storeRecord(tx, st.name, s.Window.Name, x.End.UnixMicro(), r)
	})
	if err != nil && !b.isStored(st, s, x) {
		return err
	}
	if s.done(x, r); r.Members > 0 {
		b.bs.log.Info("board: period closed", "board", st.name, "window", s.Window.Name, "period", r.Period, "members", r.Members)
	}
	return errors.Join(err, b.bs.e.Unload(x.key))
}

// isStored reports whether a commit that has returned an error has closed the period all the same, as others see it: see
// engine.ErrStalled.
func (b *Board) isStored(st *state, s *span, x *slot) bool {
	text, _ := b.bs.stored(windowKey(st.name, s.Window.Name))
	through, err := strconv.ParseInt(string(text), 10, 64)
	return err == nil && through >= x.End.UnixMicro()
}

// storeRecord stores how far a window is closed, and what the last period was, if it has held anybody.
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

// CloseNow closes the live period of a window by hand, after those before it that still take late results, or, if none is live, the
// last of these. Until the next period begins a submission of now is refused. The commit is as durable as the engine makes it: who
// pays prizes at Interval or None calls Engine.Barrier first. Errors: ErrNoWindow, ErrNoEnd, an *OutsideError if
// there is no such period, those of the engine.
func (b *Board) CloseNow(window string) (info Info, err error) {
	err = b.retry(func(st *state) error {
		s, err := st.span(window)
		if err != nil {
			return err
		}
		x, err := s.closable(b.bs.e.Now())
		if err != nil {
			return err
		}
		if x.End.IsZero() {
			return fmt.Errorf("%w: %s of %q", ErrNoEnd, window, st.name)
		}
		b.closing.Lock()
		defer b.closing.Unlock()
		if _, err := b.close(st, s, x, true); err != nil {
			return err
		}
		info = st.info(s, x.Period)
		return b.drop(st, s)
	})
	return info, err
}

// closable returns the slot of the live period or, if none is live, of the season that ended last, while that takes late results.
// Errors: those of at.
func (s *span) closable(now time.Time) (*slot, error) {
	x, err := s.at(now)
	if outside := new(OutsideError); errors.As(err, &outside) && outside.Before != nil {
		if y := s.slot(*outside.Before); s.takes(y, now) {
			return y, nil
		}
	}
	return x, err
}
