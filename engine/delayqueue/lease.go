package delayqueue

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/zrankdb/zrank/zset"
)

// maxBuried is the maximum number of items that one call makes dead. It bounds the transaction.
const maxBuried = 200

// Lease delivers up to n items that are due, at most MaxLease, the earliest first, each for a time d. If none is due, it returns none. If more
// than 200 items become dead at once, it may return fewer than are due. It returns when the leases are as durable as the engine makes them.
// O(n log items). Errors: ErrCount, ErrDuration, ErrTime, those of engine.Engine.Update and View.
func (q *Queue) Lease(ctx context.Context, n int, d time.Duration) ([]Lease, error) {
	return q.lease(ctx, n, d, func() {})
}

// lease is Lease. It calls decided when the items are chosen, while the queue is still locked.
func (q *Queue) lease(ctx context.Context, n int, d time.Duration, decided func()) (leases []Lease, err error) {
	if err := validLease(n, d); err != nil {
		return nil, err
	}
	err = q.update(ctx, func(r rows) error {
		leases, err = r.take(min(n, MaxLease), d)
		decided()
		return err
	})
	if err != nil {
		return nil, err
	}
	return leases, nil
}

func validLease(n int, d time.Duration) error {
	if n < 1 {
		return fmt.Errorf("%w: %d", ErrCount, n)
	}
	if d <= 0 {
		return fmt.Errorf("%w: a lease of %v", ErrDuration, d)
	}
	return nil
}

// candidate is an item that is due.
type candidate struct {
	zset.Entry
	runOut bool // it is leased, and its lease has run out; otherwise it is ready
}

// due returns up to n items that are due, in order of time, then number.
func (r rows) due(n int) ([]candidate, error) {
	expired, horizon, err := r.runOut(n)
	if err != nil {
		return nil, err
	}
	list := make([]candidate, 0, n)
	for _, e := range expired {
		list = append(list, candidate{e, true})
	}
	for _, e := range r.ready.Append(nil, 0, min(until(r.ready, horizon), n)) {
		list = append(list, candidate{e, false})
	}
	slices.SortFunc(list, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.Score, b.Score), bytes.Compare(a.Tie, b.Tie))
	})
	return list[:min(n, len(list))], nil
}

// runOut returns up to n items whose leases have run out, in order. It makes those dead that have had all their deliveries. The leases of
// all items that it has not visited end at horizon or later.
func (r rows) runOut(n int) (expired []zset.Entry, horizon int64, err error) {
	all := until(r.leased, r.now)
	seen := r.leased.Append(nil, 0, min(all, n+maxBuried))
	for _, e := range seen {
		if len(expired) == n {
			return expired, r.now, nil
		}
		if !r.spent(markOf(e.Tie)) {
			expired = append(expired, e)
		} else if err := r.bury(e); err != nil {
			return nil, 0, err
		}
	}
	if len(seen) < all {
		return expired, int64(seen[len(seen)-1].Score), nil
	}
	return expired, r.now, nil
}

// spent reports whether an item has had all its deliveries.
func (r rows) spent(m mark) bool {
	return r.q.spec.MaxDeliveries > 0 && m.deliveries >= r.q.spec.MaxDeliveries
}

// bury moves a leased item to the dead ones.
func (r rows) bury(e zset.Entry) error {
	if _, err := r.leased.Remove(e.Member); err != nil {
		return err
	}
	return put(r.dead, string(e.Member), markOf(e.Tie), r.now)
}

// take leases up to n items that are due.
func (r rows) take(n int, d time.Duration) ([]Lease, error) {
	end, err := r.after(d)
	if err != nil {
		return nil, err
	}
	list, err := r.due(n)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	number, err := r.numbers(len(list))
	if err != nil {
		return nil, err
	}
	leases := make([]Lease, len(list))
	for i, c := range list {
		m := mark{number + uint64(i), markOf(c.Tie).deliveries + 1}
		l := Lease{ID: string(c.Member), Number: m.number, Due: timeOf(c.Entry), Deliveries: m.deliveries, Until: time.UnixMicro(end)}
		if l.Payload, err = r.payload(l.ID); err != nil {
			return nil, err
		}
		if !c.runOut {
			if _, err := r.ready.Remove(c.Member); err != nil {
				return nil, err
			}
		}
		if err := put(r.leased, l.ID, m, end); err != nil {
			return nil, err
		}
		leases[i] = l
	}
	r.q.wake()
	return leases, nil
}

// Lease is an item delivered to a worker. For Ack, Nack and Extend its ID and Number are enough: they may travel to another
// process and back.
type Lease struct {
	ID      string // of the item, as given to Push
	Number  uint64 // of the lease, in its queue
	Payload []byte // as given to Push
	// Due is when this delivery became due: by Push, by Nack, or because the lease before ran out.
	Due time.Time
	// Deliveries counts those of the item, this one included.
	Deliveries int
	// Until is when the lease runs out.
	Until time.Time
}

// wake wakes the goroutine that watches the time, which then looks again. wake is called with the queue locked: the watcher's View waits for
// the end of the transaction, and sees its result.
func (q *Queue) wake() {
	select {
	case q.changed <- struct{}{}:
	default: // a wake is pending already
	}
}
