package delayqueue

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/invariants"
	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/internal/testclock"
)

// TestOrder: by the time at which items are due, equal times in the order of pushes, in one call and over several (D4).
func TestOrder(t *testing.T) {
	w := testclock.New()
	q := newQueue(t, w, 0)
	require.NoError(t, q.Push(t.Context(), Item{ID: "z", Due: testclock.Noon}, Item{ID: "b", Due: testclock.Noon}, Item{ID: "y", Due: testclock.Noon.Add(-time.Second)}))
	require.NoError(t, q.Push(t.Context(), Item{ID: "a", Due: testclock.Noon}, Item{ID: "later", Due: testclock.Noon.Add(time.Nanosecond)}))
	require.Equal(t, "y z b", ids(mustLease(t, q, 3, time.Minute)))
	require.Equal(t, "a", ids(mustLease(t, q, 3, time.Minute)))
	w.Add(999 * time.Nanosecond)
	require.Empty(t, mustLease(t, q, 3, time.Minute), "a nanosecond after testclock.Noon is rounded up to the microsecond")
	w.Add(time.Nanosecond)
	require.Equal(t, "later", ids(mustLease(t, q, 3, time.Minute)))
}

// TestLeaseRunsOut: no other worker gets an item until its lease runs out. A worker that is late is refused once another worker has the item,
// but not before (D3, D5).
func TestLeaseRunsOut(t *testing.T) {
	w := testclock.New()
	q := newQueue(t, w, 0)
	require.NoError(t, q.Push(t.Context(), Item{ID: "a", Payload: []byte("work")}))
	l := mustLease(t, q, 1, time.Minute)[0]
	w.Add(time.Minute - time.Microsecond)
	require.Empty(t, mustLease(t, q, 1, time.Minute))
	w.Add(time.Hour)
	l, err := q.Extend(t.Context(), l, time.Minute)
	require.NoError(t, err, "it has run out, and is its own still")
	require.Empty(t, mustLease(t, q, 1, time.Minute))
	w.Add(time.Minute)
	again := mustLease(t, q, 1, time.Minute)[0]
	require.Equal(t, []any{"a", "work", 2, l.Until}, []any{again.ID, string(again.Payload), again.Deliveries, again.Due})
	_, err = q.Extend(t.Context(), l, time.Hour)
	for _, err := range []error{err, q.Ack(t.Context(), l), q.Nack(t.Context(), l, 0)} {
		require.ErrorIs(t, err, ErrStale)
		require.ErrorContains(t, err, `"a"`)
	}
	require.NoError(t, q.Ack(t.Context(), Lease{ID: again.ID, Number: again.Number}), "a lease travels as ID and number")
	require.ErrorIs(t, q.Ack(t.Context(), again), ErrStale)
}

// TestStaleForEver: a lease of an item that is gone is stale for a later item with the same ID, even if the queue was empty and the engine
// closed in between (D5).
func TestStaleForEver(t *testing.T) {
	fs, w := memfs.New(), testclock.New()
	var old []Lease
	for range 5 {
		e := mustEngine(t, fs, w.Now)
		q := mustOpen(t, e, Spec{Name: "q"})
		for range 3 {
			pushAll(t, q, "a")
			l := mustLease(t, q, 1, time.Minute)[0]
			require.Equal(t, 1, l.Deliveries)
			for _, o := range old {
				require.ErrorIs(t, q.Ack(t.Context(), o), ErrStale)
			}
			require.NoError(t, q.Ack(t.Context(), l))
			old = append(old, l)
		}
		text, err := dump(q)
		require.NoError(t, err)
		require.Empty(t, text)
		require.NoError(t, e.Close())
	}
}

