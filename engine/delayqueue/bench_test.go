package delayqueue

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine"
)

// BenchmarkPushLeaseAck pushes, leases and acknowledges items, a batch in each call, while other items in the queue are not due yet. One op is
// one item.
func BenchmarkPushLeaseAck(b *testing.B) {
	for _, durability := range []string{"memory", "interval", "sync"} {
		for _, batch := range []int{1, 100} {
			for _, waiting := range []int{0, 100000} {
				b.Run(fmt.Sprintf("durability=%s/batch=%d/waiting=%d", durability, batch, waiting), func(b *testing.B) {
					benchItems(b, benchQueue(b, durability, waiting), batch)
				})
			}
		}
	}
}

// BenchmarkWorkers pushes, receives and acknowledges with 16 goroutines, one item a call.
func BenchmarkWorkers(b *testing.B) {
	for _, durability := range []string{"memory", "sync"} {
		b.Run("durability="+durability, func(b *testing.B) {
			q := benchQueue(b, durability, 0)
			var n atomic.Int64
			b.SetParallelism(8)
			b.ReportAllocs()
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					if err := q.Push(b.Context(), Item{ID: fmt.Sprintf("item:%d", n.Add(1)), Payload: make([]byte, 100)}); err != nil {
						b.Error(err)
					}
					leases, err := q.Receive(b.Context(), 1, time.Hour)
					if err == nil {
						err = q.Ack(b.Context(), leases...)
					}
					if err != nil {
						b.Error(err)
					}
				}
			})
		})
	}
}

func benchQueue(b *testing.B, durability string, waiting int) *Queue {
	var q *Queue
	if durability == "memory" {
		q = mustOpen(b, newMemory(b, nil), Spec{Name: "q"})
	} else {
		level, err := engine.ParseDurability(durability)
		require.NoError(b, err)
		e, err := engine.Open(b.TempDir(), engine.Options{Durability: level})
		require.NoError(b, err)
		b.Cleanup(func() { require.NoError(b, e.Close()) })
		q = mustOpen(b, e, Spec{Name: "q"})
	}
	later := time.Now().Add(100 * time.Hour)
	for i := 0; i < waiting; i += 1000 {
		items := make([]Item, 1000)
		for j := range items {
			items[j] = Item{ID: fmt.Sprintf("waiting:%d", i+j), Due: later, Payload: make([]byte, 100)}
		}
		require.NoError(b, q.Push(b.Context(), items...))
	}
	return q
}

func benchItems(b *testing.B, q *Queue, batch int) {
	items := make([]Item, batch)
	b.ReportAllocs()
	b.ResetTimer()
	for n := 0; n < b.N; n += batch {
		for i := range items {
			items[i] = Item{ID: fmt.Sprintf("item:%d", n+i), Payload: make([]byte, 100)}
		}
		if err := q.Push(b.Context(), items...); err != nil {
			b.Fatal(err)
		}
		leases, err := q.Lease(b.Context(), batch, time.Hour)
		if err != nil || len(leases) != batch {
			b.Fatal(len(leases), err)
		}
		if err := q.Ack(b.Context(), leases...); err != nil {
			b.Fatal(err)
		}
	}
}
