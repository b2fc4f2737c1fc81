package members

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/invariants"
)

// TestInOrder orders tables whose keys are spread in several ways, and whose texts begin with each other, contain zeros, or have long
// common beginnings. It compares the result with a sort that compares whole records.
func TestInOrder(t *testing.T) {
	keys := map[string]func(rng *rand.Rand) uint64{
		"one":      func(*rand.Rand) uint64 { return 7 },
		"few":      func(rng *rand.Rand) uint64 { return rng.Uint64N(5) },
		"any":      func(rng *rand.Rand) uint64 { return rng.Uint64() },
		"outliers": func(rng *rand.Rand) uint64 { return 1<<40 + rng.Uint64N(1000)*(1+rng.Uint64N(50)/49*math.MaxUint32) },
		"ends":     func(rng *rand.Rand) uint64 { return []uint64{0, 1, math.MaxUint64 - 1, math.MaxUint64}[rng.IntN(4)] },
	}
	texts := map[string]func(i int) string{
		"zeros":    func(i int) string { return strings.Repeat("\x00", i) },
		"prefixes": func(i int) string { return strings.Repeat("abcdefgh", i/8)[:i/8*8] + "abcdefgh"[:i%8] },
		"numbers":  func(i int) string { return fmt.Sprintf("member:%013d", i*7919) },
		"bytes":    func(i int) string { return string([]byte{byte(i), byte(i >> 8)}[:1+min(i/256, 1)]) },
		"long":     func(i int) string { return strings.Repeat("x", 8000+i%300) + fmt.Sprint(i) },
	}
	n := 700
	if invariants.Enabled {
		n = 150
	}
	for keyed, key := range keys {
		for named, text := range texts {
			for _, workers := range []int{1, 3} {
				t.Run(fmt.Sprintf("keys=%s/texts=%s/workers=%d", keyed, named, workers), func(t *testing.T) {
					rng := rand.New(rand.NewPCG(1, 2))
					table := New(8)
					var want []entry
					for _, i := range rng.Perm(n) {
						tie := []byte(fmt.Sprintf("%08d", rng.IntN(3)))
						ref := table.Add(key(rng), tie, []byte(text(i)))
						want = append(want, entry{table.Key(ref), ref})
					}
					slices.SortFunc(want, func(x, y entry) int {
						return cmp.Or(cmp.Compare(x.by, y.by), bytes.Compare(table.Text(x.ref), table.Text(y.ref)))
					})
					var got []entry
					for key, ref := range table.InOrder(workers) {
						got = append(got, entry{key, ref})
					}
					require.Equal(t, want, got)
				})
			}
		}
	}
	for range New(0).InOrder(2) {
		t.Fatal("an entry of an empty table")
	}
}

// TestSortEntries sorts numbers of all widths.
func TestSortEntries(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{0, 1, 2, fewEntries, fewEntries + 1, 1000, 30_000} {
		for width := range 65 {
			got := make([]entry, n)
			for i := range got {
				got[i] = entry{rng.Uint64() >> (64 - width) << (rng.IntN(3) * (64 - width) / 2), uint32(i)}
			}
			want := slices.Clone(got)
			sortEntries(got)
			by := func(x, y entry) int { return cmp.Compare(x.by, y.by) }
			require.True(t, slices.IsSortedFunc(got, by), "n %d, width %d", n, width)
			all := func(x, y entry) int { return cmp.Compare(x.ref, y.ref) }
			slices.SortFunc(got, all)
			require.Equal(t, want, got)
		}
	}
}
