package pebbledb

import (
	"errors"
	"fmt"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/persist/internal/format"
	"github.com/zrankdb/zrank/persist/wal"
)

// TestScanAhead: ScanAhead shows what Scan shows, wherever it begins and ends, and whenever the caller stops.
func TestScanAhead(t *testing.T) {
	db, err := pebble.Open(t.TempDir(), &pebble.Options{})
	require.NoError(t, err)
	const n = 5000
	key := func(i int) []byte { return fmt.Appendf(nil, "k%05d", i) }
	b := db.NewBatch()
	for i := range n {
		require.NoError(t, b.Set(key(i), make([]byte, i%97), nil))
	}
	require.NoError(t, db.Apply(b, nil))
	d := &DB{Pebble: db}
	stopped := errors.New("stopped")
	name := format.NameOf([]byte("range"))
	for _, x := range []struct{ from, to, stop int }{{0, n, n}, {0, 0, 1}, {0, n, 1}, {7, aheadAfter + 7, n}, {7, aheadAfter + 8, n}, {3, n, 3000}, {0, n, aheadAfter + 1}} {
		for _, failed := range []error{nil, stopped} {
			read := func(scan func(from, to []byte, name func() string, fn func(key, value []byte) (bool, error)) error) (got []string) {
				err := scan(key(x.from), key(x.to), name, func(k, v []byte) (bool, error) {
					got = append(got, fmt.Sprintf("%s=%x", k, v))
					if len(got) < x.stop {
						return true, nil
					}
					return false, failed
				})
				if len(got) == x.stop {
					require.ErrorIs(t, err, failed)
				} else {
					require.NoError(t, err)
				}
				return got
			}
			require.Equal(t, read(d.Scan), read(d.ScanAhead), "%+v", x)
		}
	}
	require.NoError(t, db.Close(), "no iterator is left open")
}

// TestScanAheadPanics: a panic of Pebble, at damaged bytes, is damage in the answer.
func TestScanAheadPanics(t *testing.T) {
	err := readAhead(nil, format.NameOf([]byte("range")), func(_, _ []byte) (bool, error) { return true, nil })
	require.ErrorIs(t, err, wal.ErrCorrupt)
	require.ErrorContains(t, err, "panic while reading")
}
