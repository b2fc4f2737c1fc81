package submit

import (
	"fmt"
	"time"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board/internal/boardkey"
	"github.com/zrankdb/zrank/engine/board/internal/catalog"
	"github.com/zrankdb/zrank/engine/board/internal/errs"
	"github.com/zrankdb/zrank/engine/board/internal/state"
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
		x, err := t.SlotAt(now)
		if err != nil {
			return err
		}
		if t.IsClosed(x) { // without loading the set
			return refusedMeta(b, t, x, now, now)
		}
		return b.Owner().Update([]string{x.Key}, func(tx *engine.Tx) error {
			if err := b.CheckWritable(st); err != nil {
				return err
			}
			if !t.Accepts(x, tx.Now()) {
				return refusedMeta(b, t, x, now, tx.Now())
			}
			set, err := tx.IntSet(x.Key, st.Form)
			if err != nil {
				return err
			}
			if _, ok := set.Score([]byte(member)); !ok {
				return fmt.Errorf("%w: %q in %s of %q", errs.ErrNotRanked, member, x.Name, st.Name)
			}
			return putMeta(tx, boardkey.Meta(st.Name, window, x.Name, member), meta)
		})
	})
}

// refusedMeta returns the error of a period that accepts no metadata any more: ErrAgain if the next period has begun since the call read
// the clock, at a time.
func refusedMeta(b *catalog.Board, t *state.Timeline, x *state.Slot, at, now time.Time) error {
	if t.AnotherIsLive(x, b.Engine().Now()) {
		return errs.ErrAgain
	}
	return t.ClosedError(x, at, now)
}
