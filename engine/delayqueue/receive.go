package delayqueue

import (
	"context"
	"math"
	"sync"
	"time"

	"github.com/zrankdb/zrank/engine"
)

// Receive is Lease that waits until something is due, and returns one item at least. Goroutines that wait are served in the
// order in which they came. If ctx ends first it returns the reason. O(n log items). Errors: context.Cause of ctx, those of
// Lease.
func (q *Queue) Receive(ctx context.Context, n int, d time.Duration) ([]Lease, error) {
	if err := validLease(n, d); err != nil {
		return nil, err
	}
	if q.e.InTx() { // the goroutine whose turn it is may wait for this closure
		return nil, engine.ErrInTx
	}
	for {
		if leases, err := q.receive(ctx, n, d); err != nil || len(leases) > 0 {
			return leases, err
		}
	}
}

// receive waits its turn, and then until an item is due. Its turn ends when it has chosen its items: the next goroutine looks at the rest
// while this one waits for the disk.
func (q *Queue) receive(ctx context.Context, n int, d time.Duration) ([]Lease, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	select {
	case q.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	endTurn := sync.OnceFunc(func() { <-q.turn })
	defer endTurn()
	if err := q.watch(ctx); err != nil {
		return nil, err
	}
	return q.lease(context.WithoutCancel(ctx), n, d, endTurn) // items that are leased go to the caller
}

// watch returns when an item is due.
func (q *Queue) watch(ctx context.Context) error {
	for {
		wait, ok, err := q.next(ctx)
		if err != nil || ok && wait <= 0 {
			return err
		}
		if err := q.sleep(ctx, wait, ok); err != nil {
			return err
		}
	}
}

// next returns the time until the next item is due, and false if no item is ready or leased. O(log items).
func (q *Queue) next(ctx context.Context) (wait time.Duration, ok bool, err error) {
	err = q.view(ctx, func(r rows) error {
		at, any := r.first()
		wait, ok = time.Duration(min(at-r.now, math.MaxInt64/1000))*time.Microsecond, any
		return nil
	})
	return wait, ok, err
}

// first returns the earliest time at which an item is due or a lease runs out.
func (r rows) first() (at int64, ok bool) {
	at, ok = first(r.ready)
	if end, leased := first(r.leased); leased && (!ok || end < at) {
		return end, true
	}
	return at, ok
}

// sleep returns when the queue has changed, when ctx ends, or, if timed is true, after wait.
func (q *Queue) sleep(ctx context.Context, wait time.Duration, timed bool) error {
	var over <-chan time.Time
	if timed {
		t := time.NewTimer(wait)
		defer t.Stop()
		over = t.C
	}
	select {
	case <-q.changed:
	case <-over:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	return nil
}
