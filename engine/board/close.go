package board

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/zrankdb/zrank/engine"
)

// A period is closed by a transaction that locks its set: so every submission to it comes before, and those after see in
// span.through that it is closed. The transaction stores how far the window is closed, and a record of the period. Then the set may leave
// memory, and the oldest closed periods go that the window does not keep.

// CloseDue closes the periods whose time is up by the engine's clock, each board's in the order of time, drops those that are not
// kept any more, and returns how many it has closed. The goroutine of Open does so by itself; who steers the clock calls it when it has moved. O(windows
// + closed log members). Errors: those of the engine, joined; what they kept from being closed is tried again, and takes no
// results meanwhile.
func (bs *Boards) CloseDue() (closed int, err error) {
	var errs []error
	now := bs.e.Now()
	for _, b := range bs.All() {
		n, err := b.closeDue(now)
		closed += n
		if err != nil {
			errs = append(errs, err)
		}
	}
	return closed, errors.Join(errs...)
}

// nextDue returns a time before which no period is to be closed, in microseconds after 1970.
func (bs *Boards) nextDue() int64 {
	next := int64(math.MaxInt64)
	for _, b := range bs.All() {
		for _, s := range b.state.Load().spans {
			next = min(next, s.due.Load())
		}
	}
	return next
}

// closeDue closes the board's periods whose time is up.
func (b *Board) closeDue(now time.Time) (closed int, err error) {
	b.closing.Lock()
	defer b.closing.Unlock()
	st := b.state.Load()
	for _, s := range st.spans {
		for _, x := range s.dueBy(now.UnixMicro()) {
			if err := b.close(st, s, x, false); err != nil {
				s.due.Store(math.MinInt64) // look again
				if err == errAgain {
					return closed, nil
				}
				return closed, fmt.Errorf("%w: closing %s of %q", err, x.Name, st.name)
			}
			closed++
		}
		if err := b.retain(st, s); err != nil {
			return closed, err
		}
	}
	return closed, nil
}

// close closes a period, by hand or because its time is up. The caller holds b.closing.
func (b *Board) close(st *state, s *span, x *slot, byHand bool) error {
	r := record{Period: x.Name, Start: x.Start, End: x.End}
	was, through := s.through.Load(), x.End.UnixMicro()
	err := b.bs.e.Update([]string{x.key}, func(tx *engine.Tx) error {
		if b.changed(st) || !byHand && tx.Now().UnixMicro() < x.closes {
			return errAgain
		}
		set, err := tx.IntSet(x.key, st.form)
		if err != nil {
			return err
		}
		r.Members, r.ClosedAt = set.Len(), tx.Now()
		s.through.Store(max(was, through))
		return storeRecord(tx, st.name, s.Window.Name, max(was, through), r)
	})
	if err != nil {
		s.through.Store(was)
		return err
	}
	s.forget(x)
	if r.Members == 0 {
		return nil
	}
	s.addClosed(r)
	b.bs.log.Info("board: period closed", "board", st.name, "window", s.Window.Name, "period", r.Period, "members", r.Members)
	return b.bs.e.Unload(x.key)
}

// storeRecord stores how far a window is closed, and what the last period was, if it has held anybody.
func storeRecord(tx *engine.Tx, board, window string, through int64, r record) error {
	if err := tx.Put(windowKey(board, window), strconv.AppendInt(nil, through, 10)); err != nil || r.Members == 0 {
		return err
	}
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return tx.Put(recordKey(board, window, r.Period), text)
}

// CloseNow closes the live period of a window by hand, after those before it that still take late results. Until the next period
// begins a submission of now is refused. Errors: ErrNoWindow, ErrNoEnd, ErrMigrating, an *OutsideError if no period is live, those of the engine.
func (b *Board) CloseNow(window string) (Info, error) {
	st, s, err := b.window(window)
	if err != nil {
		return Info{}, err
	}
	x, err := s.at(b.bs.e.Now())
	switch {
	case err != nil:
		return Info{}, fmt.Errorf("%w: %q", err, st.name)
	case x.End.IsZero():
		return Info{}, fmt.Errorf("%w: %s of %q", ErrNoEnd, window, st.name)
	}
	b.closing.Lock()
	defer b.closing.Unlock()
	for _, y := range append(slices.DeleteFunc(s.slots(), func(y *slot) bool { return !y.Start.Before(x.Start) }), x) {
		if s.isClosed(y) {
			continue
		}
		if err := b.close(st, s, y, true); err == errAgain {
			return Info{}, fmt.Errorf("%w: %q", ErrMigrating, st.name)
		} else if err != nil {
			return Info{}, err
		}
	}
	return st.info(s, x.Period), b.retain(st, s)
}

// retain drops the oldest closed periods of a window that are more than it keeps. The caller holds b.closing.
func (b *Board) retain(st *state, s *span) error {
	for s.Keep > 0 {
		s.mu.Lock()
		if len(s.closed) <= s.Keep {
			s.mu.Unlock()
			return nil
		}
		r := s.closed[0]
		s.mu.Unlock()
		if err := b.dropPeriod(st, s, r); err != nil {
			return fmt.Errorf("%w: dropping %s of %q", err, r.Period, st.name)
		}
		b.bs.log.Info("board: period dropped", "board", st.name, "window", s.Window.Name, "period", r.Period, "members", r.Members)
	}
	return nil
}

// dropPeriod drops a closed period, its metadata first: nobody finds that without the record.
func (b *Board) dropPeriod(st *state, s *span, r record) error {
	if err := b.dropPrivate(metaPrefix(st.name, s.Window.Name, r.Period)); err != nil {
		return err
	}
	key := s.key(r.Period)
	err := b.bs.e.Update([]string{key}, func(tx *engine.Tx) error {
		if _, err := tx.Drop(key); err != nil {
			return err
		}
		return tx.Delete(recordKey(st.name, s.Window.Name, r.Period))
	})
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = slices.DeleteFunc(s.closed, func(other record) bool { return other.Period == r.Period })
	return nil
}

// dropStep is how many private keys are deleted in one transaction.
const dropStep = 1000

// dropPrivate deletes the private keys with a prefix.
func (b *Board) dropPrivate(prefix string) error {
	for more := true; more; {
		err := b.bs.e.Update(nil, func(tx *engine.Tx) error {
			var keys []string
			for kv, err := range tx.Scan(prefix) {
				if err != nil {
					return err
				}
				if keys = append(keys, string(kv.Key)); len(keys) == dropStep {
					break
				}
			}
			more = len(keys) == dropStep
			for _, key := range keys {
				if err := tx.Delete(key); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}
