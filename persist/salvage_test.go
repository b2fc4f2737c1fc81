package persist

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/matrix"
	"github.com/zrankdb/zrank/persist/internal/format"
)

// pieces splits the text of a world into one piece per set, and one for the private keys.
func pieces(text string) map[string]string {
	all, key := map[string]string{}, ""
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "set ") {
			key = strings.Fields(line)[1]
		}
		if strings.HasPrefix(line, "private ") {
			key = "private"
		}
		all[key] += line
	}
	return all
}

// errOther is returned by salvaged if sets of the copy are not as they should be.
var errOther = errors.New("other sets")

// salvaged salvages a damaged store and compares the copy with the model. Every set that is not in Salvaged.Sets must be as after the
// copy's last commit. The comparison is skipped if the copy ends before published, since the sets' pages may then be newer. The
// source must not change.
func salvaged(f files, d *driver, published uint64) (done Salvaged, err error) {
	fs, err := f.fs()
	if err != nil {
		return done, err
	}
	if done, err = Salvage(context.Background(), "db", "new", Options{FS: fs}); err != nil {
		return done, err
	}
	after, err := filesOf(fs, "db")
	if err != nil {
		return done, err
	}
	for path, b := range after {
		if string(f[path]) != string(b) {
			return done, fmt.Errorf("%s was changed", path)
		}
	}
	s, err := open("new", Options{FS: fs, MustExist: true}, small)
	if err != nil {
		return done, err
	}
	w, err := read(s)
	if err = errors.Join(err, tidy(s), s.Close()); err != nil {
		return done, err
	}
	want, _ := d.at(s.LastSeq())
	if want == "" || s.LastSeq() < published || done.Gaps > 0 {
		return done, nil
	}
	got, expected := pieces(w.String()), pieces(want)
	delete(got, "private")
	delete(expected, "private")
	for _, lost := range done.Sets {
		delete(got, fmt.Sprintf("%q", lost.Key))
		delete(expected, fmt.Sprintf("%q", lost.Key))
	}
	if !maps.Equal(got, expected) {
		return done, fmt.Errorf("%w after commit %d: they are\n%v\nwant\n%v", errOther, s.LastSeq(), got, expected)
	}
	return done, nil
}

// oneFlip flips one bit of a store. Check must report it, or the data must read correctly. Salvage must give an undamaged store.
func oneFlip(f files, d *driver, published uint64, path string, at int) (found bool, err error) {
	b := slices.Clone(f[path])
	b[at/8] ^= 1 << (at % 8)
	f = f.with(path, b)
	rep, err := checkDir(f, CheckOptions{})
	if errors.Is(err, ErrNewerFormat) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	found = len(rep.Problems) > 0
	if !found && !strings.Contains(path, "MANIFEST") {
		fs, err := f.fs()
		if err != nil {
			return false, err
		}
		if _, err = opensAs(fs, "db", d, 0); err != nil {
			return false, fmt.Errorf("check found nothing, and open says: %w", err)
		}
	}
	_, err = salvaged(f, d, published)
	return found, err
}

// flips damages a sample store in n single bits, one at a time, all over its files.
func flips(seed uint64, n int) (found map[string]int, err error) {
	f, d, published, err := sampleStore(seed)
	if err != nil {
		return nil, err
	}
	rng := rand.New(rand.NewPCG(seed, 12))
	found = map[string]int{}
	names := f.names()
	for i := range n {
		path := names[i%len(names)]
		at := rng.IntN(8 * len(f[path]))
		hit, err := oneFlip(f, d, published, path, at)
		if err != nil {
			return nil, fmt.Errorf("seed %d: bit %d of %s: %w", seed, at, path, err)
		}
		if hit {
			found[path[strings.LastIndexAny(path, "./-")+1:]]++
		}
	}
	return found, nil
}

// TestCheckAndSalvageDamagedStores flips bits all over a store's files.
func TestCheckAndSalvageDamagedStores(t *testing.T) {
	n := matrix.Pick(10, 3000)
	found, err := flips(1, n)
	require.NoError(t, err)
	total := 0
	for _, hits := range found {
		total += hits
	}
	matrix.Row(t, 12, "%d bits flipped all over the files: check finds %d, in %v; the others change nothing that is read; each store is salvaged", n, total, found)
}

// TestSalvageWithout removes one file at a time and salvages the rest. Without a table that has the latest records of sets, the older ones, in
// other tables, look whole: Salvage must say so.
func TestSalvageWithout(t *testing.T) {
	f, d, published, err := sampleStore(2)
	require.NoError(t, err)
	whole, err := salvaged(f, d, published)
	require.NoError(t, err)
	require.Empty(t, whole.Source.Problems)
	require.Empty(t, whole.Sets)
	require.False(t, whole.Stale)
	require.EqualValues(t, len(d.history)-1, whole.Copy.LastSeq)
	for path := range f {
		rep, err := checkDir(f.with(path, nil), CheckOptions{})
		require.NoError(t, err, path)
		done, err := salvaged(f.with(path, nil), d, published)
		if done.Stale && strings.HasSuffix(path, ".sst") && errors.Is(err, errOther) {
			err = nil
		}
		require.NoError(t, err, path)
		require.Equal(t, rep.Problems, done.Source.Problems, path)
		t.Logf("without %s: %d problems, %d commits, %d of %d sets whole", path, len(rep.Problems), done.Copy.LastSeq,
			done.Copy.Sets-len(done.Sets), whole.Copy.Sets)
	}
}

