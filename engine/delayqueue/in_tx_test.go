package delayqueue

import (
	"context"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/hangtest"
	"github.com/zrankdb/zrank/internal/testclock"
)

// TestInTx: inside a closure of the engine, every method of a queue returns ErrInTx at once, except those that are part of the transaction;
// also while another goroutine waits in Receive and has the turn.
func TestInTx(t *testing.T) {
	q := newQueue(t, testclock.New(), 3)
	ctx := context.Background()
	refused := map[string]func() error{
		"Push":    func() error { return q.Push(ctx, Item{ID: "a"}) },
		"Remove":  func() error { _, err := q.Remove(ctx, "a"); return err },
		"Lease":   func() error { _, err := q.Lease(ctx, 1, time.Second); return err },
		"Receive": func() error { _, err := q.Receive(ctx, 1, time.Second); return err },
		"Ack":     func() error { return q.Ack(ctx, Lease{ID: "a", Number: 1}) },
		"Nack":    func() error { return q.Nack(ctx, Lease{ID: "a", Number: 1}, 0) },
		"Extend":  func() error { _, err := q.Extend(ctx, Lease{ID: "a", Number: 1}, time.Second); return err },
		"Dead":    func() error { _, err := q.Dead(ctx, 0, 9); return err },
		"Redrive": func() error { _, err := q.Redrive(ctx, "a"); return err },
		"Stats":   func() error { _, err := q.Stats(ctx); return err },
	}
	known := []string{"PushTx", "AckTx", "Keys"}
	for name := range refused {
		known = append(known, name)
	}
	var methods []string
	for i, typ := 0, reflect.TypeOf(q); i < typ.NumMethod(); i++ {
		methods = append(methods, typ.Method(i).Name)
	}
	require.ElementsMatch(t, methods, known)
	closure := func(*engine.Tx) error {
		for name, call := range refused {
			require.ErrorIs(t, call(), engine.ErrInTx, name)
		}
		return nil
	}
	hangtest.Do(t, func() {
		require.NoError(t, q.e.View(ctx, closure, q.Keys(nil)...))
		received := make(chan error, 1)
		go func() {
			_, err := q.Receive(ctx, 1, time.Second)
			received <- err
		}()
		require.NoError(t, q.e.Update(ctx, func(tx *engine.Tx) error {
			require.NoError(t, q.PushTx(tx, Item{ID: "a"}))
			return closure(tx)
		}, q.Keys(nil)...))
		require.NoError(t, <-received)
		require.NoError(t, q.e.View(ctx, closure, q.Keys(nil)...))
		st, err := q.Stats(ctx)
		require.NoError(t, err)
		require.Equal(t, Stats{Leased: 1, Next: st.Next}, st)
	})
}
