package settlement

import (
	"context"
	"slices"

	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
)

// Move gives the awards of a member to another one, in all periods that are settled, and its place in the lists of those who get nothing. Where the other one has an award too, that of the member stays, and is
// withheld for a reason if it waits; the transaction that does it calls also. The id of an award that moves stays: see names. O(settlements), and
// each is read from the disk. Errors: ErrClosed, ErrNoBoard, those of also and of the engine.
func Move(ctx context.Context, b *catalog.Board, member, to, reason string, also func(*engine.Tx) error) error {
	return b.Retry(func(st *state.State) error {
		for _, w := range works(b, st, func(work) bool { return true }) {
			stays, err := w.move(ctx, st, member, to)
			if err == nil && stays {
				err = w.withholdIfWaits(ctx, member, reason, also)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// CountMove returns how many awards Move would withhold. O(settlements). Errors: those of Of.
func CountMove(ctx context.Context, b *catalog.Board, member, to string) (n int, err error) {
	type at struct{ window, period string }
	has := map[at]bool{}
	if _, err := Count(ctx, b, to, func(a awards.Award) bool { has[at{a.Window, a.Period}] = true; return true }); err != nil {
		return 0, err
	}
	return Count(ctx, b, member, func(a awards.Award) bool { return Waits(a) && has[at{a.Window, a.Period}] })
}

// move gives the award of a member to another one, and its place in the list of those who get nothing. It reports whether the award stays because the other
// one has one. It waits while the period is being settled.
func (w work) move(ctx context.Context, st *state.State, member, to string) (stays bool, err error) {
	w.s.Working.Lock()
	defer w.s.Working.Unlock()
	if w.s.Dropped {
		return false, nil
	}
	s := w.s.Now()
	next, moved, listed := *s, false, slices.Contains(s.Without, member)
	if listed {
		others := slices.DeleteFunc(slices.Clone(s.Without), func(other string) bool { return other == member || other == to })
		next.Without = slices.Sorted(slices.Values(append(others, to)))
	}
	err = w.b.Owner().Update(ctx, []string{w.s.Key}, func(tx *engine.Tx) (err error) {
		if w.b.CheckWritable(st) != nil {
			return state.ErrAgain
		}
		if s.Settled {
			moved, stays, err = w.moveIn(tx, s, member, to)
		}
		if err != nil || !listed {
			return err
		}
		return PutFirst(tx, st.Name, w.s.Window, w.s.Period, &next)
	})
	w.b.Env().Idle.NoteRead(w.b.Engine().Now(), w.s.Key)
	if err != nil {
		w.reload(ctx, err)
		return stays, err
	}
	if listed {
		w.s.Set(&next)
	}
	if r, ok := w.s.Retries[member]; ok && moved {
		w.s.DropRetry(member)
		w.s.SetRetry(to, r)
	}
	return stays, nil
}

// moveIn gives the award of a member to another one, unless that one has an award: then it stays.
func (w work) moveIn(tx *engine.Tx, s *state.Settling, member, to string) (moved, stays bool, err error) {
	set, err := tx.IntSet(w.s.Key, s.Form())
	if err != nil {
		return false, false, err
	}
	e, ok := entryOf(set.IntView, member)
	if !ok {
		return false, false, nil
	}
	if _, has := entryOf(set.IntView, to); has {
		return false, true, nil
	}
	if _, err := set.Remove([]byte(member)); err != nil {
		return false, false, err
	}
	return true, false, w.moveNote(tx, set, s, member, to, e)
}

// moveNote stores the award of the other member, with what is noted of it.
func (w work) moveNote(tx *engine.Tx, set *engine.IntSet, s *state.Settling, member, to string, e entry) error {
	key := boardkey.Note(w.b.State().Name, w.s.Window, w.s.Period, member)
	text, ok, err := tx.Get(key)
	if err == nil && ok {
		if err = tx.Put(boardkey.Note(w.b.State().Name, w.s.Window, w.s.Period, to), text); err == nil {
			err = tx.Delete(key)
		}
	}
	if err != nil {
		return err
	}
	return putEntry(set, s, to, e)
}
