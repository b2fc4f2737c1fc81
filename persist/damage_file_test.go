package persist

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/matrix"
	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/persist/internal/format"
	"github.com/zrankdb/zrank/persist/internal/recovery"
	"github.com/zrankdb/zrank/persist/internal/storedir"
	"github.com/zrankdb/zrank/persist/wal"
)

// settled returns a victim with snapshots, tables and a log, as a kill has left it.
func settled(seed uint64) (*victim, error) {
	return newVictim(seed, small, func(d *driver) error {
		for range 6 {
			if err := errors.Join(d.commit(30), d.snapshot(true)); err != nil {
				return err
			}
		}
		return errors.Join(d.commit(20), d.s.log.DB.Pebble.Flush(), d.commit(5), markNow(d))
	})
}

// change is one damage to a disk.
type change struct {
	name string
	do   func(fs *memfs.FS) error
}

func (r *damages) all(v *victim, changes []change) {
	r.each(v, len(changes), func(i int) (string, func(fs *memfs.FS) error) { return changes[i].name, changes[i].do })
}

// everywhere lists flips, cuts and cleared blocks at n places of a file, and its deletion.
func everywhere(fs FS, path string, n int) (out []change) {
	size := 0
	if v, err := storedir.ReadWhole(fs, path); err == nil {
		size = len(v)
	}
	add := func(name string, at int, how func(v []byte) []byte) {
		out = append(out, change{fmt.Sprintf("%s %s at %d of %d", name, path, at, size), func(fs *memfs.FS) error { return edit(fs, path, how) }})
	}
	n = min(n, size)
	for i := range n {
		at := i * size / n
		add("flip", at, flip(at, byte(i)))
		if i%4 == 0 {
			add("cut", at, cut(at))
			add("clear", at, zero(at))
		}
	}
	return append(out, change{"delete " + path, func(fs *memfs.FS) error { return fs.Remove(path) }})
}

// damageTables damages every table.
func damageTables(n int) (*damages, error) {
	r := &damages{}
	v, err := newVictim(12, nil, func(d *driver) error {
		return errors.Join(d.commit(300), d.snapshot(true), d.s.log.DB.Pebble.Flush(), d.commit(5), markNow(d))
	})
	if err != nil {
		return r, err
	}
	for _, path := range filesLike(v.disk, ".sst") {
		r.all(v, everywhere(v.disk, path, n))
	}
	return r, r.err(0)
}

func TestDamagedTables(t *testing.T) {
	r, err := damageTables(matrix.Pick(6, 400))
	require.NoError(t, err)
	require.Positive(t, r.count[refused])
	require.Positive(t, r.count[partly])
	matrix.Row(t, 12, "tables flipped, cleared, cut, deleted: %v", r)
}

// TestDamagedTableHarmsNoOtherSet damages a page of one of three sets. Reading that set must fail with the page's name, and the other
// sets must be readable.
func TestDamagedTableHarmsNoOtherSet(t *testing.T) {
	fs := memfs.NewCrashable()
	s, err := open("db", Options{FS: fs}, nil)
	require.NoError(t, err)
	mustAppend(t, s, func(b *Batch) { b.Create("a", nil); b.Create("b", nil); b.Create("c", nil) })
	sn, err := s.Snapshot(1)
	require.NoError(t, err)
	for _, set := range []string{"a", "b", "c"} {
		page := strings.Repeat(set, 100<<10) // large enough to be alone in a block
		require.NoError(t, sn.WriteSet(set, nil, 1, 1, pagesOf(page, page)))
	}
	require.NoError(t, sn.Publish())
	rec := setRecord(t, s, "b")
	at, _ := format.PlacesOf(&rec.stored).Next()
	key := format.KeyPage(at.Snapshot, at.ID, 1)
	v, _, err := s.log.DB.Get(key, format.NameOf(key))
	require.NoError(t, err)
	require.NoError(t, s.Close())
	raw(t, fs, func(db *pebble.DB) { v[100]++; require.NoError(t, db.Set(key, v, pebble.Sync)) })
	s, err = open("db", Options{FS: fs}, nil)
	require.NoError(t, err)
	for r, err := range s.Sets() {
		require.NoError(t, err)
		_, err := allPages(s, r)
		if r.Key != "b" {
			require.NoError(t, err, r.Key)
			continue
		}
		require.ErrorIs(t, err, ErrCorrupt)
		require.ErrorContains(t, err, fmt.Sprintf("p/%d/%d/1", at.Snapshot, at.ID))
	}
	require.NoError(t, s.Close())
	matrix.Row(t, 12, "1 of 3 sets with a damaged page: reported by its name, 2 read")
}

// damageManifest damages the current MANIFEST. All of it was flushed, so all of it must be seen.
func damageManifest(n int) (*damages, error) {
	r := &damages{}
	v, err := settled(13)
	if err != nil {
		return r, err
	}
	manifests := filesLike(v.disk, "MANIFEST-") // an older one may be on its way out
	r.all(v, everywhere(v.disk, manifests[len(manifests)-1], n))
	if err = r.err(0); err == nil && r.count[refused] != r.tried() {
		err = fmt.Errorf("not all refused: %v", r)
	}
	return r, err
}

