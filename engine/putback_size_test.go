package engine

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/memfs"
)

// TestManyPutBack runs a transaction that fails between all pages of a snapshot ("often"), or once with members so long that a page takes few of
// them ("long"). The snapshot must end.
func TestManyPutBack(t *testing.T) {
	for name, c := range map[string]struct{ members, length int }{"often": {1000, 20}, "long": {600, 40 << 10}} {
		t.Run(name, func(t *testing.T) {
			e, err := Open("db", Options{FS: memfs.New(), SnapshotBytes: -1})
			require.NoError(t, err)
			defer e.Close()
			add := func(lo, hi int, score float64, end error) error {
				return e.Update(t.Context(), func(tx *Tx) error {
					s := named(t, tx, "k")
					for i := lo; i < hi; i++ {
						if _, err := s.Add(fmt.Appendf(nil, "%0*d", c.length, i), score); err != nil {
							return err
						}
					}
					return end
				}, "k")
			}
			for lo := 0; lo < c.members; lo += 100 {
				require.NoError(t, add(lo, lo+100, 1, nil))
			}
			failed, pages := errors.New("failed"), 0
			e.checkpoints.Paged = func(page []byte) []byte {
				if pages++; pages < 3000 && (c.length < 100 || pages == 1) {
					require.ErrorIs(t, add(0, c.members, 2, failed), failed)
				}
				return page
			}
			require.NoError(t, e.Snapshot())
			require.Less(t, pages, 1000)
		})
	}
}
