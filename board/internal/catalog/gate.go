package catalog

import "context"

// gate is a lock for long work: who waits for it can give up.
type gate chan struct{}

// lock waits for the lock until ctx ends. Error: that of ctx.
func (g gate) lock(ctx context.Context) (unlock func(), err error) {
	select {
	case g <- struct{}{}:
		return func() { <-g }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
