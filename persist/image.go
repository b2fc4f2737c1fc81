package persist

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/sstable"
	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/zrankdb/zrank/persist/internal/format"
	"github.com/zrankdb/zrank/persist/internal/pebbledb"
	"github.com/zrankdb/zrank/persist/internal/storedir"
	"github.com/zrankdb/zrank/persist/wal"
)

// Image is a read-only view of a store at one moment. The store may be open, with commits and snapshots going on, or a closed
// directory, even a damaged one. It is for one goroutine.
type Image struct {
	db       pebble.Reader
	tables   func() ([]tableFile, error) // lists the tables that Pebble uses now; nil: there are none
	close    func() error
	id       format.StoreID // from IDENTITY; zero: unknown
	problems []Problem      // found while the image was opened
	stale    bool           // some of Pebble's writes may be missing, so that what is read may be an earlier state
	refused  error          // why Open would not open the directory; nil: it would, or the store is open
}

// hash returns the hash of the store's id, which every group of the store has. If the id is unknown, it returns the group's own value.
func (im *Image) hash(g format.Group) uint32 {
	if im.id == (format.StoreID{}) {
		return g.Store
	}
	return im.id.Hash()
}

// Close ends the image.
func (im *Image) Close() error { return im.close() }

func (im *Image) problem(where, format string, args ...any) {
	im.problems = append(im.problems, Problem{where, fmt.Sprintf(format, args...)})
}

// walk calls fn with the keys in [from, to) and their values, in order. If a key cannot be read, it reads the keys behind the damage
// backward from to, and then calls fn with those, in order. It calls lost with the range that it leaves out; the end of the range is
// nil if nothing behind the damage can be read. It stops at an error of fn.
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

// keysBehind reads the keys in [from, to) backward, from the last one to the first unreadable one, and returns them in that order.
func (im *Image) keysBehind(from, to []byte) (keys [][]byte) {
	it, err := im.db.NewIter(&pebble.IterOptions{LowerBound: from, UpperBound: to})
	if err != nil {
		return nil
	}
	for it.Last(); it.Valid(); it.Prev() {
		keys = append(keys, bytes.Clone(it.Key()))
	}
	_ = it.Close() // returns the damage that the caller knows
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

// verify reads every block of a table, including blocks of deleted keys: if the next compaction cannot read them, the store fails.
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
	What  string // what is wrong
}

// String returns both in one line.
func (p Problem) String() string { return p.Where + ": " + p.What }

func problemOf(where string, err error) Problem {
	if e, ok := err.(*wal.CorruptError); ok && (e.Key == "" || e.Key == where) {
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

// safely calls f and turns a panic into an error. Pebble's readers panic at malformed data whose checksum is valid.
func safely(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	return f()
}
