package board

import (
	"fmt"
	"time"

	"github.com/zrankdb/zrank/engine"
)

// keepMeta stores the metadata of the entry in a window, if the submission has any.
func (p *plan) keepMeta(tx *engine.Tx, i int) error {
	if p.sub.Meta == nil {
		return nil
	}
	return putMeta(tx, p.st.spans[i].metaKey(p.slots[i].Name, p.sub.Member), p.sub.Meta)
}

func putMeta(tx *engine.Tx, key string, meta []byte) error {
	if len(meta) == 0 {
		return tx.Delete(key)
	}
	return tx.Put(key, meta)
}

// SetMeta gives a member's entry in the live period of a window other metadata, none if it is empty, and leaves the entry where it
// is. O(1). Errors: ErrNoWindow, ErrMeta, ErrNotRanked, an *OutsideError, a *PeriodClosedError, ErrClosed, ErrNoBoard, those of the
// engine.
func (b *Board) SetMeta(window, member string, meta []byte) error {
	return b.retry(func(st *state) error {
		s, err := st.span(window)
		if err != nil {
			return err
		}
		if len(meta) > st.spec.MaxMeta {
			return fmt.Errorf("%w: %d bytes, want at most %d: %q", ErrMeta, len(meta), st.spec.MaxMeta, st.name)
		}
		now := b.bs.e.Now()
		x, err := s.at(now)
		if err != nil {
			return err
		}
		if s.isClosed(x) { // and need not come into memory
			return b.refusedMeta(s, x, now, now)
		}
		return b.bs.own.Update([]string{x.key}, func(tx *engine.Tx) error {
			if err := b.current(st); err != nil {
				return err
			}
			if !s.takes(x, tx.Now()) {
				return b.refusedMeta(s, x, now, tx.Now())
			}
			set, err := tx.IntSet(x.key, st.form)
			if err != nil {
				return err
			}
			if _, ok := set.Score([]byte(member)); !ok {
				return fmt.Errorf("%w: %q in %s of %q", ErrNotRanked, member, x.Name, st.name)
			}
			return putMeta(tx, s.metaKey(x.Name, member), meta)
		})
	})
}

// refusedMeta is as plan.refused for the metadata of an entry of the live period, which was asked for at a time.
func (b *Board) refusedMeta(s *span, x *slot, at, now time.Time) error {
	if s.left(x, b.bs.Now()) {
		return errAgain
	}
	return s.shut(x, at, now)
}
