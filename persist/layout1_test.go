package persist

import (
	"encoding/binary"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/persist/internal/format"
	"github.com/zrankdb/zrank/persist/internal/formattest"
	"github.com/zrankdb/zrank/persist/internal/pebbledb"
)

// makeLayout1 converts a closed store, in which each set was written by one snapshot, to layout 1.
func makeLayout1(t *testing.T, fs FS) {
	raw(t, fs, func(db *pebble.DB) {
		s := &pebbledb.DB{Pebble: db}
		v, err := s.Must(format.KeyFormat)
		require.NoError(t, err)
		v = v[:len(v)-4]
		binary.BigEndian.PutUint32(v, 1)
		require.NoError(t, db.Set(format.KeyFormat, format.WithSum(format.KeyFormat, v), pebble.Sync))
		from := []byte(format.PrefixSets)
		require.NoError(t, s.Scan(from, format.KeyAfter(from), format.NameOf(from), func(key, value []byte) (bool, error) {
			r, err := format.DecodeSetRecord(key, value)
			require.NoError(t, err)
			var first format.Place
			sum, places := uint32(0), format.PlacesOf(&r)
			for i := range r.Pages {
				at, _ := places.Next()
				if sum = format.AddSum(sum, at.CRC); i == 0 {
					first = at
				}
				require.Equal(t, first.ID, at.ID)
				require.Equal(t, first.Snapshot, at.Snapshot)
			}
			return true, db.Set(format.KeySet(r.Key), encodeRecord1(r, first, sum), pebble.Sync)
		}))
	})
}

func layoutOf(t *testing.T, s *Store) uint32 {
	v, err := s.log.DB.Must(format.KeyFormat)
	require.NoError(t, err)
	return binary.BigEndian.Uint32(v)
}

// TestLayout1 opens a store of layout 1, which must read correctly and have the current layout from then on. Its records stay those of
// layout 1 until a snapshot replaces them; that snapshot may keep unchanged pages. The power is cut before every operation.
func TestLayout1(t *testing.T) {
	mem := memfs.NewCrashable()
	d := newDriver(mustOpen(t, mem, Options{}), 5)
	require.NoError(t, d.commit(80))
	require.NoError(t, d.snapshot(true))
	require.NoError(t, d.commit(1))
	require.NoError(t, d.s.Close())
	makeLayout1(t, mem)

	c := &crasher{mem: mem, acked: d.acked.Load, ways: []int{0, 50, 100}, out: make(chan crashed, 64)}
	stop := c.start(func(x crashed) error { return checkState(x.fs, d, x.acked) })
	d.s = mustOpen(t, errorfs.Wrap(mem, c), Options{StallTimeout: time.Hour})
	require.NoError(t, compare(d.s, d, d.acked.Load()))
	require.Equal(t, uint32(format.LayoutVersion), layoutOf(t, d.s))
	require.NoError(t, d.commit(1))
	require.NoError(t, d.snapshot(false))
	require.Equal(t, uint32(format.LayoutVersion), layoutOf(t, d.s))
	require.NoError(t, d.snapshot(true))
	require.Positive(t, d.kept)
	require.Equal(t, uint32(format.LayoutVersion), layoutOf(t, d.s))
	require.NoError(t, tidy(d.s))
	require.NoError(t, d.commit(20))
	require.NoError(t, d.snapshot(true))
	require.NoError(t, d.s.Close())
	require.Empty(t, stop())
	require.NoError(t, checkState(mem, d, d.acked.Load()))
	t.Logf("seed 5: %d crash points, %d recoveries, %d pages kept", c.points.Load(), c.runs.Load(), d.kept)
}

// TestLayout1Damage: reading a set of layout 1 must compare the checksum over all pages, and a snapshot must not keep a damaged page.
func TestLayout1Damage(t *testing.T) {
	mem := memfs.NewCrashable()
	s := mustOpen(t, mem, Options{})
	mustAppend(t, s, put("a", "m", "v"))
	sn, err := s.Snapshot(1)
	require.NoError(t, err)
	require.NoError(t, sn.WriteSet("a", nil, 1, 1, pagesOf("one", "two", "three")))
	require.NoError(t, sn.Publish())
	require.NoError(t, s.Close())
	makeLayout1(t, mem)

	s = mustOpen(t, mem, Options{})
	r := setRecord(t, s, "a")
	got, err := allPages(s, r)
	require.NoError(t, err)
	require.Equal(t, []string{"one", "two", "three"}, got)
	keep := func(yield func([]byte) bool) { _ = yield(nil) && yield([]byte("2")) && yield(nil) }
	key := format.KeyPage(1, 1, 1)
	other := make([]byte, 4+3)
	format.SealPage(other, key, []byte("TWO")) // its own checksum is right
	require.NoError(t, s.log.DB.Pebble.Set(key, other, pebble.NoSync))
	_, err = allPages(s, r)
	require.ErrorIs(t, err, ErrCorrupt)
	require.ErrorContains(t, err, `"a"`)
	key = format.KeyPage(1, 1, 2)
	require.NoError(t, s.log.DB.Pebble.Set(key, []byte("12345"), pebble.NoSync))
	sn, err = s.Snapshot(1)
	require.NoError(t, err)
	require.ErrorIs(t, sn.WriteSet("a", nil, 1, 1, keep), ErrCorrupt)
	require.NoError(t, sn.Abort())
	other = make([]byte, 4+5)
	format.SealPage(other, key, []byte("three"))
	require.NoError(t, s.log.DB.Pebble.Set(key, other, pebble.NoSync))
	sn, err = s.Snapshot(1)
	require.NoError(t, err)
	require.NoError(t, sn.WriteSet("a", nil, 1, 1, keep))
	require.NoError(t, sn.Publish())
	got, err = allPages(s, setRecord(t, s, "a"))
	require.NoError(t, err)
	require.Equal(t, []string{"one", "2", "three"}, got)
	require.Equal(t, 3, pageKeys(t, s.log.DB))
	require.NoError(t, s.Close())
}

// encodeRecord1 writes a record as layout 1 did, in which one snapshot has written all pages.
func encodeRecord1(r format.SetRecord, at format.Place, sum uint32) []byte {
	v := formattest.Record1{Snapshot: at.Snapshot, ID: at.ID, Base: r.Base, Pages: r.Pages, Entries: r.Entries, Sum: sum, Meta: r.Meta}
	return format.WithSum(format.KeySet(r.Key), v.Encode())
}
