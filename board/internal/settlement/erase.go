package settlement

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/zrankdb/zrank/board/internal/auditlog"
	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
)

// Erase erases a member from the awards of all periods, granted or not, and calls also in the transaction of each award. A period that is settled later does
// not award anything to a member that its ranking has not. O(settlements), and each is read from the disk. Errors: ErrClosed, ErrNoBoard, those of also and of
// the engine.
func Erase(ctx context.Context, b *catalog.Board, member string, also func(*engine.Tx) error) error {
	return b.Retry(func(st *state.State) error {
		for _, w := range works(b, st, func(work) bool { return true }) {
			if err := w.erase(ctx, st, member, also); err != nil {
				return err
			}
		}
		return eraseFromNotes(ctx, b, st, member)
	})
}

// eraseFromNotes takes the name of a member out of the reasons that are noted of the awards of others. O(notes).
func eraseFromNotes(ctx context.Context, b *catalog.Board, st *state.State, member string) error {
	return b.Owner().Update(ctx, nil, func(tx *engine.Tx) error {
		if b.CheckWritable(st) != nil {
			return state.ErrAgain
		}
		changed := map[string][]byte{}
		for kv, err := range tx.Scan(boardkey.NotePrefix(st.Name)) {
			var n note
			if err == nil {
				err = json.Unmarshal(kv.Value, &n)
			}
			if err != nil {
				return err
			}
			if reason := auditlog.Without(n.Reason, member); reason != n.Reason {
				n.Reason = reason
				if changed[string(kv.Key)], err = json.Marshal(n); err != nil {
					return err
				}
			}
		}
		for key, text := range changed {
			if err := tx.Put(key, text); err != nil {
				return err
			}
		}
		return nil
	})
}

// erase erases the award of a member, if it has one, and its name from the list of those who get nothing. It waits while the period is being settled.
func (w work) erase(ctx context.Context, st *state.State, member string, also func(*engine.Tx) error) error {
	w.s.Working.Lock()
	defer w.s.Working.Unlock()
	if w.s.Dropped {
		return nil
	}
	without := *w.s.Now() // the state without the member's name
	without.Without = slices.DeleteFunc(slices.Clone(without.Without), func(other string) bool { return other == member })
	without.Reason = auditlog.Without(without.Reason, member)
	listed := len(without.Without) < len(w.s.Now().Without) || without.Reason != w.s.Now().Reason
	did, next := false, without
	err := w.b.Owner().Update(ctx, []string{w.s.Key}, func(tx *engine.Tx) (err error) {
		if w.b.CheckWritable(st) != nil {
			return state.ErrAgain
		}
		next = without
		if did, err = w.eraseIn(tx, member, &next); err == nil && did {
			err = also(tx)
		}
		if err != nil || !did && !listed {
			return err
		}
		return PutFirst(tx, st.Name, w.s.Window, w.s.Period, &next)
	})
	w.b.Env().Idle.NoteRead(w.b.Engine().Now(), w.s.Key)
	if err != nil {
		w.reload(ctx, err)
		return err
	}
	if did || listed {
		w.s.Set(&next)
		w.s.DropRetry(member)
		w.t.SetDueNow()
	}
	return nil
}

// removeIn removes the award of a member from the set of awards, and stores the settlement without it.
func (w work) removeIn(tx *engine.Tx, member string, next *state.Settling) error {
	if _, err := w.eraseIn(tx, member, next); err != nil {
		return err
	}
	return PutFirst(tx, w.b.State().Name, w.s.Window, w.s.Period, next)
}

// eraseIn removes the award of a member from the set of awards.
func (w work) eraseIn(tx *engine.Tx, member string, next *state.Settling) (did bool, err error) {
	if !next.Settled {
		return false, nil
	}
	set, err := tx.IntSet(w.s.Key, next.Form())
	if err != nil {
		return false, err
	}
	e, ok := entryOf(set.IntView, member)
	if !ok {
		return false, nil
	}
	if e.waits(next) {
		if err := addWaiting(w.b, tx, w.s, -1); err != nil {
			return false, err
		}
	}
	if _, err := set.Remove([]byte(member)); err != nil {
		return false, err
	}
	next.Awards--
	return true, tx.Delete(boardkey.Note(w.b.State().Name, w.s.Window, w.s.Period, member))
}
