package local

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/engine"
)

// BenchmarkMetadata measures submissions with metadata of 16 goroutines, each to a board of its own.
func BenchmarkMetadata(b *testing.B) {
	e, err := engine.New(engine.Options{})
	if err != nil {
		b.Fatal(err)
	}
	bs, err := Open(e, Options{})
	if err != nil {
		b.Fatal(err)
	}
	ctx := context.Background()
	boards := make([]board.Board, 16)
	for i := range boards {
		if boards[i], err = bs.Define(ctx, board.Spec{Name: fmt.Sprint("arena", i), Windows: []board.Window{board.All}, MaxMeta: 16}); err != nil {
			b.Fatal(err)
		}
	}
	b.Run("goroutines=16", func(b *testing.B) {
		b.ReportAllocs()
		b.SetParallelism(8)
		var ids atomic.Int64
		b.RunParallel(func(pb *testing.PB) {
			own, n := boards[ids.Add(1)%16], 0
			for pb.Next() {
				n++
				if _, err := own.Submit(ctx, board.Submission{Member: fmt.Sprint("m", n%1000), Score: board.Ints(int64(n)), Meta: []byte("meta")}); err != nil {
					b.Error(err)
				}
			}
		})
	})
	if err := bs.Close(); err != nil {
		b.Fatal(err)
	}
}
