package submit

import (
	"fmt"
	"time"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board/internal/boardkey"
	"github.com/zrankdb/zrank/engine/board/internal/catalog"
	"github.com/zrankdb/zrank/engine/board/internal/errs"
	"github.com/zrankdb/zrank/engine/board/internal/rolling"
	"github.com/zrankdb/zrank/engine/board/internal/state"
	"github.com/zrankdb/zrank/engine/board/internal/tail"
)

// storeMeta stores the metadata of the entry in a window, if the submission has any.
func (p *plan) storeMeta(tx *engine.Tx, i int) error {
	if p.sub.Meta == nil {
		return nil
	}
	return putMeta(tx, boardkey.Meta(p.st.Name, p.st.Timelines[i].Window.Name, p.slots[i].Name, p.sub.Member), p.sub.Meta)
}

func putMeta(tx *engine.Tx, key string, meta []byte) error {
	if len(meta) == 0 {
		return tx.Delete(key)
	}
	return tx.Put(key, meta)
}

// SetMeta changes the metadata of a member's entry in the live period: see Board.SetMeta.
func SetMeta(b *catalog.Board, window, member string, meta []byte) error {
	return b.Retry(func(st *state.State) error {
		t, err := st.Timeline(window)
		if err != nil {
			return err
		}
		if len(meta) > st.Spec.MaxMeta {
			return fmt.Errorf("%w: %d bytes, want at most %d: %q", errs.ErrMeta, len(meta), st.Spec.MaxMeta, st.Name)
		}
		now := b.Engine().Now()
		slot, err := t.SlotAt(now)
		if err != nil {
			return err
		}
		if t.IsClosed(slot) { // checked before the transaction, which would load the set
			return metaClosedError(b, t, slot, now, now)
		}
		if err := rolling.Settle(b, st, t); err != nil {
			return err
		}
		keys := []string{slot.Key}
		var d *state.Division
		switch {
		case slot.Parts != nil:
			d = slot.Parts.Now()
			keys = d.AppendHomes(keys[:0], []byte(member))
		case tail.Has(t):
			keys = append(keys, tail.BucketOf(slot, []byte(member)).Key)
		}
		err = b.Owner().Update(keys, func(tx *engine.Tx) error {
			if err := b.CheckWritable(st); err != nil {
				return err
			}
			if rolling.IsDue(b, t) {
				return errs.ErrAgain
			}
			if !t.Accepts(slot, tx.Now()) {
				return metaClosedError(b, t, slot, now, tx.Now())
			}
			if d != nil && !slot.Parts.Is(d) {
				return errs.ErrMoved
			}
			set, err := openPeriod{t, slot, d}.setOf(tx, st, member)
			if err != nil {
				return err
			}
			if ok, err := isRanked(tx, st, t, slot, set, member); err != nil {
				return err
			} else if !ok {
				return fmt.Errorf("%w: %q in %s of %q", errs.ErrNotRanked, member, slot.Name, st.Name)
			}
			return putMeta(tx, boardkey.Meta(st.Name, window, slot.Name, member), meta)
		})
		return unblock(err, b, st, func(yield func(*state.Timeline, *state.Slot) bool) { yield(t, slot) }, 0)
	})
}

// isRanked reports whether a member has an entry.
func isRanked(tx *engine.Tx, st *state.State, t *state.Timeline, slot *state.Slot, set *engine.IntSet, member string) (bool, error) {
	if !tail.Has(t) {
		_, ok := set.Score([]byte(member))
		return ok, nil
	}
	var s tail.Sets
	if err := s.OpenAny(tx, st, t, slot, set, []byte(member)); err != nil {
		return false, err
	}
	_, _, ok := s.Get()
	return ok, nil
}

// metaClosedError returns the error of a period that accepts no metadata any more. It is ErrAgain if another period has become live since the
// call read the clock. at is the time that the call read.
func metaClosedError(b *catalog.Board, t *state.Timeline, slot *state.Slot, at, now time.Time) error {
	if t.AnotherIsLive(slot, b.Engine().Now()) {
		return errs.ErrAgain
	}
	return t.ClosedError(slot, at, now)
}
