package delayqueue

import (
	"context"
	"fmt"
	"time"

	"github.com/zrankdb/zrank/engine"
)

// Item is an item to push.
type Item struct {
	// ID names the item in its queue: 1 to MaxID bytes.
	ID string
	// Due is when it may be delivered. Zero means now, by the engine's clock.
	Due time.Time
	// Payload is for the worker; Spec.MaxPayload bounds it.
	Payload []byte
	// New makes Push return ErrExists if the queue has an item with this ID. Otherwise Push replaces such an item, whatever its state: its
	// lease becomes stale, and its deliveries count from 0.
	New bool
}

// Push adds items, all or none, and returns when they are as durable as the engine makes them. O(log items) each. Errors:
// ErrID, ErrPayload, ErrExists, ErrTime, those of engine.Engine.Update: ErrTooLarge for more than 16 MiB at once. Nothing
// has changed then, but see there for ErrStalled and ErrPersistence.
func (q *Queue) Push(ctx context.Context, items ...Item) error {
	if len(items) == 0 {
		return nil
	}
	return q.e.Update(ctx, func(tx *engine.Tx) error { return q.PushTx(tx, items...) }, q.keys...)
}

// PushTx is Push as part of a transaction on the queue's engine: an order and the job it makes commit
// together. Errors: those of Push; the transaction must not be committed then.
func (q *Queue) PushTx(tx *engine.Tx, items ...Item) error {
	for _, item := range items {
		if err := q.validate(item); err != nil {
			return err
		}
	}
	return q.in(tx, func(r rows) error {
		number, err := r.numbers(len(items))
		if err != nil {
			return err
		}
		for i, item := range items {
			if err := r.push(item, number+uint64(i)); err != nil {
				return err
			}
		}
		q.wake()
		return nil
	})
}

// push adds one item.
func (r rows) push(item Item, number uint64) error {
	due := r.now
	if !item.Due.IsZero() {
		var err error
		if due, err = micros(item.Due); err != nil {
			return fmt.Errorf("%w, for %q", err, item.ID)
		}
	}
	if s := r.find(item.ID); s != nil {
		if item.New {
			return fmt.Errorf("%w: %q", ErrExists, item.ID)
		}
		if _, err := s.Remove([]byte(item.ID)); err != nil {
			return err
		}
	}
	if err := put(r.ready, item.ID, mark{number: number}, due); err != nil {
		return err
	}
	return r.tx.Put(r.q.itemKey(item.ID), item.Payload)
}

// Remove removes items, whatever their state, and returns how many there were. Their leases become stale. O(log items) each.
// Errors: those of engine.Engine.Update.
func (q *Queue) Remove(ctx context.Context, ids ...string) (n int, err error) {
	err = q.update(ctx, func(r rows) error {
		n = 0
		for _, id := range ids {
			s := r.find(id)
			if s == nil {
				continue
			}
			if err := r.forget(s, id); err != nil {
				return err
			}
			n++
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	return n, nil
}

// validate returns an error if the item must not be pushed.
func (q *Queue) validate(item Item) error {
	if len(item.ID) == 0 || len(item.ID) > MaxID {
		return fmt.Errorf("%w: %d bytes", ErrID, len(item.ID))
	}
	if len(item.Payload) > q.spec.MaxPayload {
		return fmt.Errorf("%w: %q has %d bytes, the limit is %d", ErrPayload, item.ID, len(item.Payload), q.spec.MaxPayload)
	}
	return nil
}
