package persist

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/matrix"
	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/persist/internal/format"
	"github.com/zrankdb/zrank/persist/internal/storedir"
	"github.com/zrankdb/zrank/persist/wal"
)

// makeOld turns a closed store into one of layout 1: it removes the high-water mark, and writes layout 1 into IDENTITY and m/format.
func makeOld(t *testing.T, fs FS) {
	t.Helper()
	n, err := storedir.ReadIdentity(fs, "db")
	require.NoError(t, err)
	n.Layout = format.LayoutBeforeMark
	require.NoError(t, storedir.WriteFile(fs, "db/IDENTITY", n.Encode()))
	require.NoError(t, fs.Remove("db/HWM"))
	raw(t, fs, func(db *pebble.DB) {
		v := binary.BigEndian.AppendUint32(nil, format.LayoutBeforeMark)
		require.NoError(t, db.Set(format.KeyFormat, format.WithSum(format.KeyFormat, append(v, n.ID[:]...)), pebble.Sync))
	})
	require.NoError(t, storedir.SyncDir(fs, "db"))
}

// oldStore returns a store of layout 1 and its model.
func oldStore(t *testing.T) *victim {
	t.Helper()
	v, err := newVictim(33, nil, func(d *driver) error {
		return errors.Join(d.commit(40), d.snapshot(true), d.commit(20), markNow(d))
	})
	require.NoError(t, err)
	makeOld(t, v.disk)
	return v
}

func layouts(t *testing.T, fs FS) (identity, record uint32) {
	t.Helper()
	n, err := storedir.ReadIdentity(fs, "db")
	require.NoError(t, err)
	raw(t, fs, func(db *pebble.DB) {
		v, c, err := db.Get(format.KeyFormat)
		require.NoError(t, err)
		_, record, err = format.DecodeFormat(v)
		require.NoError(t, err)
		require.NoError(t, c.Close())
	})
	return n.Layout, record
}

// TestUpgradeOfLayout1: a store of layout 1 must open with all its data, and have the current layout from then on.
func TestUpgradeOfLayout1(t *testing.T) {
	v := oldStore(t)
	fs := v.copy()
	for range 2 {
		require.NoError(t, checkState(fs, v.d, v.d.acked.Load()))
		identity, record := layouts(t, fs)
		require.Equal(t, uint32(format.LayoutVersion), identity)
		require.Equal(t, uint32(format.LayoutVersion), record)
	}
	require.NoError(t, fs.Remove("db/HWM"))
	_, err := open("db", Options{FS: fs}, nil)
	require.ErrorIs(t, err, ErrCorrupt, "from then on the mark must be there")
	matrix.Row(t, 33, "layout 1 opened and brought to %d, once", format.LayoutVersion)
}

// TestPowerCutDuringUpgrade cuts the power before every operation of the upgrade.
func TestPowerCutDuringUpgrade(t *testing.T) {
	v := oldStore(t)
	runs := uint64(0)
	for seed := range matrix.Pick(1, 50) {
		mem := v.copy()
		acked := v.d.acked.Load()
		c := &crasher{mem: mem, acked: func() uint64 { return acked }, ways: []int{0, 30, 50, 70, 100}, out: make(chan crashed)}
		c.points.Store(uint64(seed) << 32)
		stop := c.start(func(x crashed) error { return checkState(x.fs, v.d, x.acked) })
		err := checkState(errorfs.Wrap(mem, c), v.d, acked)
		require.NoError(t, errors.Join(append(stop(), err)...))
		runs += c.runs.Load()
	}
	matrix.Row(t, 33, "%d power cuts in the upgrade from layout 1: 0 violations", runs)
}