// damageRow does damage, and records what came of it.
func damageRow(t *testing.T, row int, format string, do func() (*damages, error)) {
	r, err := do()
	require.NoError(t, err)
	matrix.Row(t, row, format, r)
}

func TestDamagedManifest(t *testing.T) {
	damageRow(t, 13, "manifest flipped, cleared, cut, deleted: %v", func() (*damages, error) { return damageManifest(matrix.Pick(60, 1<<20)) })
}

// damageNames deletes, renames and damages the files that tell Pebble which files to use, such as markers.
func damageNames(n int) (*damages, error) {
	r := &damages{}
	v, err := settled(14)
	if err != nil {
		return r, err
	}
	for _, path := range filesLike(v.disk, "marker.") {
		var changes []change
		changes = append(changes, everywhere(v.disk, path, 0)...)
		for i := len("db/db/marker."); i < len(path); i++ {
			if path[i] == '.' {
				continue // its neighbour is the slash
			}
			to := path[:i] + string(path[i]^1) + path[i+1:]
			changes = append(changes, change{path + " becomes " + to, func(fs *memfs.FS) error { return fs.Rename(path, to) }})
		}
		r.all(v, changes)
	}
	for _, path := range filesLike(v.disk, "OPTIONS-") {
		r.all(v, everywhere(v.disk, path, n))
	}
	return r, r.err(0)
}

func TestDamagedMarkersAndOptions(t *testing.T) {
	damageRow(t, 14, "markers lost or renamed, OPTIONS flipped, cut, lost: %v (silent empty databases: 0)", func() (*damages, error) { return damageNames(matrix.Pick(20, 1<<20)) })
}

// loseFiles deletes, empties or replaces the log, the database or parts of it. Open must refuse each of these stores.
func loseFiles() (*damages, error) {
	r := &damages{}
	v, err := newVictim(15, nil, both(grow(50, 100), markNow))
	if err != nil {
		return r, err
	}
	path, _ := v.liveLog()
	r.all(v, []change{
		{"log deleted", func(fs *memfs.FS) error { return fs.Remove(path) }},
		{"log emptied", func(fs *memfs.FS) error { return edit(fs, path, cut(0)) }},
		{"log cleared", func(fs *memfs.FS) error {
			return edit(fs, path, func(v []byte) []byte { return make([]byte, len(v)) })
		}},
		{"db deleted", func(fs *memfs.FS) error { return fs.RemoveAll("db/db") }},
		{"db emptied", func(fs *memfs.FS) error { return errors.Join(fs.RemoveAll("db/db"), fs.MkdirAll("db/db", 0o755)) }},
		{"only the markers left", func(fs *memfs.FS) error {
			names, err := fs.List("db/db")
			for _, n := range names {
				if !strings.HasPrefix(n, "marker.") {
					err = errors.Join(err, fs.Remove("db/db/"+n))
				}
			}
			return err
		}},
		{"only IDENTITY left", func(fs *memfs.FS) error {
			return errors.Join(fs.RemoveAll("db/db"), fs.Remove("db/HWM"))
		}},
		{"another store's db", func(fs *memfs.FS) error {
			other, err := newVictim(16, nil, grow(50, 100))
			if err != nil {
				return err
			}
			return errors.Join(fs.RemoveAll("db/db"), copyTree(other.disk, "db/db", fs))
		}},
	})
	if err = r.err(0); err == nil && r.count[refused] != r.tried() {
		err = fmt.Errorf("not all refused: %v", r)
	}
	return r, err
}

// copyTree copies a directory from one disk to another and overwrites existing files.
func copyTree(from FS, dir string, to FS) error {
	names, err := from.List(dir)
	err = errors.Join(err, to.MkdirAll(dir, 0o755))
	for _, n := range names {
		path := from.PathJoin(dir, n)
		if info, statErr := from.Stat(path); statErr == nil && info.IsDir() {
			err = errors.Join(err, copyTree(from, path, to))
		} else {
			err = errors.Join(err, keepFile(from, path, to))
		}
	}
	return err
}

func TestLostFiles(t *testing.T) {
	damageRow(t, 15, "log or db lost: %v", loseFiles)
}

