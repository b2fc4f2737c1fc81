package zset

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPut: Put does what AddTied does, and tells what a Get and a Rank before and after tell; in listpacks and skiplists, with ties, with
// equal scores, with a Cap.
func TestPut(t *testing.T) {
	for _, o := range []Options{{TieWidth: 8}, {TieWidth: 8, MaxListpackEntries: -1}, {TieWidth: 8, DenseRanks: true}, {TieWidth: 8, Cap: 20, Reserve: 5},
		{TieWidth: 8, Cap: 20, CapLowest: true}} {
		t.Run(fmt.Sprintf("%+v", o), func(t *testing.T) {
			one, err := NewInt(o)
			require.NoError(t, err)
			other, err := NewInt(o)
			require.NoError(t, err)
			rng := rand.New(rand.NewPCG(1, 2))
			for range 3000 {
				member, tie := fmt.Append(nil, "m", rng.IntN(300)), binary.BigEndian.AppendUint64(nil, rng.Uint64N(3))
				score := rng.Int64N(40)
				want := MovedOf[int64]{Before: -1, After: -1}
				before, oldScore, oldTie, had := other.RankGet(member)
				if want.Had = had; had {
					want.Score, want.Before = oldScore, before
					copy(want.Tie[:], oldTie)
				}
				_, err := other.AddTied(member, tie, score)
				require.NoError(t, err)
				if after, ok := other.Rank(member); ok {
					want.After = after
				}
				got, err := one.Put(member, tie, score)
				require.NoError(t, err)
				require.Equal(t, want, got)
			}
			require.Equal(t, other.Append(nil, 0, other.Len()), one.Append(nil, 0, one.Len()))
		})
	}
}

// TestPutRefuses: Put returns the errors of AddTied, and changes nothing.
func TestPutRefuses(t *testing.T) {
	s, err := New(Options{TieWidth: 8})
	require.NoError(t, err)
	_, err = s.Put([]byte("a"), nil, 1)
	require.ErrorIs(t, err, ErrTieWidth)
	_, err = s.Put([]byte("a"), make([]byte, 8), math.NaN())
	require.ErrorIs(t, err, ErrNaN)
	_, err = s.Put(make([]byte, MaxMember+1), make([]byte, 8), 1)
	require.ErrorIs(t, err, ErrMemberTooLong)
	require.Zero(t, s.Len())
}
