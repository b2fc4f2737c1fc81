package image

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/sstable"
	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/zrankdb/zrank/persist/internal/errs"
	"github.com/zrankdb/zrank/persist/internal/format"
	"github.com/zrankdb/zrank/persist/internal/pebbledb"
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

// Problem is one thing that is wrong with a store.
type Problem struct {
	Where string // the record or file, as in CorruptError.Key, or the set
	What  string
}

// String returns both in one line.
func (p Problem) String() string { return p.Where + ": " + p.What }

func problemOf(where string, err error) Problem {
	if e, ok := err.(*errs.CorruptError); ok && (e.Key == "" || e.Key == where) {
		return Problem{where, fmt.Sprintf("at byte %d: %s", e.Offset, e.Reason)}
	}
	return Problem{where, err.Error()}
}

// openTable opens a table for reading by itself. The reader's Close closes the file.
func openTable(f vfs.File) (*sstable.Reader, error) {
	readable, err := sstable.NewSimpleReadable(f)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	r, err := sstable.NewReader(context.Background(), readable, sstable.ReaderOptions{})
	if err != nil {
		return nil, errors.Join(err, readable.Close())
	}
	return r, nil
}

// safely turns a panic in Pebble's readers, which take the structure of what passes its checksum for granted, into an error.
func safely(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	return f()
}