// TestReplace: a push replaces an item in any state, and the lease of the old item becomes stale. A push with New is refused, with all other
// items of the call.
func TestReplace(t *testing.T) {
	w := testclock.New()
	q := newQueue(t, w, 1)
	states := map[string]func(){
		"ready":  func() { pushAll(t, q, "a") },
		"leased": func() { pushAll(t, q, "a"); mustLease(t, q, 1, time.Hour) },
		"dead": func() {
			pushAll(t, q, "a")
			require.NoError(t, q.Nack(t.Context(), mustLease(t, q, 1, time.Hour)[0], 0))
		},
	}
	for name, make := range states {
		make()
		before, err := dump(q)
		require.NoError(t, err)
		require.Contains(t, before, name)
		require.ErrorIs(t, q.Push(t.Context(), Item{ID: "b"}, Item{ID: "a", New: true}), ErrExists)
		after, err := dump(q)
		require.NoError(t, err)
		require.Equal(t, before, after)
		require.NoError(t, q.Push(t.Context(), Item{ID: "a", Payload: []byte("other")}))
		l := mustLease(t, q, 5, time.Hour)
		require.Equal(t, "a", ids(l))
		require.Equal(t, []any{"other", 1}, []any{string(l[0].Payload), l[0].Deliveries})
		n, err := q.Remove(t.Context(), "a", "b", "a")
		require.NoError(t, err)
		require.Equal(t, 1, n)
		require.ErrorIs(t, q.Ack(t.Context(), l...), ErrStale)
	}
	require.ErrorIs(t, q.Push(t.Context(), Item{ID: "x", New: true}, Item{ID: "x", New: true}), ErrExists)
}

// TestDead: after its last delivery an item becomes dead by Nack, or by the first Lease after its lease has run out. Redrive makes it due
// again (D6).
func TestDead(t *testing.T) {
	w := testclock.New()
	q := newQueue(t, w, 2)
	pushAll(t, q, "a", "b")
	for range 2 {
		for _, l := range mustLease(t, q, 2, time.Minute) {
			if l.ID == "a" {
				require.NoError(t, q.Nack(t.Context(), l, time.Second))
			}
		}
		w.Add(time.Minute)
	}
	require.Equal(t, Stats{Due: 1, Dead: 1, Next: w.Now()}, utc(mustStats(t, q)))
	require.Empty(t, mustLease(t, q, 5, time.Minute))
	dead, err := q.Dead(t.Context(), 0, 10)
	require.NoError(t, err)
	require.Len(t, dead, 2)
	require.Equal(t, []any{"a", 2, "b", 2}, []any{dead[0].ID, dead[0].Deliveries, dead[1].ID, dead[1].Deliveries})
	require.True(t, dead[1].At.Equal(w.Now()))
	n, err := q.Redrive(t.Context(), "b", "c", "a")
	require.NoError(t, err)
	require.Equal(t, 2, n)
	l := mustLease(t, q, 5, time.Minute)
	require.Equal(t, "b a", ids(l))
	require.Equal(t, 1, l[0].Deliveries)
	require.NoError(t, q.Ack(t.Context(), l...))
}

// TestManyDie: more items become dead than one call may bury, and others are due after them.
func TestManyDie(t *testing.T) {
	w := testclock.New()
	q := newQueue(t, w, 1)
	const many = 2*maxBuried + 100
	for i := range many {
		pushAll(t, q, fmt.Sprintf("%03d", i))
		w.Add(time.Microsecond)
		mustLease(t, q, 1, time.Minute)
	}
	w.Add(time.Hour)
	pushAll(t, q, "after")
	calls := 1
	for ; ids(mustLease(t, q, 1, time.Hour)) != "after"; calls++ {
		require.Less(t, calls, 5)
	}
	require.Equal(t, Stats{Leased: 1, Dead: many}, Stats{Leased: mustStats(t, q).Leased, Dead: mustStats(t, q).Dead})
	t.Logf("%d items died in %d calls", many, calls)
}

// TestMostAtOnce: one call leases at most MaxLease items.
func TestMostAtOnce(t *testing.T) {
	if invariants.Enabled {
		t.Skip("checks sets of a thousand after every change")
	}
	q := newQueue(t, testclock.New(), 0)
	items := make([]Item, MaxLease+1)
	for i := range items {
		items[i].ID = fmt.Sprintf("%04d", i)
	}
	require.NoError(t, q.Push(t.Context(), items...))
	l := mustLease(t, q, 1<<30, time.Minute)
	require.Len(t, l, MaxLease)
	require.NoError(t, q.Ack(t.Context(), l...))
	require.Equal(t, "1000", ids(mustLease(t, q, 1<<30, time.Minute)))
}

