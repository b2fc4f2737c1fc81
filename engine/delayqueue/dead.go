package delayqueue

import (
	"context"
	"time"
)

// DeadItem is a dead item.
type DeadItem struct {
	ID      string // as given to Push
	Payload []byte // as given to Push
	// Deliveries is how often it was delivered.
	Deliveries int
	// At is when it died.
	At time.Time
}

// Dead returns the dead items in the interval [lo, hi), from 0 and without hi, in the order in which they died. The interval may reach beyond
// the items. O(log items + hi - lo). Errors: those of engine.Engine.View.
func (q *Queue) Dead(ctx context.Context, lo, hi int) (dead []DeadItem, err error) {
	err = q.view(ctx, func(r rows) error {
		for _, e := range r.dead.Append(nil, lo, hi) {
			payload, err := r.payload(string(e.Member))
			if err != nil {
				return err
			}
			dead = append(dead, DeadItem{string(e.Member), payload, markOf(e.Tie).deliveries, timeOf(e)})
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return dead, nil
}

// Redrive makes dead items due now, in the order of the IDs, and counts their deliveries from 0. It returns how many of the IDs were those of
// dead items. O(log items) each. Errors: those of engine.Engine.Update.
func (q *Queue) Redrive(ctx context.Context, ids ...string) (n int, err error) {
	if len(ids) == 0 {
		return 0, nil
	}
	err = q.update(ctx, func(r rows) error {
		n = 0
		number, err := r.numbers(len(ids))
		if err != nil {
			return err
		}
		for i, id := range ids {
			removed, err := r.dead.Remove([]byte(id))
			if err == nil && removed {
				n++
				err = put(r.ready, id, mark{number: number + uint64(i)}, r.now)
			}
			if err != nil {
				return err
			}
		}
		q.wake()
		return nil
	})
	if err != nil {
		return 0, err
	}
	return n, nil
}

// Stats are figures of a queue at one moment. Its items are Due + Later + Leased + Dead.
type Stats struct {
	Due    int // can be leased now, including items whose leases have run out
	Later  int // ready, and due later
	Leased int // by leases that have not run out
	Dead   int // an item whose last lease has run out counts as Due until a Lease makes it dead
	// Next is the earliest time at which an item is due or a lease runs out: in the past if Due is not 0, zero if no item is ready or leased.
	Next time.Time
}

// Stats returns the queue's figures. O(log items). Errors: ErrTime, those of engine.Engine.View.
func (q *Queue) Stats(ctx context.Context) (st Stats, err error) {
	err = q.view(ctx, func(r rows) error {
		due, over := until(r.ready, r.now), until(r.leased, r.now)
		st = Stats{Due: due + over, Later: r.ready.Len() - due, Leased: r.leased.Len() - over, Dead: r.dead.Len()}
		if at, ok := r.first(); ok {
			st.Next = time.UnixMicro(at)
		}
		return nil
	})
	return st, err
}
