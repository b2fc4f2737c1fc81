package engine

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
)

// BenchmarkPrivate measures transactions that change two private keys, of one goroutine and of 16,
// each with keys and a set of its own, and a walk over ten private keys.
func BenchmarkPrivate(b *testing.B) {
	e, err := New(Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Run("op=update/goroutines=1", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if err := putPrivate(e, "", "coins:ada", "coins:bob"); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("op=update/goroutines=16", func(b *testing.B) {
		b.ReportAllocs()
		b.SetParallelism(8)
		var ids atomic.Int64
		b.RunParallel(func(pb *testing.PB) {
			id := ids.Add(1)
			keys, set := []string{fmt.Sprint("coins:", id), fmt.Sprint("gems:", id)}, fmt.Sprint("set:", id)
			for pb.Next() {
				if err := putPrivate(e, set, keys...); err != nil {
					b.Error(err)
				}
			}
		})
	})
	b.Run("op=scan/keys=10", func(b *testing.B) {
		for i := range 10 {
			if err := putPrivate(e, "", fmt.Sprint("walk:", i)); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportAllocs()
		for b.Loop() {
			if err := e.View(context.Background(), func(tx *Tx) (err error) {
				for _, err = range tx.Scan("walk:") {
				}
				return err
			}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// putPrivate changes some private keys, and a set, "" for none.
func putPrivate(e *Engine, set string, keys ...string) error {
	return e.Update(context.Background(), func(tx *Tx) error {
		for _, key := range keys {
			if err := tx.Put(key, []byte("100")); err != nil {
				return err
			}
		}
		if set == "" {
			return nil
		}
		s, err := tx.Set(set)
		if err == nil {
			_, err = s.Add([]byte("x"), 1)
		}
		return err
	})
}
