package settlement

import (
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
		member := i.member
		err := w.change(member, func(tx *engine.Tx, set *engine.IntSet, s *state.Settling, e entry) error {
			if int(e.revision) != i.revision {
				return fmt.Errorf("%w: %s", errs.ErrAward, text)
			}
			if !e.waits(s) {
				return notWaiting(e, s, text)
			}
			e.flag = withheld
			if err := addWaiting(b, tx, w.s, -1); err != nil {
				return err
			}
			return w.putNoted(tx, set, s, member, e, note{Reason: shortened(reason)})
		})
		if err == nil {
			w.s.DropRetry(member)
			w.t.SetDueNow()
		}
		return err
	})
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