// mixCopies replaces files of a store, one at a time, by those of an older copy, and of a copy with a different history. Files with the
// same name and bytes do no harm, and neither do files that Pebble does not use any more.
func mixCopies() (*damages, error) {
	r := &damages{}
	older, err := newVictim(16, nil, both(grow(30, 100), markNow))
	if err != nil {
		return r, err
	}
	here, err := older.goOn(grow(40, 100))
	if err != nil {
		return r, err
	}
	there, err := older.goOn(grow(40, 200))
	if err != nil {
		return r, err
	}
	for what, from := range map[string]*victim{"older": older, "other": there} {
		names, _ := from.disk.List("db/db")
		var changes []change
		for _, n := range append(names, "../HWM", "../IDENTITY") {
			path := from.disk.PathJoin("db/db", n)
			if info, err := from.disk.Stat(path); err != nil || info.IsDir() || n == storedir.LockName {
				continue
			}
			changes = append(changes, change{what + " " + path, func(fs *memfs.FS) error { return keepFile(from.disk, path, fs) }})
		}
		changes = append(changes, change{what + " db", func(fs *memfs.FS) error {
			return errors.Join(fs.RemoveAll("db/db"), copyTree(from.disk, "db/db", fs))
		}})
		r.all(here, changes)
	}
	return r, r.err(0)
}

// goOn opens a copy of the victim, runs fill on it, and returns a victim with the resulting disk.
func (v *victim) goOn(fill func(d *driver) error) (*victim, error) {
	mem := v.copy()
	s, err := open("db", Options{FS: mem}, nil)
	if err != nil {
		return nil, err
	}
	d := newDriver(s, 0)
	d.history = append([]string(nil), v.d.history...)
	d.acked.Store(v.d.acked.Load())
	if d.w, err = read(s); err == nil {
		err = errors.Join(fill(d), markNow(d))
	}
	out := &victim{disk: mem.CrashClone(vfs.CrashCloneCfg{}), d: d}
	return out, errors.Join(err, s.Close())
}

func TestStaleFilePutBack(t *testing.T) {
	r, err := mixCopies()
	require.NoError(t, err)
	require.Positive(t, r.count[refused])
	matrix.Row(t, 16, "single files and db of an older copy and of a forked one put back: %v", r)
}

// damageMark damages the high-water mark and IDENTITY. Damage to one slot of the mark must do no harm; Open must refuse all other damage.
func damageMark(n int) (one, all *damages, err error) {
	one, all = &damages{}, &damages{}
	v, err := settled(17)
	if err != nil {
		return one, all, err
	}
	for slot := range 2 {
		for i := range len(storedir.Mark{}.Encode()) {
			at := slot*markStride + i
			one.all(v, []change{{fmt.Sprintf("flip HWM at %d", at), func(fs *memfs.FS) error { return edit(fs, "db/HWM", flip(at, byte(i))) }}})
		}
	}
	one.all(v, []change{{"HWM cut", func(fs *memfs.FS) error { return edit(fs, "db/HWM", cut(len(storedir.Mark{}.Encode()))) }}})
	all.all(v, append(everywhere(v.disk, "db/IDENTITY", n),
		change{"HWM deleted", func(fs *memfs.FS) error { return fs.Remove("db/HWM") }},
		change{"HWM emptied", func(fs *memfs.FS) error { return edit(fs, "db/HWM", cut(0)) }},
		change{"both slots flipped", func(fs *memfs.FS) error {
			return errors.Join(edit(fs, "db/HWM", flip(50, 0)), edit(fs, "db/HWM", flip(markStride+50, 0)))
		}},
		change{"HWM of another store", func(fs *memfs.FS) error {
			_, err := storedir.WriteMarkFile(fs, "db", storedir.Mark{Store: format.StoreID{1, 2, 3}, Counter: 4, Durable: 5})
			return err
		}}))
	if err = errors.Join(one.err(0), all.err(0)); err == nil && (one.count[whole] != one.tried() || all.count[refused] != all.tried()) {
		err = fmt.Errorf("one slot: %v; more: %v", one, all)
	}
	return one, all, err
}

func TestDamagedHighWaterMarkAndIdentity(t *testing.T) {
	one, all, err := damageMark(40)
	require.NoError(t, err)
	matrix.Row(t, 17, "one slot of HWM damaged: %v", one)
	matrix.Row(t, 17, "both, HWM lost or another store's, IDENTITY damaged: %v", all)
}

// TestDamageOnDisk repeats some damage tests on the operating system's file system.
func TestDamageOnDisk(t *testing.T) {
	dir := t.TempDir()
	create(t, dir)
	s, err := Open(dir, Options{}) // writes a table of what the log has
	require.NoError(t, err)
	mustAppend(t, s, put("a", "m", "w"))
	require.NoError(t, s.Close())
	logs, err := os.ReadDir(dir + "/db")
	require.NoError(t, err)
	for _, f := range logs {
		if strings.HasSuffix(f.Name(), recovery.WalSuffix) {
			require.NoError(t, os.Truncate(dir+"/db/"+f.Name(), 0))
		}
	}
	before := tree(t, dir)
	_, err = Open(dir, Options{})
	var loss *wal.DataLossError
	require.ErrorAs(t, err, &loss)
	require.ErrorIs(t, err, ErrDataLoss)
	require.Equal(t, uint64(2), loss.Want)
	require.Equal(t, uint64(1), loss.Have)
	require.Equal(t, before, tree(t, dir))
}

// markStride is the distance of the two slots in HWM.
const markStride = 4096
