package image

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/zrankdb/zrank/persist/internal/commitlog"
	"github.com/zrankdb/zrank/persist/internal/errs"
	"github.com/zrankdb/zrank/persist/internal/format"
	"github.com/zrankdb/zrank/persist/internal/pebbledb"
	"github.com/zrankdb/zrank/persist/internal/recovery"
	"github.com/zrankdb/zrank/persist/internal/storedir"
)

// Image is a store at one moment, to be read only: of an open store, while commits and snapshots go on, or of a directory
// that is not open, damaged or not. It is for one goroutine.
type Image struct {
	db     pebble.Reader
	tables func() ([]tableFile, error) // that Pebble counts on at this moment; nil: none
	close  func() error
	id     format.StoreID // as IDENTITY says; zero: it says nothing
	found  []Problem      // what was wrong already when it was opened
	// refused is why Open would not open the directory; nil: it would, or the store is open.
	refused error
}

// Of returns an image of an open store that holds every commit appended before. The files it needs stay until it is closed,
// which must be before the store is. Errors: ErrPersistence, ErrClosed.
func Of(l *commitlog.Log) (*Image, error) {
	if err := l.Flush(); err != nil {
		return nil, err
	}
	if err := l.DB.Acquire(); err != nil {
		return nil, err
	}
	snapshot := l.DB.Pebble.NewSnapshot()
	return &Image{
		db:     snapshot,
		tables: func() ([]tableFile, error) { return tableFiles(l.DB) },
		close:  func() error { defer l.DB.Release(); return snapshot.Close() },
		id:     l.DB.ID,
	}, nil
}

// Open opens the store in a directory that is not open, and changes no file there but LOCK. Damage shows in Check; where Pebble does
// not open, the image holds what its tables and logs still give, in memory. Errors: ErrLocked, ErrNotStore, ErrNewerFormat, the file
// system's. O(log).
func Open(dir string, c pebbledb.Config) (*Image, error) {
	d := pebbledb.New(dir, c)
	if !holdsStore(d.FS, d.Dir) {
		return nil, fmt.Errorf("%w: %s", errs.ErrNotStore, dir)
	}
	lock, err := storedir.Lock(d.FS, d.Dir)
	if err != nil {
		return nil, err
	}
	_, refused := recovery.Preflight(d)
	im, err := openDatabase(d, storedir.IdentityName)
	if im != nil && err != nil { // not even Pebble opens it
		im.problem(storedir.DBName, "%v", err)
		err = openRaw(d, im)
	}
	if im != nil {
		im.refused = refused
	}
	if err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	closeDB := im.close
	im.close = func() error { return errors.Join(closeDB(), lock.Close()) }
	return im, nil
}

// holdsStore reports whether a directory looks like a store, whole or not.
func holdsStore(fs vfs.FS, dir string) bool {
	for _, name := range []string{storedir.DBName, storedir.IdentityName} {
		if _, err := fs.Stat(fs.PathJoin(dir, name)); err == nil {
			return true
		}
	}
	return false
}

// openDatabase opens the directory of a store that was not opened otherwise; the file called identity says which one it is. With
// an error of Pebble's comes what else is known.
func openDatabase(d *pebbledb.DB, identity string) (*Image, error) {
	im := &Image{}
	n, err := readIdentityFile(d.FS, d.FS.PathJoin(d.Dir, identity))
	if errors.Is(err, errs.ErrNewerFormat) {
		return nil, err
	}
	if err != nil {
		im.problem(identity, "%v", err)
	}
	im.id = n.ID
	o := d.PebbleOptions(pebbledb.ReadOnly)
	err = d.Guard(func() (err error) {
		d.Pebble, err = pebble.Open(d.FS.PathJoin(d.Dir, storedir.DBName), o)
		return err
	})
	if err != nil {
		return im, fmt.Errorf("persist: Pebble does not open it: %w", err)
	}
	im.db, im.close = d.Pebble, d.Pebble.Close
	im.tables = func() ([]tableFile, error) { return tableFiles(d) }
	if err := d.CheckBatchNumbers(); err != nil {
		im.found = append(im.found, problemOf(storedir.DBName, err))
	}
	return im, nil
}

