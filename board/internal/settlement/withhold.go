package settlement

import (
	"context"
	"errors"
	"fmt"

	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
)

// Withhold withholds an award that waits: see Board.Withhold.
func Withhold(ctx context.Context, b *catalog.Board, text, reason string) error {
	return changeByHand(ctx, b, text, func(w work, member string) error {
		return w.withhold(ctx, member, reason, func(_ *engine.Tx, s *state.Settling, e entry) error {
			if !e.waits(s) {
				return notWaiting(e, s, text)
			}
			return nil
		})
	})
}

// withhold withholds the award of a member unless may returns an error. The caller holds Working. Errors: those of change and of may.
func (w work) withhold(ctx context.Context, member, reason string, may func(*engine.Tx, *state.Settling, entry) error) error {
	err := w.change(ctx, member, func(tx *engine.Tx, set *engine.IntSet, s *state.Settling, e entry) error {
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
func WithholdAll(ctx context.Context, b *catalog.Board, member, reason string, also func(*engine.Tx) error) error {
	return b.Retry(func(st *state.State) error {
		for _, w := range works(b, st, func(work) bool { return true }) {
			if err := w.withholdIfWaits(ctx, member, reason, also); err != nil {
				return err
			}
		}
		return nil
	})
}

// withholdIfWaits withholds the award of a member, if it has one that waits. It waits while the period is being settled.
func (w work) withholdIfWaits(ctx context.Context, member, reason string, also func(*engine.Tx) error) error {
	w.s.Working.Lock()
	defer w.s.Working.Unlock()
	if !w.s.Now().Settled || w.s.Dropped || w.s.Waiting.Load() == 0 {
		return nil
	}
	defer w.b.Env().Idle.NoteRead(w.b.Engine().Now(), w.s.Key)
	err := w.withhold(ctx, member, reason, func(tx *engine.Tx, s *state.Settling, e entry) error {
		if !e.waits(s) {
			return errNothing
		}
		return also(tx)
	})
	if err == errNothing || errors.Is(err, awards.ErrNoAward) {
		return nil
	}
	return err
}

// Waits reports whether an award waits, perhaps after a failure.
func Waits(a awards.Award) bool { return a.State == awards.Waiting || a.State == awards.Failed }

// Count returns the number of awards of a member that are wanted. O(settlements). Errors: those of Of.
func Count(ctx context.Context, b *catalog.Board, member string, wanted func(awards.Award) bool) (n int, err error) {
	all, err := Of(ctx, b, member, func(*state.Settling) bool { return true })
	for _, a := range all {
		if wanted(a) {
			n++
		}
	}
	return n, err
}

// Release makes a withheld or failed award wait to be granted at once: see Board.Release. One that a Resettle has left with nothing goes.
func Release(ctx context.Context, b *catalog.Board, text string) error {
	return changeByHand(ctx, b, text, func(w work, member string) error {
		var without *state.Settling
		err := w.change(ctx, member, func(tx *engine.Tx, set *engine.IntSet, s *state.Settling, e entry) error {
			switch {
			case e.flag == plain:
				return notWaiting(e, s, text)
			case e.due|e.granted == 0:
				without = new(*s)
				return w.removeIn(tx, member, without)
			}
			more := 0
			if e.flag == withheld && e.toGrant(s) != 0 {
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
			if without != nil {
				w.s.Set(without)
			}
			w.s.DropRetry(member)
			b.Env().WakeAwards()
		}
		return err
	})
}

// changeByHand calls change with the settlement of an award and its member. Errors: those of lookup, of change, of Retry and of the engine.
func changeByHand(ctx context.Context, b *catalog.Board, text string, change func(w work, member string) error) error {
	return b.Retry(func(*state.State) error {
		w, i, err := lookup(b, text)
		if err != nil {
			return err
		}
		w.s.Working.Lock()
		defer w.s.Working.Unlock()
		if !w.s.Now().Settled {
			return fmt.Errorf("%w: %s of %q, window %s", awards.ErrSettling, i.period, i.board, i.window)
		}
		member, err := w.memberOf(ctx, i)
		if err != nil {
			return err
		}
		return change(w, member)
	})
}

// memberOf returns the member of an award. The caller holds Working, so that no other name gets the award. Errors: those of the engine.
func (w work) memberOf(ctx context.Context, i id) (member string, err error) {
	err = w.b.Engine().View(ctx, func(tx *engine.Tx) error {
		set, err := tx.IntSet(w.s.Key, w.s.Now().Form())
		if err != nil {
			return err
		}
		n, err := w.names(tx, set.IntView)
		member = n.member(i.name)
		return err
	}, w.s.Key)
	return member, err
}
