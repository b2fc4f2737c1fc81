package engine

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
)

// BenchmarkUpdateFed is BenchmarkUpdate with feeds: "never" is an engine on which Feed was never called, 0 one that keeps commits for feeds
// that have ended.
func BenchmarkUpdateFed(b *testing.B) {
	for _, level := range []string{"memory", "none", "interval", "sync"} {
		for _, readers := range []int{-1, 0, 1, 8} {
			name := fmt.Sprint(readers)
			if readers < 0 {
				name = "never"
			}
			b.Run(fmt.Sprintf("durability=%s/readers=%s", level, name), func(b *testing.B) {
				e := benchEngine(b, level)
				if readers >= 0 {
					mustView(b, e, nil, func(tx *Tx) { tx.Seq() })
				}
				shown := readFeeds(b, e, readers)
				b.ReportAllocs()
				updates(b, e, []string{"arena"}, b.Loop)
				b.StopTimer()
				if readers > 0 {
					b.ReportMetric(float64(shown())/float64(b.N)/float64(readers), "shown/op")
				}
			})
		}
	}
}

// readFeeds starts feeds that discard their commits. It returns a function that ends them and returns the number of commits read. A feed that
// falls behind continues from the oldest commit.
func readFeeds(b *testing.B, e *Engine, readers int) (end func() int) {
	ctx, cancel := context.WithCancel(b.Context())
	var wg sync.WaitGroup
	counts := make([]int, max(readers, 0))
	for i := range counts {
		wg.Go(func() {
			at := uint64(0)
			for ctx.Err() == nil {
				for c, err := range e.Feed(ctx, at) {
					var behind *FellBehindError
					if errors.As(err, &behind) {
						at = behind.Oldest - 1
					} else if err == nil {
						at = c.Seq
						counts[i]++
					}
				}
			}
		})
	}
	return func() (sum int) {
		cancel()
		wg.Wait()
		for _, n := range counts {
			sum += n
		}
		return sum
	}
}

// BenchmarkPopWait hands elements from one goroutine to others that wait for them.
func BenchmarkPopWait(b *testing.B) {
	for _, consumers := range []int{1, 64} {
		b.Run(fmt.Sprintf("consumers=%d", consumers), func(b *testing.B) {
			e := benchEngine(b, "memory")
			ctx, cancel := context.WithCancel(b.Context())
			var wg sync.WaitGroup
			got := make(chan struct{}, consumers)
			for range consumers {
				wg.Go(func() {
					for {
						if _, _, err := e.PopMinWait(ctx, "queue"); err != nil {
							return
						}
						got <- struct{}{}
					}
				})
			}
			b.ReportAllocs()
			for b.Loop() {
				if err := setX(e, "queue", 1); err != nil {
					b.Fatal(err)
				}
				<-got
			}
			cancel()
			wg.Wait()
		})
	}
}
