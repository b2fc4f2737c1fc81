package persist

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/matrix"
	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/persist/internal/format"
	"github.com/zrankdb/zrank/persist/internal/snapshot"
	"github.com/zrankdb/zrank/persist/internal/storedir"
)

// cutFigures count what proveCut has done.
type cutFigures struct{ snapshots, aborted, kept, opened int }

// proveCut publishes snapshots one after the other and simulates crashes inside each Publish: it cuts Pebble's log at random bytes
// between the log's end before Publish and its end after Publish. Each of these disks must hold a prefix of the commits that includes
// all acknowledged ones. Some snapshots are aborted; they must leave nothing behind.
func proveCut(seed uint64, rounds, cuts int) (f cutFigures, err error) {
	mem := memfs.NewCrashable()
	s, err := open("db", Options{FS: mem}, nil) // memtables large enough that nothing but the log is written
	if err != nil {
		return f, err
	}
	d := newDriver(s, seed)
	rng := rand.New(rand.NewPCG(seed, 37))
	for range rounds {
		var before *memfs.FS
		acked := uint64(0)
		d.beforePublish = func(*Snapshot) error {
			err := d.s.Flush() // writes the log so far, with the pages, to the file
			before, acked = everything(mem), d.s.DurableSeq()
			return err
		}
		publish := rng.IntN(5) > 0
		if err := errors.Join(d.commit(1+rng.IntN(20)), d.snapshot(publish)); err != nil {
			return f, err
		}
		if !publish {
			f.aborted++
			if err := tidy(s); err != nil {
				return f, fmt.Errorf("seed %d, after an abort: %w", seed, err)
			}
			continue
		}
		f.snapshots++
		n, err := tearLog(rng, before, everything(mem), cuts, func(torn FS) error { return checkState(torn, d, acked) })
		f.opened += n
		if err != nil {
			return f, fmt.Errorf("seed %d, snapshot %d: %w", seed, f.snapshots, err)
		}
	}
	f.kept = d.kept
	if err := compare(d.s.forReplay(), d, d.acked.Load()); err != nil {
		return f, err
	}
	if err := s.Close(); err != nil {
		return f, err
	}
	return f, checkState(mem, d, d.acked.Load())
}

// everything returns the disk as a kill -9 would leave it: no written data is lost.
func everything(mem *memfs.FS) *memfs.FS {
	return mem.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: 100, RNG: rand.New(rand.NewPCG(0, 0))})
}

// tearLog calls check with disks on which Pebble's log is cut to a random length, between its lengths on the disks before and after. It
// returns the number of calls.
func tearLog(rng *rand.Rand, before, after *memfs.FS, cuts int, check func(FS) error) (n int, err error) {
	name, old, whole, err := grownLog(before, after)
	if err != nil || name == "" {
		return 0, err
	}
	mark, err := readFile(before, "db/"+storedir.MarkName) // written after the log is
	if err != nil {
		return 0, err
	}
	for i := range cuts {
		length := old + rng.IntN(len(whole)-old+1)
		if i == 0 {
			length = len(whole)
		}
		torn := everything(after)
		if err := errors.Join(replaceFile(torn, name, whole[:length]), replaceFile(torn, "db/"+storedir.MarkName, mark)); err != nil {
			return n, err
		}
		n++
		if err := check(torn); err != nil {
			return n, fmt.Errorf("log of %d bytes cut to %d, it had %d: %w", len(whole), length, old, err)
		}
	}
	return n, nil
}

// grownLog returns the log of Pebble that has grown between the two disks; name is "" if Pebble has begun a new log meanwhile.
func grownLog(before, after *memfs.FS) (name string, old int, whole []byte, err error) {
	names, err := after.List("db/db")
	if err != nil {
		return "", 0, nil, err
	}
	for _, n := range names {
		if !strings.HasSuffix(n, ".log") {
			continue
		}
		was, err := readFile(before, "db/db/"+n)
		if err != nil {
			return "", 0, nil, nil
		}
		is, err := readFile(after, "db/db/"+n)
		if err != nil {
			return "", 0, nil, err
		}
		if len(is) > len(was) {
			name, old, whole = "db/db/"+n, len(was), is
		}
	}
	return name, old, whole, nil
}

