//go:build unix

package zset

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"runtime"
	"syscall"
	"testing"
	"time"
)

// processTime returns the CPU time of the process, of all its threads.
func processTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkFirstTouch loads a set of a million members from its pages, as the first use of a set that is on the disk only does.
// cpu-ms/op is the CPU time of all goroutines, with that of the garbage collector.
func BenchmarkFirstTouch(b *testing.B) {
	const n = 1_000_000
	for _, x := range []struct {
		tie    int
		scores int64
	}{{0, 1128}, {8, 1128}, {0, 100_000}, {0, 1 << 40}} {
		pages := touchPages(b, n, x.tie, x.scores)
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("scores=%d/tie=%d/workers=%d", min(x.scores, n), x.tie, workers), func(b *testing.B) {
				var cpu time.Duration
				for b.Loop() {
					b.StopTimer()
					runtime.GC()
					b.StartTimer()
					began := processTime()
					set := touch(b, pages, x.tie, workers)
					cpu += processTime() - began
					if set.Len() != n {
						b.Fatalf("%d members", set.Len())
					}
				}
				b.ReportMetric(float64(cpu.Milliseconds())/float64(b.N), "cpu-ms/op")
			})
		}
	}
}

// touchPages returns the pages of a set of n members of 20 bytes, which were added in random order with this many different scores.
func touchPages(b *testing.B, n, tie int, scores int64) (pages [][]byte) {
	s, err := NewInt(Options{TieWidth: tie})
	if err != nil {
		b.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, uint64(n)))
	text := make([]byte, tie)
	for at, i := range rng.Perm(n) {
		if tie > 0 {
			copy(text, fmt.Sprintf("%0*d", tie, at))
		}
		if _, err := s.AddTied(fmt.Appendf(nil, "member:%013d", i), text, rng.Int64N(scores)); err != nil {
			b.Fatal(err)
		}
	}
	for i := range s.Pages() {
		pages = append(pages, s.AppendPage(nil, i))
	}
	return pages
}

func touch(b *testing.B, pages [][]byte, tie, workers int) *IntSet {
	builder, err := NewIntBuilder(Options{TieWidth: tie})
	if err != nil {
		b.Fatal(err)
	}
	if err := builder.LoadPages(len(pages), workers, func(from, to int) iter.Seq2[[]byte, error] {
		return func(yield func([]byte, error) bool) {
			for _, page := range pages[from:to] {
				if !yield(page, nil) {
					return
				}
			}
		}
	}); err != nil {
		b.Fatal(err)
	}
	return builder.Set()
}
