package board

import (
	"fmt"
	"time"

	"github.com/zrankdb/zrank/engine"
)

// storeMeta stores the metadata of the entry in a window, if the submission has any.
func (p *plan) storeMeta(tx *engine.Tx, i int) error {
	if p.sub.Meta == nil {
		return nil
	}
	return putMeta(tx, metaKey(p.st.name, p.st.timelines[i].Window.Name, p.slots[i].Name, p.sub.Member), p.sub.Meta)
}

func putMeta(tx *engine.Tx, key string, meta []byte) error {
	if len(meta) == 0 {
		return tx.Delete(key)
	}
	return tx.Put(key, meta)
}

// setMeta changes the metadata of a member's entry in the live period: see Board.SetMeta.
func setMeta(b *core, window, member string, meta []byte) error {
	return b.retry(func(st *state) error {
		t, err := st.timeline(window)
		if err != nil {
			return err
		}
		if len(meta) > st.spec.MaxMeta {
			return fmt.Errorf("%w: %d bytes, want at most %d: %q", ErrMeta, len(meta), st.spec.MaxMeta, st.name)
		}
		now := b.engine().Now()
		x, err := t.slotAt(now)
		if err != nil {
			return err
		}
		if t.isClosed(x) { // without loading the set
			return refusedMeta(b, t, x, now, now)
		}
		return b.owner().Update([]string{x.key}, func(tx *engine.Tx) error {
			if err := b.checkWritable(st); err != nil {
				return err
			}
			if !t.accepts(x, tx.Now()) {
				return refusedMeta(b, t, x, now, tx.Now())
			}
			set, err := tx.IntSet(x.key, st.form)
			if err != nil {
				return err
			}
			if _, ok := set.Score([]byte(member)); !ok {
				return fmt.Errorf("%w: %q in %s of %q", ErrNotRanked, member, x.Name, st.name)
			}
			return putMeta(tx, metaKey(st.name, window, x.Name, member), meta)
		})
	})
}

// refusedMeta returns the error of a period that accepts no metadata any more: ErrAgain if the next period has begun since the call read
// the clock, at a time.
func refusedMeta(b *core, t *timeline, x *slot, at, now time.Time) error {
	if t.anotherIsLive(x, b.engine().Now()) {
		return errAgain
	}
	return t.closedError(x, at, now)
}