// TestSalvageWithoutTable is TestSalvageWithout of a store with a table for each snapshot.
func TestSalvageWithoutTable(t *testing.T) {
	fs := MemFS()
	s, err := open("db", Options{FS: fs}, small)
	require.NoError(t, err)
	d := newDriver(s, 2)
	var published uint64
	for range 6 {
		require.NoError(t, errors.Join(d.commit(40), d.snapshot(true), s.log.DB.Pebble.Flush()))
		published = s.LastSeq()
	}
	require.NoError(t, errors.Join(d.commit(60), s.log.DB.Pebble.Flush(), s.Close()))
	f, err := filesOf(fs, "db")
	require.NoError(t, err)
	others := 0
	for path := range f {
		if !strings.HasSuffix(path, ".sst") {
			continue
		}
		done, err := salvaged(f.with(path, nil), d, published)
		require.True(t, done.Stale, path)
		if errors.Is(err, errOther) {
			others, err = others+1, nil
		}
		require.NoError(t, err, path)
	}
	require.Positive(t, others)
}

// TestSalvageLog deletes a group from the middle of the log. Restore must refuse the store, and the copy of Salvage must end before the
// missing group.
func TestSalvageLog(t *testing.T) {
	fs := MemFS()
	s := mustOpen(t, fs, Options{})
	d := newDriver(s, 4)
	require.NoError(t, d.commit(30))
	require.NoError(t, d.snapshot(true))
	for range 30 {
		require.NoError(t, d.commit(1))
	}
	require.NoError(t, s.log.DB.Pebble.Delete(format.KeyLog(s.LastSeq()-10), pebble.Sync))
	require.NoError(t, s.Close())
	_, err := Restore(t.Context(), "db", "never", Options{FS: fs})
	require.ErrorIs(t, err, ErrCorrupt)
	done, err := Salvage(t.Context(), "db", "new", Options{FS: fs})
	require.NoError(t, err)
	require.Equal(t, 10, done.Dropped)
	require.False(t, done.Prefix(), "private keys may be newer")
	require.True(t, done.PrivateAhead)
	require.LessOrEqual(t, len(done.Sets), 1, "only the set that the snapshot has written last may hold later commits")
	require.Equal(t, s.LastSeq()-11, done.Copy.LastSeq)
	_, err = Salvage(t.Context(), "db", "new", Options{FS: fs})
	require.ErrorIs(t, err, ErrExists)
	s = mustOpenAt(t, fs, "new")
	w, err := read(s)
	require.NoError(t, err)
	want, _ := d.at(s.LastSeq())
	got, expected := pieces(w.String()), pieces(want)
	delete(got, "private")
	delete(expected, "private")
	for _, set := range done.Sets {
		require.Equal(t, s.LastSeq()+1, set.Ahead)
	}
	require.Equal(t, expected, got, "the set is as it was: its pages were published before the gap")
	require.NoError(t, s.Close())
}

func mustOpenAt(t *testing.T, fs FS, dir string) *Store {
	t.Helper()
	s, err := Open(dir, Options{FS: fs, MustExist: true})
	require.NoError(t, err)
	return s
}

// FuzzCheck changes one piece of one file of a store. Check must report it, or the data must read correctly. Salvage must give an
// undamaged store, and nothing may panic.
func FuzzCheck(f *testing.F) {
	sample, _, _, err := sampleStore(3)
	require.NoError(f, err)
	names := sample.names()
	f.Add(uint16(0), uint32(9), []byte("x"))
	f.Add(uint16(1), uint32(30), []byte{})
	f.Fuzz(func(t *testing.T, file uint16, at uint32, piece []byte) {
		path := names[int(file)%len(names)]
		b := slices.Clone(sample[path])
		at %= uint32(len(b))
		if copy(b[at:], piece); len(piece) == 0 {
			b = b[:at]
		}
		fs, err := sample.with(path, b).fs()
		require.NoError(t, err)
		im, err := OpenImage("db", Options{FS: fs})
		if errors.Is(err, ErrNewerFormat) {
			return
		}
		require.NoError(t, err)
		_, err = im.Check(t.Context(), CheckOptions{})
		require.NoError(t, errors.Join(err, im.Close()))
		_, err = Salvage(t.Context(), "db", "new", Options{FS: fs})
		require.NoError(t, err)
	})
}
