package zset

import (
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/invariants"
)

// sequence yields entries, whose members are valid until the next step only.
func sequence(entries []Entry) iter.Seq2[[]byte, float64] {
	return func(yield func([]byte, float64) bool) {
		var member []byte
		for _, x := range entries {
			if member = append(member[:0], x.Member...); !yield(member, x.Score) {
				return
			}
		}
	}
}

// TestBuild makes sets of random entries of all sizes, with members that come again, and compares each with a set that has got the same entries one by one.
func TestBuild(t *testing.T) {
	rng := rand.New(rand.NewPCG(26, 1))
	for _, o := range []Options{{}, {MaxListpackEntries: -1}, {MaxListpackEntries: 4}, {TieWidth: 8}, {Cap: 50, Reserve: 10}} {
		for _, n := range []int{0, 1, 3, 128, 129, 1000, 30_000} {
			if n > 2000 && invariants.Enabled {
				continue // every change is checked in full
			}
			for _, members := range []int{n/2 + 1, math.MaxInt32} {
				var entries []Entry
				want, err := New(o)
				require.NoError(t, err)
				had, again := map[string]bool{}, false
				uncapped, _ := New(Options{TieWidth: o.TieWidth})
				for range n {
					x := Entry{Member: fmt.Appendf(nil, "m%d", rng.IntN(members)), Score: float64(rng.IntN(1000))}
					entries = append(entries, x)
					again = again || had[string(x.Member)]
					had[string(x.Member)] = true
					_, err := uncapped.Add(x.Member, x.Score)
					require.NoError(t, err)
				}
				for member, score := range uncapped.Range(0, uncapped.Len()) {
					_, err := want.Add(member, score)
					require.NoError(t, err)
				}
				got, twice, err := Build(o, 1+n%3, sequence(entries))
				require.NoError(t, err)
				require.Equal(t, again, twice != nil, "%+v, %d", o, n)
				require.True(t, twice == nil || had[string(twice)])
				requireLoaded(t, want, got)
				b, err := NewBuilder(o)
				require.NoError(t, err)
				for _, x := range entries {
					require.NoError(t, b.Add(x.Member, x.Score))
				}
				require.Equal(t, b.Set().Encoding(), got.Encoding())
				_, err = got.Add([]byte("later"), 5)
				require.NoError(t, err)
			}
		}
	}
}

// TestBuildErrors: what a builder refuses ends Build, wherever it comes.
func TestBuildErrors(t *testing.T) {
	for _, before := range []int{0, 500} {
		for want, bad := range map[error]Entry{ErrNaN: {Member: []byte("m"), Score: math.NaN()}, ErrMemberTooLong: {Member: make([]byte, MaxMember+1)}} {
			entries := make([]Entry, before)
			for i := range entries {
				entries[i] = Entry{Member: fmt.Append(nil, i), Score: 1}
			}
			s, twice, err := Build(Options{}, 2, sequence(append(entries, bad)))
			require.ErrorIs(t, err, want)
			require.Nil(t, s)
			require.Nil(t, twice)
		}
	}
	_, _, err := Build(Options{TieWidth: -1}, 1, sequence(nil))
	require.Error(t, err)
}
