package delayqueue_test

import (
	"context"
	"fmt"
	"time"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/delayqueue"
)

// A mail that fails is delivered a second time, and is dead after that.
func Example() {
	ctx := context.Background()
	e, err := engine.New(engine.Options{}) // Open(dir, …) keeps the items on disk
	if err != nil {
		fmt.Println(err)
		return
	}
	defer e.Close()
	q, err := delayqueue.Open(e, delayqueue.Spec{Name: "mail", MaxDeliveries: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	now := time.Now()
	err = q.Push(ctx,
		delayqueue.Item{ID: "reminder", Due: now.Add(20 * time.Millisecond), Payload: []byte("your auction has ended")},
		delayqueue.Item{ID: "welcome", Due: now, Payload: []byte("hello ada")},
		delayqueue.Item{ID: "bounce", Due: now.Add(10 * time.Millisecond), Payload: []byte("to nobody")},
	)
	for range 4 {
		if err != nil {
			break
		}
		var leases []delayqueue.Lease
		if leases, err = q.Receive(ctx, 1, time.Minute); err != nil { // waits until something is due
			break
		}
		l := leases[0]
		fmt.Printf("%s, delivery %d: %s\n", l.ID, l.Deliveries, l.Payload)
		if l.ID == "bounce" {
			err = q.Nack(ctx, l, 30*time.Millisecond)
		} else {
			err = q.Ack(ctx, l)
		}
	}
	dead, deadErr := q.Dead(ctx, 0, 10)
	fmt.Println(len(dead), dead[0].ID, err, deadErr)
	// Output:
	// welcome, delivery 1: hello ada
	// bounce, delivery 1: to nobody
	// reminder, delivery 1: your auction has ended
	// bounce, delivery 2: to nobody
	// 1 bounce <nil> <nil>
}

// A job commits together with the score that causes it. Its work and its Ack commit together too, so the work is done exactly once.
func ExampleQueue_AckTx() {
	ctx := context.Background()
	e, _ := engine.New(engine.Options{})
	defer e.Close()
	q, _ := delayqueue.Open(e, delayqueue.Spec{Name: "prizes"})
	err := e.Update(ctx, func(tx *engine.Tx) error {
		arena, err := tx.Set("arena")
		if err != nil {
			return err
		}
		if _, err := arena.Add([]byte("ada"), 100); err != nil {
			return err
		}
		return q.PushTx(tx, delayqueue.Item{ID: "prize for ada"})
	}, append(q.Keys(nil), "arena")...)
	fmt.Println(err)
	leases, err := q.Lease(ctx, 1, time.Minute)
	fmt.Println(leases[0].ID, err)
	for range 2 { // a worker that does not know whether it has done its work may do it again
		err = e.Update(ctx, func(tx *engine.Tx) error {
			if err := q.AckTx(tx, leases[0]); err != nil {
				return err
			}
			coins, err := tx.Set("coins")
			if err == nil {
				_, err = coins.IncrBy([]byte("ada"), 50)
			}
			return err
		}, append(q.Keys(nil), "coins")...)
		fmt.Println(err)
	}
	// Output:
	// <nil>
	// prize for ada <nil>
	// <nil>
	// delayqueue: lease is stale: number 2 of "prize for ada"
}
