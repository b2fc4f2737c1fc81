package local

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/zset"
)

// populated returns a board with three windows and random scores of its members, and the members.
func populated(b *testing.B, op board.Op, members int) (board.Board, []string) {
	e, err := engine.New(engine.Options{})
	if err != nil {
		b.Fatal(err)
	}
	bs, err := Open(e, Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = bs.Close(); _ = e.Close() })
	arena, err := bs.Define(b.Context(), board.Spec{Name: "arena", Op: op, Windows: []board.Window{board.All, board.Day, board.Week}})
	if err != nil {
		b.Fatal(err)
	}
	names := make([]string, members)
	for i := range names {
		names[i] = fmt.Sprintf("player-%08d", i)
		if _, err := arena.Submit(b.Context(), board.Submission{Member: names[i], Score: board.Ints(rand.Int64N(1 << 30))}); err != nil {
			b.Fatal(err)
		}
	}
	return arena, names
}

func BenchmarkSubmit(b *testing.B) {
	for _, op := range []board.Op{board.Sum, board.Last, board.Best} { // most submissions with Best change nothing
		b.Run(fmt.Sprintf("op=%s/windows=3/len=100000", op), func(b *testing.B) {
			arena, names := populated(b, op, 100_000)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := arena.Submit(b.Context(), board.Submission{Member: names[rand.IntN(len(names))], Score: board.Ints(rand.Int64N(1 << 30))}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkSubmitParts: a submission to three windows of 300,000 members, beside an Update that changes three such sets, and beside the same
// three changes without an engine.
func BenchmarkSubmitParts(b *testing.B) {
	const n = 300_000
	arena, names := populated(b, board.Last, n)
	members := make([][]byte, n)
	for i := range members {
		members[i] = []byte(names[i])
	}
	e, err := engine.New(engine.Options{})
	require.NoError(b, err)
	b.Cleanup(func() { _ = e.Close() })
	keys, form := []string{"x", "y", "z"}, engine.Form{TieWidth: 16}
	var sets [3]*zset.IntSet
	for i, key := range keys {
		sets[i], err = zset.NewInt(zset.Options{TieWidth: 16})
		require.NoError(b, err)
		for _, m := range members {
			_, err := sets[i].AddTied(m, make([]byte, 16), rand.Int64N(1<<30))
			require.NoError(b, err)
		}
		require.NoError(b, e.StoreInts(b.Context(), key, sets[i].Copy()))
	}
	tie := make([]byte, 16)
	for name, change := range map[string]func(i int, score int64) error{
		"sets": func(i int, score int64) (err error) {
			for _, s := range sets {
				_, err = s.AddTied(members[i], tie, score)
			}
			return err
		},
		"update": func(i int, score int64) error {
			return e.Update(b.Context(), func(tx *engine.Tx) error {
				for _, key := range keys {
					s, err := tx.IntSet(key, form)
					if err == nil {
						_, err = s.AddTied(members[i], tie, score)
					}
					if err != nil {
						return err
					}
				}
				return nil
			}, keys...)
		},
		"submit": func(i int, score int64) error {
			_, err := arena.Submit(b.Context(), board.Submission{Member: names[i], Score: board.Ints(score)})
			return err
		},
	} {
		b.Run("by="+name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				binary.BigEndian.PutUint64(tie, rand.Uint64())
				if err := change(rand.IntN(n), rand.Int64N(1<<30)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkLive measures reads of a live ranking whose handle is kept, and Board.Live, which returns the handle.
func BenchmarkLive(b *testing.B) {
	arena, names := populated(b, board.Last, 100_000)
	day, err := arena.Live(b.Context(), "day")
	if err != nil {
		b.Fatal(err)
	}
	ops := []struct {
		name string
		do   func(member string) error
	}{
		{"live", func(string) error { _, err := arena.Live(b.Context(), "day"); return err }},
		{"top", func(string) error { _, err := day.Top(b.Context(), 10); return err }},
		{"rank", func(member string) error { _, _, err := day.Rank(b.Context(), member); return err }},
		{"around", func(member string) error { _, _, err := day.Around(b.Context(), member, 5); return err }},
		{"page", func(string) error { _, _, err := day.Page(b.Context(), board.Cursor{}, 10); return err }},
		{"view", func(string) error { return day.View(b.Context(), func(board.Ranking) error { return nil }) }},
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