func readFile(fs vfs.FS, name string) ([]byte, error) {
	f, err := fs.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

func replaceFile(fs vfs.FS, name string, data []byte) error {
	f, err := fs.Create(name, vfs.WriteCategoryUnspecified)
	if err != nil {
		return err
	}
	_, err = f.Write(bytes.Clone(data)) // with the race detector on, MemFS overwrites what it is given
	return errors.Join(err, f.Close())
}

// proveCutInPieces is proveCut. With an odd seed each set's record is a piece by itself.
func proveCutInPieces(seed uint64, rounds, cuts int) (cutFigures, error) {
	if seed%2 == 1 {
		defer inPieces()()
	}
	return proveCut(seed, rounds, cuts)
}

// inPieces makes snapshots publish each set's record by itself until whole is called.
func inPieces() (whole func()) {
	was := snapshot.PublishPiece
	snapshot.PublishPiece = 1
	return func() { snapshot.PublishPiece = was }
}

// TestCrashBetweenPublishAndTruncation cuts the writes that publish a snapshot and truncate the log at many places.
func TestCrashBetweenPublishAndTruncation(t *testing.T) {
	var all cutFigures
	for seed := range uint64(matrix.Pick(2, 100)) {
		f, err := proveCutInPieces(seed, 12, 20)
		require.NoError(t, err)
		all = cutFigures{all.snapshots + f.snapshots, all.aborted + f.aborted, all.kept + f.kept, all.opened + f.opened}
	}
	require.Positive(t, all.kept)
	matrix.Row(t, 37, "%d snapshots published, %d aborted, %d pages kept from earlier ones; %d disks stopped inside the publishing write: 0 differ, 0 bytes leaked",
		all.snapshots, all.aborted, all.kept, all.opened)
}

// proveReadBack damages or deletes a page of a snapshot before Publish. Publish must return an error, and must not change the log or the
// previous snapshot.
func proveReadBack(seed uint64) error {
	mem := memfs.NewCrashable()
	s, err := open("db", Options{FS: mem}, nil)
	if err != nil {
		return err
	}
	d := newDriver(s, seed)
	if err := errors.Join(d.commit(60), d.snapshot(true), d.commit(30)); err != nil {
		return err
	}
	start, log := s.log.Pointer(), s.LogBytes()
	d.beforePublish = func(sn *Snapshot) error { return errors.Join(snapshot.HandOver(sn.sn), damagePage(s, sn, seed)) }
	if err := d.snapshot(true); !errors.Is(err, ErrCorrupt) {
		return fmt.Errorf("a damaged page was published: %v", err)
	}
	if s.log.Pointer() != start || s.LogBytes() < log {
		return fmt.Errorf("the log is cut: %+v, it was %+v", s.log.Pointer(), start)
	}
	d.beforePublish = nil
	if err := errors.Join(s.Flush(), checkState(everything(mem), d, d.acked.Load()), d.snapshot(true)); err != nil {
		return err
	}
	return errors.Join(s.Close(), checkState(mem, d, d.acked.Load()))
}

// damagePage changes one page that a snapshot has written: it flips a bit, replaces the page by a valid other one, or deletes it.
func damagePage(s *Store, sn *Snapshot, seed uint64) error {
	var keys, values [][]byte
	from := format.KeySnapshotPages(s.log.Pointer().Snapshot + 1)
	err := s.log.DB.Scan(from, format.KeyAfter(from), format.NameOf(from), func(key, value []byte) (bool, error) {
		keys, values = append(keys, append([]byte{}, key...)), append(values, append([]byte{}, value...))
		return true, nil
	})
	if err != nil || len(keys) < 2 {
		return fmt.Errorf("%d pages: %w", len(keys), err)
	}
	rng := rand.New(rand.NewPCG(seed, 38))
	i := rng.IntN(len(keys))
	switch rng.IntN(3) {
	case 0:
		values[i][rng.IntN(len(values[i]))] ^= 1 << rng.IntN(8)
		return s.log.DB.Pebble.Set(keys[i], values[i], nil)
	case 1:
		page := append(values[i], 1)
		format.SealPage(page, keys[i], page[4:]) // right in itself
		return s.log.DB.Pebble.Set(keys[i], page, nil)
	default:
		return s.log.DB.Pebble.Delete(keys[i], nil)
	}
}

// TestReadBack: Publish must notice a damaged page before it cuts the log.
func TestReadBack(t *testing.T) {
	for seed := range uint64(12) {
		require.NoError(t, proveReadBack(seed), "seed %d", seed)
	}
}
