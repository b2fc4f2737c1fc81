// Package delayqueue keeps work until it is due, and delivers it to workers until one acknowledges it: jobs, reminders, retries, the end of an
// auction.
//
//	q, err := delayqueue.Open(e, delayqueue.Spec{Name: "mail", MaxDeliveries: 5})
//	err = q.Push(delayqueue.Item{ID: "welcome:42", Due: time.Now().Add(time.Hour), Payload: body})
//
//	for { // a worker
//		leases, err := q.Receive(ctx, 10, time.Minute) // waits until something is due
//		if err != nil {
//			return err
//		}
//		for _, l := range leases {
//			if send(l.Payload) == nil {
//				err = q.Ack(ctx, l) // done, for ever
//			} else {
//				err = q.Nack(ctx, l, time.Minute) // again in a minute
//			}
//		}
//	}
//
// # Terminology
//
//   - item: an ID, unique in its queue, a payload, and the time at which it is due.
//   - delivery: handing an item to a worker. Deliveries are counted.
//   - lease: what a worker gets with a delivery: no other worker gets the item until the lease runs out. At that time the item is due again.
//   - number: identifies a lease of an item. It rises with every push and every lease of a queue.
//   - stale: of a lease, not the last one given for its item, or of an item that is gone.
//   - dead: of an item, delivered Spec.MaxDeliveries times without an Ack. It stays until Redrive, until another item replaces it, or until
//     it is removed.
//   - state: an item is ready (due now or later), leased or dead.
//
// # What it promises
//
//   - D1: at least once. An item is delivered, again whenever its lease runs out, until it is acknowledged, replaced,
//     removed or dead. With a durable engine this holds across a crash for every item whose Push has returned, at level Sync.
//   - D2: never again. When Ack has returned nil, the item is not delivered any more, and what AckTx commits with it has
//     happened exactly once.
//   - D3: not early, and to one worker at a time: no item is delivered before it is due, or while it is leased, by the engine's clock.
//   - D4: in order. Items are delivered by the time at which they are due, and equal times in the order in which they were
//     pushed, came back by Nack or were leased.
//   - D5: a lease number is never given twice in the life of a queue. A stale lease changes nothing: ErrStale.
//   - D6: an item is delivered at most Spec.MaxDeliveries times, until Redrive.
//   - D7: each call is one transaction: an item is in exactly one state at every moment and after a crash, with its payload.
//
// At least once means more than once for work whose worker stops before its Ack, or takes longer than its lease. If the work is
// a change in the same engine, AckTx makes it and the Ack one transaction, and it is done exactly once.
//
// A lease that has run out is still valid for Ack, Nack and Extend as long as the item has not been delivered again: the work was done once,
// and need not be done again. An item that has had all its deliveries becomes dead by Nack, or at the first Lease after its last lease has
// run out.
//
// # Time
//
// Times are those of the engine's clock. Scores hold microseconds since 1970, which a float64 has exactly until 2255: a time
// at which an item becomes due is rounded up to the next microsecond, the clock is cut. If the clock goes back, items become due and leases
// run out later. If it leaps ahead, they do so earlier: work may be done twice, but is not lost. Receive waits by a timer of the process
// until the next item is due, and looks again when the queue changes. So it notices a leap of the clock when the timer fires, or before.
//
// # Waiting
//
// Nothing runs in the background. One of the goroutines in Receive watches the time; the others wait their turn, in the order in which they
// came. Every call that may make an item due wakes the one that watches, if it goes through the same *Queue: open a queue once and share it.
// Receive notices Close of the engine only when it looks next: end its context first.
//
// # How it is stored
//
// The items of a queue are three sets: "delayqueue/NAME/ready" by due time, "delayqueue/NAME/leased" by the end of the
// lease, "delayqueue/NAME/dead" by time of death, with / and % in the name written as %2F and %25. The tie of a member
// is
//
//	number 8 | deliveries 8      both big endian
//
// with the number of the push that made the item ready, or of its lease. Payloads are the private keys
// "delayqueue/NAME/item/ID", written once; the private key "delayqueue/NAME/number" is the last number given, 8 bytes.
// Sets and private keys that begin with "delayqueue/" belong to this package. The rest of a Spec is not stored.
//
// Every call locks the three sets of its queue, and the private keys that it uses, while it changes memory. No
// lock is held while the disk writes.
//
// # Where things are
//
//	spec.go             Spec, Queue, Open
//	push.go, lease.go   adding items; delivering them
//	receive.go          Lease that waits
//	settle.go, dead.go  Ack, Nack, Extend; items that had all their deliveries
//	rows.go             items as the engine stores them
//	errors.go           the errors
package delayqueue
