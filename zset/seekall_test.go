package zset

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// TestSeekAllViews: searches that are made together have the results of View.Seek, in small sets and large ones, with ties.
func TestSeekAllViews(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 25))
	var sets []*IntSet
	for _, n := range []int{0, 3, 100, 1000, 4000} {
		s, err := NewInt(Options{TieWidth: 8})
		if err != nil {
			t.Fatal(err)
		}
		for i := range n {
			if _, err := s.AddTied(fmt.Append(nil, "m", i), tieOf(rng), rng.Int64N(50)); err != nil {
				t.Fatal(err)
			}
		}
		sets = append(sets, s)
	}
	for range 2000 {
		all := make([]Sought, rng.IntN(30))
		for i := range all {
			text := append(tieOf(rng), fmt.Sprint("m", rng.IntN(4000))...)
			all[i] = Sought{View: sets[rng.IntN(len(sets))].View(), Score: rng.Int64N(52) - 1, Text: text[:rng.IntN(len(text)+1)]}
		}
		SeekAll(all)
		for i, s := range all {
			if want := s.View.Seek(s.Score, s.Text); s.Rank != want {
				t.Fatalf("search %d: rank %d, want %d", i, s.Rank, want)
			}
		}
	}
}

func tieOf(rng *rand.Rand) []byte {
	return []byte{0, 0, 0, byte(rng.IntN(3)), 0, 0, 0, byte(rng.IntN(3))}
}
