package engine

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"
)

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
