package engine

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"
)

const (
	tries     = 1000             // maximum number of calls that Retry makes
	pauseMost = time.Millisecond // longest pause of Retry
)

// Retry calls fn until it returns nil or an error other than ErrConflict, and returns that. It is for callers that read in one transaction,
// decide without holding a lock, and write in another:
//
//	err := engine.Retry(ctx, func() error {
//	 // e.View: read, and keep s.LastSeq(), or the scores that the decision depends on.
//		// Decide: compute, or ask somebody.
//		// e.Update: s.Expect(seq), or s.ExpectScore(member, score), and then change.
//	})
//
// For a private key, read it with tx.Get in the second transaction, and return ErrConflict if its value has changed. After a conflict Retry
// pauses for a moment, up to 1 ms, so that slow callers get their turn. It gives up after 1000 calls and returns the last conflict. If ctx
// ends, it returns the error of ctx joined with the last conflict.
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

// pauseAfter returns how long to pause after conflict n, from 0: a random part of a time that doubles up to pauseMost. If all callers paused
// for the same time, they would meet again, and one of them could lose each time.
func pauseAfter(n int) time.Duration {
	return rand.N(min(time.Microsecond<<min(n, 20), pauseMost))
}