// TestNewerFormatIsRefused writes a later layout or format version into each place that has one. Open must return ErrNewerFormat and
// change nothing.
func TestNewerFormatIsRefused(t *testing.T) {
	v, err := newVictim(34, nil, both(grow(10, 100), markNow))
	require.NoError(t, err)
	newer := binary.BigEndian.AppendUint32(nil, format.LayoutVersion+1)
	changes := []change{
		{"IDENTITY", func(fs *memfs.FS) error {
			return edit(fs, "db/IDENTITY", func(b []byte) []byte { copy(b[8:], newer); return b })
		}},
		{"m/format", func(fs *memfs.FS) error {
			raw(t, fs, func(db *pebble.DB) {
				err = db.Set(format.KeyFormat, format.WithSum(format.KeyFormat, newer), pebble.Sync)
			})
			return err
		}},
		{"database format", func(fs *memfs.FS) error {
			name := filesLike(fs, "marker.format-version")[0]
			return fs.Rename(name, fmt.Sprintf("db/db/marker.format-version.000099.%03d", storedir.PebbleFormat+1))
		}},
	}
	for _, c := range changes {
		fs := v.copy()
		require.NoError(t, c.do(fs))
		before := fingerprint(fs)
		_, err := open("db", Options{FS: fs}, nil)
		require.ErrorIs(t, err, ErrNewerFormat, c.name)
		require.Equal(t, before, fingerprint(fs), c.name)
	}
	matrix.Row(t, 33, "a later layout in %d places: refused, nothing changed", len(changes))
}

// TestLogReplayedTwice replays the log twice, and from before the sets' bases: the state is the same.
func TestLogReplayedTwice(t *testing.T) {
	runs := matrix.Pick(5, 200)
	for seed := range runs {
		v, err := newVictim(uint64(seed), nil, func(d *driver) error {
			return errors.Join(d.commit(60), d.snapshot(true), d.commit(60))
		})
		require.NoError(t, err)
		s, err := open("db", Options{FS: v.copy()}, nil)
		require.NoError(t, err)
		w, err := read(s)
		require.NoError(t, err)
		want := w.String()
		for range 2 {
			require.NoError(t, s.Replay(func(_ uint64, e wal.Effect) error { w.apply(e); return nil }))
			require.Equal(t, want, w.String(), "seed %d", seed)
		}
		require.NoError(t, s.Close())
	}
	matrix.Row(t, 38, "%d logs replayed three times, twice of it from before the bases: identical", runs)
}

// TestMarkNeverTooHigh cuts the power during commits at every level, snapshots and writes of the mark. The disk must always have what the
// mark claims.
func TestMarkNeverTooHigh(t *testing.T) {
	runs, err := markCrashes(matrix.Pick(1, 30))
	require.NoError(t, err)
	t.Logf("%d power cuts with marks on their way, 0 false alarms", runs)
}

// markCrashes runs commits and snapshots at each level, writes the mark after each step, and cuts the power before every operation. It
// returns the number of crashed disks that it has checked.
func markCrashes(rounds int) (runs uint64, err error) {
	for seed := range rounds {
		mem := memfs.NewCrashable()
		d := newDriver(nil, uint64(seed))
		c := &crasher{mem: mem, acked: func() uint64 { return 0 }, ways: []int{0, 50}, out: make(chan crashed, 64)}
		level := Level(seed % 3)
		stop := c.start(func(x crashed) error { return checkState(x.fs, d, 0) })
		if d.s, err = open("db", Options{FS: errorfs.Wrap(mem, c), Level: level, StallTimeout: time.Hour}, small); err != nil {
			return runs, errors.Join(append(stop(), err)...)
		}
		rng := rand.New(rand.NewPCG(uint64(seed), 3))
		for i := range 12 {
			err = errors.Join(err, d.commit(1+rng.IntN(5)), d.s.log.Do(func() error { return nil }), markNow(d))
			if i%5 == 4 {
				err = errors.Join(err, d.snapshot(true), markNow(d))
			}
		}
		err = errors.Join(err, d.s.Close())
		err = errors.Join(append(stop(), err)...)
		runs += c.runs.Load()
		if err != nil {
			return runs, fmt.Errorf("seed %d, level %v: %w", seed, level, err)
		}
	}
	return runs, nil
}
