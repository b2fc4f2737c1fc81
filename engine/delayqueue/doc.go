// Package delayqueue keeps work until it is due and hands it to workers until one says that it is done: jobs, reminders,
// retries, the end of an auction.
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
//				err = q.Ack(l) // done, for ever
//			} else {
//				err = q.Nack(l, time.Minute) // again in a minute
//			}
//		}
//	}
//
// # Terminology
//
//   - item: an ID, unique in its queue, a payload, and the time at which it is due.
//   - delivery: handing an item to a worker. Deliveries are counted.
//   - lease: what a worker gets with a delivery: the item is its own until a time. Then the lease has run out, and the item is
//     due again at that time.
//   - number: what tells the leases of an item apart. It rises with every push and every lease of a queue.
//   - stale: of a lease, that it is not the last one given for its item, or that the item is gone.
//   - dead: of an item, that it has been delivered Spec.MaxDeliveries times in vain. It stays until it is driven again, replaced
//     or removed.
//   - state: an item is ready (due now or later), leased or dead.
//
// # What it promises
//
//   - D1: at least once. An item is delivered, again whenever its lease runs out, until it is acknowledged, replaced,
//     removed or dead. With a durable engine this holds across a crash for every item whose Push has returned, at level Sync.
//   - D2: never again. When Ack has returned nil, the item is not delivered any more, and what AckTx commits with it has
//     happened exactly once.
//   - D3: not early, and to one worker at a time: never before it is due, and never while a lease holds, by the engine's clock.
//   - D4: in order. Items are delivered by the time at which they are due, and equal times in the order in which they were
//     pushed, came back by Nack or were leased.
//   - D5: a lease number is never given twice in the life of a queue. A stale lease changes nothing: ErrStale.
//   - D6: an item is delivered at most Spec.MaxDeliveries times until it is driven again.
//   - D7: each call is one transaction: an item is in exactly one state at every moment and after a crash, with its payload.
//
// At least once means more than once for work whose worker stops before its Ack, or takes longer than its lease. If the work is
// a change in the same engine, AckTx makes it and the Ack one transaction, and it is done exactly once.
//
// A lease that has run out is good for Ack, Nack and Extend as long as nobody else has been given the item: the work was done
// once, and need not be again. An item that has had all its deliveries dies when its last lease has run out and somebody
// asks for items, or by Nack.
//
// # Time
//
// Times are those of the engine's clock. Scores hold microseconds since 1970, which a float64 has exactly until 2255: a time
// at which something becomes due is rounded up to the next, the clock is cut. If the clock goes back, items become due and
// leases run out later; if it leaps ahead, earlier: work may be done twice, and is not lost. Receive waits by a timer of
// the process for the difference between now and the next time at which something is due, and looks again when something
// changes: it hears of a leap of the clock no later than that.
//
// # Waiting
//
// Nothing runs in the background. Of all goroutines in Receive one watches the time; the others wait their turn, first come,
// first served. Pushes, and whatever else makes an item due, wake the one that watches if they go through the same *Queue:
// open a queue once and share it. Receive hears of the engine's Close only when it next looks: end its context first.
//
// # How it is stored
//
// The items of a queue are three sets: "delayqueue/NAME/ready" by due time, "delayqueue/NAME/leased" by the end of the
// lease, "delayqueue/NAME/dead" by time of death, with / and % in the name written as %2F and %25. The tie of a member
// is
//
//	number 8 | deliveries 8      both big endian
//
// the number being that of the push that made it ready, or of the lease. Payloads are the private keys
// "delayqueue/NAME/item/ID", written once; the private key "delayqueue/NAME/number" is the last number given, 8 bytes.
// Sets and private keys that begin with "delayqueue/" belong to this package. The rest of a Spec is not stored.
//
// Every call locks the three sets of its queue and, like all that use private keys, meets others of the engine for as long
// as it takes to change memory; nobody holds a lock while the disk writes.
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
