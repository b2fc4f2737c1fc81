package engine

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestStat calls Stat for sets of both kinds, in an Update and in a View, before and after the transaction's own changes.
func TestStat(t *testing.T) {
	onBoth(t, func(t *testing.T, e *Engine) {
		keys := []string{"f", "i", "none"}
		at := e.Now().Add(time.Hour).Truncate(time.Millisecond)
		form := Form{TieWidth: 8, ScoreTie: 8, Dense: true}
		stat := func(tx *Tx, key string) Stat {
			st, err := tx.Stat(key)
			require.NoError(t, err)
			return st
		}
		mustUpdate(t, e, keys, func(tx *Tx) {
			require.Equal(t, []Stat{{}, {}, {}}, []Stat{stat(tx, "f"), stat(tx, "i"), stat(tx, "none")})
			s, err := tx.IntSet("i", form)
			require.NoError(t, err)
			for m := range 200 {
				_, err = s.Add([]byte{byte(m)}, int64(m))
				require.NoError(t, err)
			}
			_, err = s.ExpireAt(at)
			require.NoError(t, err)
			add(t, tx, "f", "m", 1)
			st := stat(tx, "f")
			require.Equal(t, Stat{Exists: true, Members: 1, Encoding: "listpack", Size: named(t, tx, "f").Size()}, st)
		})
		mustView(t, e, keys, func(tx *Tx) {
			require.EqualValues(t, 1, stat(tx, "f").LastSeq)
			st := stat(tx, "i")
			require.True(t, at.Equal(st.Expires))
			require.Greater(t, st.Size, 1000)
			require.Equal(t, Stat{Exists: true, Ints: true, Form: form, Members: 200, Size: st.Size, Encoding: "skiplist", LastSeq: 1, Expires: st.Expires}, st)
			require.Zero(t, stat(tx, "none"))
			_, err := tx.Stat("board/other")
			require.ErrorIs(t, err, ErrNotNamed)
		})
		var after *Tx
		mustUpdate(t, e, keys, func(tx *Tx) {
			require.NoError(t, tx.Rename("i", "none"))
			require.Zero(t, stat(tx, "i"))
			require.Equal(t, 200, stat(tx, "none").Members)
			_, err := tx.Drop("f")
			require.NoError(t, err)
			require.Zero(t, stat(tx, "f"))
			after = tx
		})
		_, err := after.Stat("f")
		require.ErrorIs(t, err, ErrTxDone)
	})
}
