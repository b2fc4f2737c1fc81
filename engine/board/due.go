package board

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/zrankdb/zrank/engine"
)

// CloseDue closes the periods whose time is up by the engine's clock, of all boards in the order in which it was up, drops those that
// are not kept any more, and returns how many it has closed. The goroutine of Open does so by itself; who steers the clock calls it
// when it has moved. Boards that are being migrated come afterwards. O(windows + open periods of those that have something to
// close). Errors: ErrClosed; those of the engine, joined; what they kept from being closed is tried again, and takes no results
// meanwhile.
func (bs *Boards) CloseDue() (closed int, err error) {
	if err := bs.over(); err != nil {
		return 0, err
	}
	if err := bs.outside(); err != nil {
		return 0, err
	}
	var errs []error
	windows, periods := bs.due(bs.e.Now().UnixMicro())
	failed := map[*span]bool{} // so that none is closed before an earlier one
	for _, d := range periods {
		if failed[d.s] {
			continue
		}
		n, err := d.b.closeDue(d.st, d.s, d.x)
		closed += n
		if failed[d.s] = err != nil; err != nil && err != errAgain {
			errs = append(errs, fmt.Errorf("closing %s of %q, window %s: %w", d.x.Name, d.st.name, d.s.Window.Name, err))
		}
	}
	for _, d := range windows {
		if err := d.b.retain(d.st, d.s); err != nil && err != errAgain {
			errs = append(errs, err)
		}
	}
	return closed, errors.Join(errs...)
}

// due is a window that has something to close or to drop, or a period of it whose time is up.
type due struct {
	b  *Board
	st *state
	s  *span
	x  *slot
}

// due returns what is to be done at a time: periods in the order in which their time was up.
func (bs *Boards) due(now int64) (windows, periods []due) {
	for _, b := range bs.sorted() {
		st := b.state.Load()
		for _, s := range st.spans {
			if s.due.Load() > now || b.frozen.Load() {
				continue
			}
			windows = append(windows, due{b, st, s, nil})
			for _, x := range s.up(now) {
				periods = append(periods, due{b, st, s, x})
			}
		}
	}
	slices.SortStableFunc(periods, func(a, b due) int { return cmp.Compare(a.x.closes, b.x.closes) })
	return windows, periods
}

// nextDue returns a time before which no period is to be closed, in microseconds after 1970.
func (bs *Boards) nextDue() int64 {
	next := int64(math.MaxInt64)
	for _, b := range bs.sorted() {
		for _, s := range b.state.Load().spans {
			next = min(next, s.due.Load())
		}
	}
	return next
}

// retain drops the closed periods that a window does not keep, and plans what is next.
func (b *Board) retain(st *state, s *span) error {
	b.closing.Lock()
	defer b.closing.Unlock()
	err := b.drop(st, s)
	if err == nil {
		s.plan()
	}
	return err
}

// drop drops the oldest closed periods of a window that are more than it keeps. The caller holds b.closing.
func (b *Board) drop(st *state, s *span) error {
	for r := s.surplus(); r != nil; r = s.surplus() {
		if err := b.dropPeriod(st, s, r); err == errAgain {
			return err
		} else if err != nil {
			s.dueNow()
			return fmt.Errorf("dropping %s of %q, window %s: %w", r.Period, st.name, s.Window.Name, err)
		}
		b.bs.log.Info("board: period dropped", "board", st.name, "window", s.Window.Name, "period", r.Period, "members", r.Members)
	}
	return nil
}

// dropPeriod drops a closed period: by one commit, and what is left of it, the set and its metadata, after that. Until nothing is, it
// stays among those to be dropped.
func (b *Board) dropPeriod(st *state, s *span, r *record) error {
	err := b.bs.own.Update(nil, func(tx *engine.Tx) error {
		if b.changed(st) {
			return errAgain
		}
		if err := tx.Delete(recordKey(st.name, s.Window.Name, r.Period)); err != nil {
			return err
		}
		return tx.Put(goneKey(st.name, s.Window.Name, r.Period), []byte(s.key(r.Period)))
	})
	if err != nil {
		b.bs.left.Store(true) // it may have happened: see engine.ErrStalled
		return err
	}
	if err := b.bs.clear(st.name, s.Window.Name, r.Period, s.key(r.Period)); err != nil {
		return err
	}
	s.dropped(r)
	return nil
}
