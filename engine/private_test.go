package engine

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestScanStops: a walk over private keys, committed ones and the transaction's own, may stop after any key.
func TestScanStops(t *testing.T) {
	onBoth(t, func(t *testing.T, e *Engine) {
		mustUpdate(t, e, nil, func(tx *Tx) {
			for i := range 10 {
				require.NoError(t, tx.Put(fmt.Sprintf("k%02d", 2*i), fmt.Append(nil, i)))
			}
			require.NoError(t, tx.Put("other", nil))
		})
		mustUpdate(t, e, nil, func(tx *Tx) {
			require.NoError(t, tx.Put("k", nil))
			require.NoError(t, tx.Put("k03", nil))
			require.NoError(t, tx.Put("k04", []byte("new")))
			require.NoError(t, tx.Delete("k06"))
			require.NoError(t, tx.Delete("k07"))
			require.NoError(t, tx.Put("k99", nil))
			want := []string{"k=", "k00=0", "k02=1", "k03=", "k04=new", "k08=4", "k10=5", "k12=6", "k14=7", "k16=8", "k18=9", "k99="}
			for n := range len(want) + 1 {
				var got []string
				for kv, err := range tx.Scan("k") {
					require.NoError(t, err)
					if got = append(got, fmt.Sprintf("%s=%s", kv.Key, kv.Value)); len(got) == n {
						break
					}
				}
				if n == 0 {
					n = len(want)
				}
				require.Equal(t, want[:n], got)
			}
		})
	})
}

// TestValuesAreCopies: the caller may change values that it has put or got; the stored value stays the same.
func TestValuesAreCopies(t *testing.T) {
	onBoth(t, func(t *testing.T, e *Engine) {
		value, kept := []byte("mine"), [][]byte{}
		mustUpdate(t, e, nil, func(tx *Tx) {
			require.NoError(t, tx.Put("k", value))
			copy(value, "gone")
			got, _, err := tx.Get("k")
			require.NoError(t, err)
			kept = append(kept, got)
		})
		for range 2 {
			mustView(t, e, nil, func(tx *Tx) {
				got, _, err := tx.Get("k")
				require.NoError(t, err)
				kept = append(kept, got)
				for kv, err := range tx.Scan("k") {
					require.NoError(t, err)
					kept = append(kept, kv.Value)
				}
			})
		}
		require.Len(t, kept, 5)
		for _, got := range kept {
			require.Equal(t, "mine", string(got))
			copy(got, "gone")
		}
	})
}
