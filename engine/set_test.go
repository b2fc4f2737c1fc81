package engine

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/invariants"
	"github.com/zrankdb/zrank/zset"
)

// TestRemoveRange: RemoveRange removes the given ranks, also beyond the ends; a rollback restores a big range.
func TestRemoveRange(t *testing.T) {
	onBoth(t, func(t *testing.T, e *Engine) {
		n := 50_000
		if invariants.Enabled {
			n = 300 // each change is checked, in time that grows with n
		}
		mustUpdate(t, e, []string{"a"}, func(tx *Tx) {
			for i := range n {
				add(t, tx, "a", fmt.Sprintf("m%05d", i), float64(i))
			}
		})
		failed := e.Update(t.Context(), func(tx *Tx) error {
			s := named(t, tx, "a")
			removed, err := s.RemoveRange(10, n-10)
			require.NoError(t, err)
			require.Equal(t, n-20, removed)
			require.Equal(t, 20, s.Len())
			removed, err = s.RemoveRange(-5, n)
			require.NoError(t, err)
			require.Equal(t, 20, removed)
			return errScript
		}, "a")
		require.Equal(t, errScript, failed)
		mustUpdate(t, e, []string{"a"}, func(tx *Tx) {
			s := named(t, tx, "a")
			require.Equal(t, n, s.Len())
			before := s.Version()
			removed, err := s.RemoveRange(s.ScoreInterval(zset.Bound{Score: 100}, zset.Bound{Score: float64(n), Exclusive: true}))
			require.NoError(t, err)
			require.Equal(t, n-100, removed)
			require.Equal(t, before+uint64(n-100), s.Version())
			for _, empty := range [][2]int{{5, 5}, {7, 3}, {-9, 0}, {100, 200}} {
				removed, err = s.RemoveRange(empty[0], empty[1])
				require.NoError(t, err)
				require.Zero(t, removed)
			}
		})
		mustView(t, e, []string{"a"}, func(tx *Tx) {
			s := named(t, tx, "a")
			require.Equal(t, 100, s.Len())
			score, ok := s.Score([]byte("m00099"))
			require.True(t, ok)
			require.Equal(t, 99.0, score)
		})
	})
}

// TestPoppedAreCopies: popped entries are copies: the caller may change them, and a rollback restores the set all the same.
func TestPoppedAreCopies(t *testing.T) {
	onBoth(t, func(t *testing.T, e *Engine) {
		mustUpdate(t, e, []string{"a"}, func(tx *Tx) {
			s, err := tx.SetTied("a", 8)
			require.NoError(t, err)
			for i := range 200 {
				_, err := s.AddTied(fmt.Appendf(nil, "m%03d", i), []byte("12345678"), float64(i))
				require.NoError(t, err)
			}
		})
		before := stateText(t, e)
		require.Equal(t, errScript, e.Update(t.Context(), func(tx *Tx) error {
			s := named(t, tx, "a")
			low, err := s.PopMin(150)
			require.NoError(t, err)
			high, err := s.PopMax(50)
			require.NoError(t, err)
			for i, popped := range append(low, high...) {
				want := i
				if i >= 150 {
					want = 349 - i
				}
				require.Equal(t, fmt.Sprintf("m%03d", want), string(popped.Member))
				clear(popped.Member)
				clear(popped.Tie)
			}
			return errScript
		}, "a"))
		require.Equal(t, before, stateText(t, e), "the rollback does not use the caller's entries")
	})
}