// TestAckInTransaction: the changes of a transaction and the Ack of an item commit together; a stale lease prevents both.
func TestAckInTransaction(t *testing.T) {
	w := testclock.New()
	q := newQueue(t, w, 0)
	pushAll(t, q, "pay ada")
	l := mustLease(t, q, 1, time.Minute)[0]
	pay := func(l Lease) error {
		return q.e.Update(t.Context(), func(tx *engine.Tx) error {
			coins, err := tx.Set("coins")
			if err == nil {
				_, err = coins.IncrBy([]byte("ada"), 5)
			}
			return errors.Join(err, q.AckTx(tx, l))
		}, append(q.Keys(nil), "coins")...)
	}
	w.Add(time.Hour)
	again := mustLease(t, q, 1, time.Minute)[0]
	require.ErrorIs(t, pay(l), ErrStale)
	require.NoError(t, pay(again))
	require.ErrorIs(t, pay(again), ErrStale)
	require.NoError(t, q.e.View(t.Context(), func(tx *engine.Tx) error {
		coins, err := tx.Set("coins")
		score, _ := coins.Score([]byte("ada"))
		require.Equal(t, 5.0, score)
		return err
	}, "coins"))
}

// TestSomeStale: Ack leaves stale leases out, names them, and acknowledges the others.
func TestSomeStale(t *testing.T) {
	q := newQueue(t, testclock.New(), 0)
	pushAll(t, q, "a", "b", "c")
	l := mustLease(t, q, 3, time.Minute)
	require.NoError(t, q.Ack(t.Context(), l[1]))
	err := q.Ack(t.Context(), l...)
	require.ErrorIs(t, err, ErrStale)
	require.Equal(t, `delayqueue: lease is stale: number 5 of "b"`, err.Error())
	require.Equal(t, Stats{}, mustStats(t, q))
	require.NoError(t, q.Ack(t.Context()))
	require.NoError(t, q.Push(t.Context()))
}

// TestQueuesStayApart: queues of one engine share nothing, whatever is in their names and IDs.
func TestQueuesStayApart(t *testing.T) {
	e := newMemory(t, testclock.New().Now)
	var queues []*Queue
	for _, name := range []string{"a", "a/item", "a%2Fitem", "a/b", "a/ready"} {
		queues = append(queues, mustOpen(t, e, Spec{Name: name}))
	}
	for i, q := range queues {
		require.NoError(t, q.Push(t.Context(), Item{ID: "item/x", Payload: []byte{byte(i)}}, Item{ID: "x"}))
	}
	for i, q := range queues {
		l := mustLease(t, mustOpen(t, e, q.spec), 5, time.Minute)
		require.Equal(t, "item/x x", ids(l))
		require.Equal(t, []byte{byte(i)}, l[0].Payload)
	}
}

func TestImpossibleSpecs(t *testing.T) {
	_, err := Open(nil, Spec{MaxDeliveries: -1, MaxPayload: -1})
	require.ErrorIs(t, err, ErrSpec)
	for _, field := range []string{"Name", "MaxDeliveries", "MaxPayload"} {
		require.ErrorContains(t, err, field)
	}
	require.ErrorIs(t, Spec{Name: strings.Repeat("q", MaxName+1)}.Validate(), ErrSpec)
	require.ErrorIs(t, Spec{Name: "q", MaxPayload: maxPayload + 1}.Validate(), ErrSpec)
	require.NoError(t, Spec{Name: strings.Repeat("q", MaxName), MaxPayload: maxPayload}.Validate())
}

