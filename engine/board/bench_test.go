package board

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/zrankdb/zrank/engine"
)

// populated returns a board with three windows and random scores of its members, and the members.
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
	for _, op := range []Op{Sum, Last, Best} { // most submissions with Best change nothing
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

// BenchmarkLive measures reads of a live ranking whose handle is kept, and Board.Live, which returns the handle.
func BenchmarkLive(b *testing.B) {
	board, names := populated(b, Last, 100_000)
	day, err := board.Live("day")
	if err != nil {
		b.Fatal(err)
	}
	ops := []struct {
		name string
		do   func(member string) error
	}{
		{"live", func(string) error { _, err := board.Live("day"); return err }},
		{"top", func(string) error { _, err := day.Top(10); return err }},
		{"rank", func(member string) error { _, _, err := day.Rank(member); return err }},
		{"around", func(member string) error { _, _, err := day.Around(member, 5); return err }},
		{"page", func(string) error { _, _, err := day.Page(Cursor{}, 10); return err }},
		{"view", func(string) error { return day.View(func(Ranking) error { return nil }) }},
	}
	for _, op := range ops {
		b.Run("op="+op.name+"/len=100000", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := op.do(names[rand.IntN(len(names))]); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
