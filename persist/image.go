package persist

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// Image is a store at one moment, to be read only: of an open store, while commits and snapshots go on, or of a directory
// that nobody has open, damaged or not. It is for one goroutine.
type Image struct {
	db     pebble.Reader
	tables func() ([]tableFile, error) // that Pebble counts on at this moment; nil: none
	close  func() error
	id     storeID   // as IDENTITY says; zero: it says nothing
	found  []Problem // what was wrong already when it was opened
	// refused is why Open would not open the directory; nil: it would, or the store is open.
	refused error
}

// imageOfLog returns an image of an open store that holds every commit appended before. The files it needs stay until it is closed,
// which must be before the store is. Errors: ErrPersistence, ErrClosed.
func imageOfLog(l *Log) (*Image, error) {
	if err := l.Flush(); err != nil {
		return nil, err
	}
	if err := l.DB.acquire(); err != nil {
		return nil, err
	}
	snapshot := l.DB.db.NewSnapshot()
	return &Image{
		db:     snapshot,
		tables: func() ([]tableFile, error) { return tableFiles(l.DB) },
		close:  func() error { defer l.DB.release(); return snapshot.Close() },
		id:     l.DB.id,
	}, nil
}

// openImage opens the store in a directory that nobody has open, and changes no file there but those called LOCK. What is damaged shows in Check; where not even Pebble opens, the image has what its tables and logs
// still give, in memory. Errors: ErrLocked, ErrNotStore, ErrNewerFormat, the file system's. O(log).
func openImage(dir string, c Config) (*Image, error) {
	d := NewDB(dir, c)
	if !holdsStore(d.fs, d.dir) {
		return nil, fmt.Errorf("%w: %s", ErrNotStore, dir)
	}
	lock, err := lockDir(d.fs, d.dir)
	if err != nil {
		return nil, err
	}
	_, refused := preflight(d)
	im, err := openDatabase(d, identityName)
	if im != nil && err != nil { // not even Pebble opens it
		im.problem(dbName, "%v", err)
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
	for _, name := range []string{dbName, identityName} {
		if _, err := fs.Stat(fs.PathJoin(dir, name)); err == nil {
			return true
		}
	}
	return false
}

// openDatabase opens the directory of a store that was not opened otherwise; the file called identity says which one it is. With
// an error of Pebble's comes what else is known.
func openDatabase(d *DB, identity string) (*Image, error) {
	im := &Image{}
	n, err := readIdentityFile(d.fs, d.fs.PathJoin(d.dir, identity))
	if errors.Is(err, ErrNewerFormat) {
		return nil, err
	}
	if err != nil {
		im.problem(identity, "%v", err)
	}
	im.id = n.id
	o := d.pebbleOptions(pebbleReadOnly)
	err = d.guard(func() (err error) {
		d.db, err = pebble.Open(d.fs.PathJoin(d.dir, dbName), o)
		return err
	})
	if err != nil {
		return im, fmt.Errorf("persist: Pebble does not open it: %w", err)
	}
	im.db, im.close = d.db, d.db.Close
	im.tables = func() ([]tableFile, error) { return tableFiles(d) }
	if err := d.checkJoined(); err != nil {
		im.found = append(im.found, problemOf(dbName, err))
	}
	return im, nil
}

// readIdentityFile reads a file of the form of IDENTITY.
func readIdentityFile(fs vfs.FS, name string) (identity, error) {
	f, err := fs.Open(name)
	if errors.Is(err, os.ErrNotExist) {
		return identity{}, errors.New("the file is missing")
	}
	if err != nil {
		return identity{}, err
	}
	defer f.Close()
	v, err := io.ReadAll(io.LimitReader(f, identitySize+1))
	if err != nil {
		return identity{}, err
	}
	n, err := decodeIdentity(v)
	return n, named(err, func() string { return identityName })
}

// hash returns what a group of this store says is its store. Where nothing says which store this is, a group's word counts.
func (im *Image) hash(g group) uint32 {
	if im.id == (storeID{}) {
		return g.store
	}
	return im.id.hash()
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
	err := scan(im.db, from, to, nameOf(from), func(key, value []byte) (bool, error) {
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
		value, ok, err := get(im.db, key, nameOf(key))
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
func tableFiles(d *DB) ([]tableFile, error) {
	levels, err := d.db.SSTables()
	if err != nil {
		return nil, err
	}
	var files []tableFile
	for _, tables := range levels {
		for _, t := range tables {
			name := d.fs.PathJoin(dbName, fmt.Sprintf("%06d.sst", uint64(t.BackingSSTNum)))
			open := func() (vfs.File, error) { return d.fs.Open(d.fs.PathJoin(d.dir, name)) }
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