// TestImpossibleCalls: every invalid argument gets its error.
func TestImpossibleCalls(t *testing.T) {
	w := testclock.New()
	e := newMemory(t, w.Now)
	q := mustOpen(t, e, Spec{Name: "q", MaxPayload: 10})
	for want, items := range map[error][]Item{
		ErrID:      {{ID: "ok"}, {ID: ""}},
		ErrPayload: {{ID: "ok"}, {ID: "p", Payload: make([]byte, 11)}},
		ErrTime:    {{ID: "ok"}, {ID: "t", Due: time.Date(2256, 1, 1, 0, 0, 0, 0, time.UTC)}},
	} {
		require.ErrorIs(t, q.Push(t.Context(), items...), want)
	}
	require.ErrorIs(t, q.Push(t.Context(), Item{ID: strings.Repeat("i", MaxID+1)}), ErrID)
	require.ErrorIs(t, q.Push(t.Context(), Item{ID: "x", Due: time.Date(300000, 1, 1, 0, 0, 0, 0, time.UTC)}), ErrTime)
	for _, call := range []func(context.Context, int, time.Duration) ([]Lease, error){q.Lease, q.Receive} {
		_, err := call(t.Context(), 0, time.Minute)
		require.ErrorIs(t, err, ErrCount)
		_, err = call(t.Context(), 1, 0)
		require.ErrorIs(t, err, ErrDuration)
	}
	require.NoError(t, q.Push(t.Context(), Item{ID: strings.Repeat("i", MaxID), Payload: make([]byte, 10)}))
	l := mustLease(t, q, 1, time.Minute)[0]
	_, err := q.Extend(t.Context(), l, -1)
	require.ErrorIs(t, err, ErrDuration)
	require.ErrorIs(t, q.Nack(t.Context(), l, -1), ErrDuration)
	_, err = q.Extend(t.Context(), l, 1<<63-1)
	require.ErrorIs(t, err, ErrTime)
	require.ErrorIs(t, q.Nack(t.Context(), l, 1<<63-1), ErrTime)
	w.Add(-1000000 * time.Hour)
	w.Add(-2001000 * time.Hour)
	_, err = q.Stats(t.Context())
	require.ErrorIs(t, err, ErrTime)
	require.NoError(t, e.Close())
	require.ErrorIs(t, q.Ack(t.Context(), l), engine.ErrClosed)
}

// TestTooMuchAtOnce: a push that does not fit in one commit changes nothing.
func TestTooMuchAtOnce(t *testing.T) {
	e := mustEngine(t, memfs.New(), testclock.New().Now)
	q := mustOpen(t, e, Spec{Name: "q", MaxPayload: maxPayload})
	big := make([]byte, maxPayload)
	require.ErrorIs(t, q.Push(t.Context(), Item{ID: "a", Payload: big}, Item{ID: "b", Payload: big}), engine.ErrTooLarge)
	require.Equal(t, Stats{}, mustStats(t, q))
	require.NoError(t, q.Push(t.Context(), Item{ID: "a", Payload: big}))
	l := mustLease(t, q, 1, time.Minute)
	require.Len(t, l[0].Payload, maxPayload)
	require.NoError(t, q.Ack(t.Context(), l...))
	require.NoError(t, e.Close())
}

// TestDamage: an item without its payload, or an invalid last number, is reported as ErrCorrupt and not repaired.
func TestDamage(t *testing.T) {
	q := newQueue(t, testclock.New(), 0)
	pushAll(t, q, "a", "b")
	require.NoError(t, q.e.Update(t.Context(), func(tx *engine.Tx) error { return tx.Delete(q.itemKey("b")) }))
	_, err := q.Lease(t.Context(), 2, time.Minute)
	require.ErrorIs(t, err, engine.ErrCorrupt)
	require.ErrorContains(t, err, `"b"`)
	require.Equal(t, "a", ids(mustLease(t, q, 1, time.Minute)))
	require.NoError(t, q.e.Update(t.Context(), func(tx *engine.Tx) error { return tx.Put(q.prefix+"number", []byte("1")) }))
	require.ErrorIs(t, q.Push(t.Context(), Item{ID: "c"}), engine.ErrCorrupt)
}
