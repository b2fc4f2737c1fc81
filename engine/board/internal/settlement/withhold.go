package settlement

import (
	"errors"
	"fmt"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board/internal/boardkey"
	"github.com/zrankdb/zrank/engine/board/internal/catalog"
	"github.com/zrankdb/zrank/engine/board/internal/errs"
	"github.com/zrankdb/zrank/engine/board/internal/state"
)

// Withhold withholds an award that waits: see Board.Withhold.
func Withhold(b *catalog.Board, text, reason string) error {
	return changeByHand(b, text, func(w work, i id) error {
		return w.withhold(i.member, reason, func(_ *engine.Tx, s *state.Settling, e entry) error {
			switch {
			case int(e.revision) != i.revision:
				return fmt.Errorf("%w: %s", errs.ErrAward, text)
			case !e.waits(s):
				return notWaiting(e, s, text)
			}
			return nil
		})
	})
}

// withhold withholds the award of a member unless may returns an error. The caller holds Working. Errors: those of change and of may.
func (w work) withhold(member, reason string, may func(*engine.Tx, *state.Settling, entry) error) error {
	err := w.change(member, func(tx *engine.Tx, set *engine.IntSet, s *state.Settling, e entry) error {
		if err := may(tx, s, e); err != nil {
			return err
		}
		e.flag = withheld
		if err := addWaiting(w.b, tx, w.s, -1); err != nil {
			return err
		}
		return w.putNoted(tx, set, s, member, e, note{Reason: shortened(reason)})
	})
	if err == nil {
		w.s.DropRetry(member)
		w.t.SetDueNow()
	}
	return err
}

// errNothing is returned for an award that does not wait.
var errNothing = errors.New("nothing waits")

// WithholdAll withholds all awards of a member that wait, and calls also in the transaction of each. A period that is settled later does not award anything to
// a member that its ranking has not. O(settlements with awards that wait). Errors: ErrClosed, ErrNoBoard, those of also and of the engine.
func WithholdAll(b *catalog.Board, member, reason string, also func(*engine.Tx) error) error {
	return b.Retry(func(st *state.State) error {
		for _, w := range works(b, st, func(work) bool { return true }) {
			if err := w.withholdIfWaits(member, reason, also); err != nil {
				return err
			}
		}
		return nil
	})
}

// withholdIfWaits withholds the award of a member, if it has one that waits. It waits while the period is being settled.
func (w work) withholdIfWaits(member, reason string, also func(*engine.Tx) error) error {
	w.s.Working.Lock()
	defer w.s.Working.Unlock()
	if !w.s.Now().Settled || w.s.Dropped || w.s.Waiting.Load() == 0 {
		return nil
	}
	defer w.b.Env().Idle.NoteRead(w.b.Engine().Now(), w.s.Key)
	err := w.withhold(member, reason, func(tx *engine.Tx, s *state.Settling, e entry) error {
		if !e.waits(s) {
			return errNothing
		}
		return also(tx)
	})
	if err == errNothing || errors.Is(err, errs.ErrAward) {
		return nil
	}
	return err
}

// Waits reports whether an award waits, perhaps after a failure.
func Waits(a Award) bool { return a.State == Waiting || a.State == Failed }

// Count returns the number of awards of a member that are wanted. O(settlements). Errors: those of Of.
func Count(b *catalog.Board, member string, wanted func(Award) bool) (n int, err error) {
	all, err := Of(b, member, func(*state.Settling) bool { return true })
	for _, a := range all {
		if wanted(a) {
			n++
		}
	}
	return n, err
}

// Release makes a withheld or failed award wait to be granted at once: see Board.Release.
func Release(b *catalog.Board, text string) error {
	return changeByHand(b, text, func(w work, i id) error {
		member := i.member
		more := 0
		err := w.change(member, func(tx *engine.Tx, set *engine.IntSet, s *state.Settling, e entry) error {
			if int(e.revision) != i.revision {
				return fmt.Errorf("%w: %s", errs.ErrAward, text)
			}
			if e.flag == plain || e.toGrant(s) == 0 {
				return notWaiting(e, s, text)
			}
			if e.flag == withheld {
				more = 1
			}
			e.flag = plain
			if err := addWaiting(b, tx, w.s, more); err != nil {
				return err
			}
			if err := tx.Delete(boardkey.Note(b.State().Name, w.s.Window, w.s.Period, member)); err != nil {
				return err
			}
			w.s.Next = min(w.s.Next, e.place)
			return putEntry(set, s, member, e)
		})
		if err == nil {
			w.s.DropRetry(member)
			b.Env().WakeAwards()
		}
		return err
	})
}

// changeByHand calls change with the settlement of an award and what its id names. Errors: those of lookup, of change and of Retry.
func changeByHand(b *catalog.Board, text string, change func(w work, i id) error) error {
	return b.Retry(func(*state.State) error {
		w, i, err := lookup(b, text)
		if err != nil {
			return err
		}
		w.s.Working.Lock()
		defer w.s.Working.Unlock()
		if !w.s.Now().Settled {
			return fmt.Errorf("%w: %s of %q, window %s", errs.ErrSettling, i.period, i.board, i.window)
		}
		return change(w, i)
	})
}
