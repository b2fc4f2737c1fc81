package engine

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"
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

const (
	tries     = 1000 // of Retry
	pauseMost = time.Millisecond
)

// Retry calls fn until it returns something else than ErrConflict, and returns that. It is for callers who read in one
// transaction, decide without holding a lock, and write in another:
//
//	err := engine.Retry(ctx, func() error {
//		// e.View: read, and keep s.LastSeq(), or the scores that the decision hangs on.
//		// Decide: compute, or ask somebody.
//		// e.Update: s.Expect(seq), or s.ExpectScore(member, score), and then change.
//	})
//
// A private key needs no method of its own: tx.Get it, and return ErrConflict if it has another value than it had. After a
// conflict Retry pauses for a moment, up to 1 ms, so that those who are slow get their turn. It gives up after 1000 calls, with
// the last conflict, and when ctx ends, with its reason too.
func Retry(ctx context.Context, fn func() error) error {
	var err error
	for n := range tries {
		if ended := ctx.Err(); ended != nil {
			return errors.Join(ended, err)
		}
		if err = fn(); !errors.Is(err, ErrConflict) {
			return err
		}
		select {
		case <-ctx.Done():
		case <-time.After(pauseAfter(n)):
		}
	}
	return err
}

// pauseAfter returns how long to pause after conflict n, from 0: a random part of a time that doubles. Callers that pause
// alike would meet again, and one of them could lose each time.
func pauseAfter(n int) time.Duration {
	return rand.N(min(time.Microsecond<<min(n, 20), pauseMost))
}
