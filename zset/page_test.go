package zset

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/invariants"
)

// FuzzLoadPage passes any bytes to LoadPage, for sets with and without ties and of both kinds of scores. It must return an error that
// wraps ErrCorruptPage, or a set whose pages can be loaded again.
func FuzzLoadPage(f *testing.F) {
	for _, v := range plain {
		for _, width := range []int{0, 8} {
			s := v.fresh(width)
			for i := range 40 {
				_, err := s.Add(fmt.Appendf(nil, "m%d", i), float64(i%7))
				require.NoError(f, err)
			}
			f.Add(s.AppendPage(nil, 0))
		}
	}
	f.Fuzz(func(t *testing.T, page []byte) {
		loadAny[float64](t, 0, page)
		loadAny[float64](t, 8, page)
		loadAny[int64](t, 16, page)
	})
}

func loadAny[S Score](t *testing.T, tieWidth int, page []byte) {
	b := builderLike(freshOf[S](plain[0], tieWidth).View())
	err := b.LoadPage(page)
	if err != nil && !errors.Is(err, ErrCorruptPage) {
		t.Fatalf("an error of another kind: %v", err)
	}
	s := b.Set()
	if number, found := s.verify(); number != "" {
		t.Fatalf("violates %s: %s", number, found)
	}
	if err != nil {
		return
	}
	again := builderLike(s.View())
	for i := range s.Pages() {
		require.NoError(t, again.LoadPage(s.AppendPage(nil, i)))
	}
	require.Equal(t, s.Append(nil, 0, s.Len()), again.Set().Append(nil, 0, s.Len()))
}

// TestCorruptPages damages each byte of a page. LoadPage may accept the result as another valid page, but must not panic.
func TestCorruptPages(t *testing.T) {
	for _, v := range plain {
		s := v.fresh(8)
		for i := range 20 {
			s.Add(fmt.Appendf(nil, "m%d", i), float64(i))
		}
		page := s.AppendPage(nil, 0)
		for i := range page {
			require.ErrorIs(t, builderLike(v.fresh(8).View()).LoadPage(page[:i]), ErrCorruptPage, "cut at %d", i)
			for bit := range 8 {
				damaged := append([]byte(nil), page...)
				damaged[i] ^= 1 << bit
				if err := builderLike(v.fresh(8).View()).LoadPage(damaged); err != nil {
					require.ErrorIs(t, err, ErrCorruptPage)
				}
			}
		}
		require.ErrorIs(t, builderLike(v.fresh(8).View()).LoadPage(append(page, 0)), ErrCorruptPage)
		require.ErrorIs(t, builderLike(v.fresh(16).View()).LoadPage(page), ErrCorruptPage)
	}
}

// TestPagesOfAnotherKind loads pages of int64 scores into a set of float64 scores and the reverse, and pages with keys of NaN and -0.
// Each must give ErrCorruptPage.
func TestPagesOfAnotherKind(t *testing.T) {
	for _, v := range plain {
		floats, ints := v.fresh(0), freshOf[int64](v, 0)
		for i := range 50 {
			floats.Add(fmt.Append(nil, i), float64(i))
			ints.Add(fmt.Append(nil, i), int64(i)-25)
		}
		require.ErrorIs(t, builderLike(floats.View()).LoadPage(ints.AppendPage(nil, 0)), ErrCorruptPage)
		require.ErrorIs(t, builderLike(ints.View()).LoadPage(floats.AppendPage(nil, 0)), ErrCorruptPage)
	}
	s := plain[1].fresh(0)
	s.Add([]byte("m"), 1)
	page := s.AppendPage(nil, 0)
	for key, valid := range map[uint64]bool{
		keyOf(math.Inf(1)): true, keyOf(math.Inf(-1)): true, keyOf(math.Inf(1)) + 1: false, keyOf(math.Inf(-1)) - 1: false,
		0: false, math.MaxUint64: false, keyOf(0.0) - 1: false, // the last would be -0
	} {
		binary.BigEndian.PutUint64(page[3:], key)
		err := builderLike(s.View()).LoadPage(page)
		require.Equal(t, !valid, errors.Is(err, ErrCorruptPage), "%#x: %v", key, err)
	}
}

// long returns member i, which is so long that a page holds only 300 such members.
func long(i int) []byte { return fmt.Appendf(nil, "%0200d", i) }

// stayers returns a set of 8000 members. churn never removes every fourth of them.
func stayers(o Options) *Set {
	b, _ := NewBuilder(o)
	for i := range 8000 {
		_ = b.Add(long(i), float64(i%100))
	}
	return b.Set()
}

// rounds is how often a set of 8000 is churned: less where each change is checked, in a time that grows with the set.
func rounds() int {
	if invariants.Enabled {
		return 1
	}
	return 5
}

// churn removes, adds and moves members other than those that stay, which are multiples of 4.
func churn(s *Set, rng *rand.Rand, n int) {
	if invariants.Enabled {
		n /= 50
	}
	for range n {
		i := rng.IntN(20000)
		switch m := long(i); {
		case i%4 == 0 && i < 8000:
			s.Add(m, rng.Float64())
		case i%4 != 0 && i < 15000:
			s.Remove(m)
		case i%4 != 0:
			s.Add(m, rng.Float64())
		}
	}
}

// TestHeldPages writes pages one by one while the set changes. Each member that stays in the set must be on one of the pages.
func TestHeldPages(t *testing.T) {
	const seed = 4
	rng := rand.New(rand.NewPCG(seed, 0))
	s := stayers(Options{DenseRanks: true})
	for range rounds() {
		b, _ := NewBuilder(Options{})
		s.HoldPages()
		for i := 0; i < s.Pages(); i++ {
			require.NoError(t, b.LoadPage(s.AppendPage(nil, i)))
			churn(s, rng, 1000)
		}
		s.ReleasePages()
		loaded := b.Set()
		for i := 0; i < 8000; i += 4 {
			_, ok := loaded.Score(long(i))
			require.True(t, ok, "seed %d: member %d is on no page", seed, i)
		}
		churn(s, rng, 3000)
		require.NoError(t, s.verifyError())
	}
}

// TestScan scans a set that changes between calls. Each member that stays must be returned.
func TestScan(t *testing.T) {
	const seed = 6
	rng := rand.New(rand.NewPCG(seed, 0))
	s := stayers(Options{})
	for round := range rounds() {
		seen := map[string]bool{}
		for cursor, more := uint64(0), true; more; more = cursor != 0 {
			var entries []Entry
			entries, cursor = s.AppendScan(nil, cursor, 50)
			for _, e := range entries {
				seen[string(e.Member)] = true
			}
			churn(s, rng, 300)
		}
		for i := 0; i < 8000; i += 4 {
			require.True(t, seen[string(long(i))], "seed %d, round %d: member %d was not seen", seed, round, i)
		}
	}
}
