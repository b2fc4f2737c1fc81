package engine

import (
	"fmt"
)

// ExpectScore returns ErrConflict unless the member has this score, as the transaction sees it. A score that has changed and
// come back is the same. O(1). Errors: ErrConflict, ErrTxDone.
func (w writer[S]) ExpectScore(member []byte, score S) error {
	if w.h.tx.done {
		return ErrTxDone
	}
	switch now, ok := w.shown().Score(member); {
	case !ok:
		return fmt.Errorf("%w: %q has no member %q", ErrConflict, w.h.key, member)
	case now != score:
		return fmt.Errorf("%w: %q in %q has %v, not %v", ErrConflict, member, w.h.key, now, score)
	}
	return nil
}

// ExpectAbsent returns ErrConflict if the set has the member, as the transaction sees it. O(1). Errors: ErrConflict, ErrTxDone.
func (w writer[S]) ExpectAbsent(member []byte) error {
	if w.h.tx.done {
		return ErrTxDone
	}
	if now, ok := w.shown().Score(member); ok {
		return fmt.Errorf("%w: %q in %q has %v", ErrConflict, member, w.h.key, now)
	}
	return nil
}
