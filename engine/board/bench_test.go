package board

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/zrankdb/zrank/engine"
)

// benchmarks' board: three windows, 100,000 members.
func populated(b *testing.B, op Op, members int) (*Board, []string) {
	e, err := engine.New(engine.Options{})
	if err != nil {
		b.Fatal(err)
	}
	bs, err := Open(e, Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = bs.Close(); _ = e.Close() })
	board, err := bs.Define(Spec{Name: "arena", Op: op, Windows: []Window{All, Day, Week}})
	if err != nil {
		b.Fatal(err)
	}
	names := make([]string, members)
	for i := range names {
		names[i] = fmt.Sprintf("player-%08d", i)
		if _, err := board.Submit(Submission{Member: names[i], Score: Ints(rand.Int64N(1 << 30))}); err != nil {
			b.Fatal(err)
		}
	}
	return board, names
}

func BenchmarkSubmit(b *testing.B) {
	for _, op := range []Op{Sum, Last, Best} { // Best seldom changes anything
		b.Run(fmt.Sprintf("op=%s/windows=3/len=100000", op), func(b *testing.B) {
			board, names := populated(b, op, 100_000)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := board.Submit(Submission{Member: names[rand.IntN(len(names))], Score: Ints(rand.Int64N(1 << 30))}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
