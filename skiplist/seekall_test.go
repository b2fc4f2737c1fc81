package skiplist

import (
	"math/rand/v2"
	"testing"
)

// TestSeekAll: searches that are made together have the results of Seek, in lists of all sizes, empty ones too, for keys that are there and others.
func TestSeekAll(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 24))
	var lists []*List
	var keys []uint64
	for _, n := range []int{0, 1, 5, 100, 5000} {
		r := make(bare, n)
		lists = append(lists, filled(r))
		keys = append(keys, r...)
	}
	for range 2000 {
		all := make([]Sought, rng.IntN(12))
		for i := range all {
			all[i] = Sought{List: lists[rng.IntN(len(lists))], Key: keys[rng.IntN(len(keys))] + rng.Uint64N(2), Text: [][]byte{nil, []byte("a")}[rng.IntN(2)]}
		}
		SeekAll(all)
		for i, s := range all {
			if want := s.List.Seek(s.Key, s.Text); s.Rank != want {
				t.Fatalf("search %d: rank %d, want %d", i, s.Rank, want)
			}
		}
	}
}
