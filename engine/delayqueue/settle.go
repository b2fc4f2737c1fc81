package delayqueue

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/zrankdb/zrank/engine"
)

// Ack acknowledges that the work of leases is done: their items are gone for ever (D2). It returns when that is as durable as the engine
// makes it. If leases are stale, it acknowledges the others and returns an ErrStale that names the stale ones. O(log items) each. Errors:
// ErrStale, those of engine.Engine.Update; after those nothing is acknowledged, but see there for ErrStalled and ErrPersistence.
func (q *Queue) Ack(ctx context.Context, leases ...Lease) error {
	var stale error
	err := q.update(ctx, func(r rows) error {
		stale = nil
		for _, l := range leases {
			if err := r.ack(l); errors.Is(err, ErrStale) {
				stale = errors.Join(stale, err)
			} else if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return stale
}

// AckTx is Ack of one lease as part of a transaction on the queue's engine: the changes of the transaction and the end of
// the item commit together, so that the work is done exactly once. Errors: ErrStale, after which AckTx has changed nothing, but a transaction
// that does the work should not commit; those of the engine.
func (q *Queue) AckTx(tx *engine.Tx, l Lease) error {
	return q.in(tx, func(r rows) error { return r.ack(l) })
}

func (r rows) ack(l Lease) error {
	if _, err := r.held(l); err != nil {
		return err
	}
	return r.forget(r.leased, l.ID)
}

// held returns the mark of a leased item. Error: ErrStale.
func (r rows) held(l Lease) (mark, error) {
	_, tie, ok := r.leased.Get([]byte(l.ID))
	if !ok || markOf(tie).number != l.Number {
		return mark{}, fmt.Errorf("%w: number %d of %q", ErrStale, l.Number, l.ID)
	}
	return markOf(tie), nil
}

// heldFor is held, with the time d from now.
func (r rows) heldFor(l Lease, d time.Duration) (m mark, at int64, err error) {
	if m, err = r.held(l); err == nil {
		at, err = r.after(d)
	}
	return m, at, err
}

// Nack returns an item whose work is not done: it is due again after a delay, or dead if it has had all its deliveries. O(log items).
// Errors: ErrStale, ErrDuration, ErrTime, those of engine.Engine.Update.
func (q *Queue) Nack(ctx context.Context, l Lease, delay time.Duration) error {
	if delay < 0 {
		return fmt.Errorf("%w: a delay of %v", ErrDuration, delay)
	}
	return q.update(ctx, func(r rows) error {
		m, due, err := r.heldFor(l, delay)
		if err != nil {
			return err
		}
		if _, err := r.leased.Remove([]byte(l.ID)); err != nil {
			return err
		}
		if r.spent(m) {
			return put(r.dead, l.ID, m, r.now)
		}
		if m.number, err = r.numbers(1); err != nil {
			return err
		}
		q.wake()
		return put(r.ready, l.ID, m, due)
	})
}

// Extend makes a lease run out at the time d from now, which may be sooner than before, and returns it with the new Until. O(log items).
// Errors: ErrStale, ErrDuration, ErrTime, those of engine.Engine.Update.
func (q *Queue) Extend(ctx context.Context, l Lease, d time.Duration) (Lease, error) {
	if err := validLease(1, d); err != nil {
		return Lease{}, err
	}
	err := q.update(ctx, func(r rows) error {
		m, end, err := r.heldFor(l, d)
		if err != nil {
			return err
		}
		l.Until = time.UnixMicro(end)
		q.wake()
		return put(r.leased, l.ID, m, end)
	})
	if err != nil {
		return Lease{}, err
	}
	return l, nil
}