// readIdentityFile reads a file of the form of IDENTITY.
func readIdentityFile(fs vfs.FS, name string) (storedir.Identity, error) {
	f, err := fs.Open(name)
	if errors.Is(err, os.ErrNotExist) {
		return storedir.Identity{}, errors.New("the file is missing")
	}
	if err != nil {
		return storedir.Identity{}, err
	}
	defer f.Close()
	v, err := io.ReadAll(io.LimitReader(f, storedir.IdentitySize+1))
	if err != nil {
		return storedir.Identity{}, err
	}
	n, err := storedir.DecodeIdentity(v)
	return n, errs.WithKey(err, func() string { return storedir.IdentityName })
}

// hash returns what a group of this store says is its store. Where nothing says which store this is, a group's word counts.
func (im *Image) hash(g format.Group) uint32 {
	if im.id == (format.StoreID{}) {
		return g.Store
	}
	return im.id.Hash()
}

// Close ends the image.
func (im *Image) Close() error { return im.close() }

func (im *Image) problem(where, format string, args ...any) {
	im.found = append(im.found, Problem{where, fmt.Sprintf(format, args...)})
}

// walk is scan that goes on behind what cannot be read, from the other end. It tells lost of the stretch that it leaves out;
// to is nil for the end of the space. It stops at an error of fn.
func (im *Image) walk(from, to []byte, fn func(key, value []byte) error, lost func(from, to []byte, err error)) error {
	at := from
	var failed error
	err := pebbledb.Scan(im.db, from, to, format.NameOf(from), func(key, value []byte) (bool, error) {
		at = append(bytes.Clone(key), 0)
		failed = fn(key, value)
		return true, failed
	})
	if err == nil || failed != nil {
		return failed
	}
	behind := im.keysBehind(at, to)
	if len(behind) == 0 {
		lost(at, nil, err)
		return nil
	}
	lost(at, behind[len(behind)-1], err)
	for _, key := range slices.Backward(behind) {
		value, ok, err := pebbledb.Get(im.db, key, format.NameOf(key))
		if err != nil {
			lost(key, key, err)
		} else if ok {
			failed = fn(key, value)
		}
		if failed != nil {
			return failed
		}
	}
	return nil
}

// keysBehind returns the keys in [from, to) from the last one back to where they cannot be read.
func (im *Image) keysBehind(from, to []byte) (keys [][]byte) {
	it, err := im.db.NewIter(&pebble.IterOptions{LowerBound: from, UpperBound: to})
	if err != nil {
		return nil
	}
	for it.Last(); it.Valid(); it.Prev() {
		keys = append(keys, bytes.Clone(it.Key()))
	}
	_ = it.Close() // says again why it ended
	return keys
}

// tableFile is one of Pebble's tables.
type tableFile struct {
	name string
	open func() (vfs.File, error)
}

// tableFiles lists Pebble's tables.
func tableFiles(d *pebbledb.DB) ([]tableFile, error) {
	levels, err := d.Pebble.SSTables()
	if err != nil {
		return nil, err
	}
	var files []tableFile
	for _, tables := range levels {
		for _, t := range tables {
			name := d.FS.PathJoin(storedir.DBName, fmt.Sprintf("%06d.sst", uint64(t.BackingSSTNum)))
			open := func() (vfs.File, error) { return d.FS.Open(d.FS.PathJoin(d.Dir, name)) }
			files = append(files, tableFile{name, open})
		}
	}
	return files, nil
}

// verify reads every block of a table, those too that hold only what has been deleted since: what reads them next is a
// compaction, and then the store fails.
func (t tableFile) verify() error {
	f, err := t.open()
	if err != nil {
		return err
	}
	return safely(func() error {
		r, err := openTable(f)
		if err != nil {
			return err
		}
		return errors.Join(r.ValidateBlockChecksums(), r.Close())
	})
}
