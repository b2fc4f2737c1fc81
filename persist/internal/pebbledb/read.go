package pebbledb

import (
	"errors"
	"iter"
	"math"

	"github.com/cockroachdb/pebble/v2"

	"github.com/zrankdb/zrank/persist/internal/errs"
	"github.com/zrankdb/zrank/persist/internal/format"
	"github.com/zrankdb/zrank/persist/wal"
)

// Get returns a copy of the value of a key; false: it does not exist.
func (d *DB) Get(key []byte, name func() string) ([]byte, bool, error) {
	return Get(d.Pebble, key, name)
}

// Get returns a copy of the value of a key; false: it does not exist. name names the key in errors.
func Get(db pebble.Reader, key []byte, name func() string) ([]byte, bool, error) {
	v, c, err := db.Get(key)
	if errors.Is(err, pebble.ErrNotFound) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, errs.ReadError(err, name)
	}
	out := append(make([]byte, 0, len(v)), v...)
	return out, true, c.Close()
}

// Must returns the value of a key that every store has; it is an error if the key is missing.
func (d *DB) Must(key []byte) ([]byte, error) {
	v, ok, err := d.Get(key, format.NameOf(key))
	if err == nil && !ok {
		err = &wal.CorruptError{Key: string(key), Reason: "the record is missing"}
	}
	return v, err
}

// Scan calls the function Scan with this database.
func (d *DB) Scan(from, to []byte, name func() string, fn func(key, value []byte) (bool, error)) error {
	return Scan(d.Pebble, from, to, name, fn)
}

// Scan calls fn with each key in [from, to) in order, and its value, until fn returns false or an error. key and value are valid
// during the call only. name names the range in errors.
func Scan(db pebble.Reader, from, to []byte, name func() string, fn func(key, value []byte) (bool, error)) error {
	return scan(db, from, to, name, math.MaxInt, fn)
}

// ScanAhead is Scan of many short values: from aheadAfter on it reads ahead.
func (d *DB) ScanAhead(from, to []byte, name func() string, fn func(key, value []byte) (bool, error)) error {
	return scan(d.Pebble, from, to, name, aheadAfter, fn)
}

// scan is Scan, and reads ahead after so many pairs.
func scan(db pebble.Reader, from, to []byte, name func() string, first int, fn func(key, value []byte) (bool, error)) (err error) {
	it, err := db.NewIter(&pebble.IterOptions{LowerBound: from, UpperBound: to})
	if err != nil {
		return errs.ReadError(err, name)
	}
	defer func() { // Close returns the error that stopped the iterator
		if closeErr := it.Close(); err == nil && closeErr != nil {
			err = errs.ReadError(closeErr, name)
		}
	}()
	it.First()
	for n := 0; it.Valid() && n < first; n++ {
		v, err := it.ValueAndErr()
		if err != nil {
			return errs.ReadError(err, name)
		}
		if more, err := fn(it.Key(), v); err != nil || !more {
			return err
		}
		it.Next()
	}
	if !it.Valid() {
		return nil
	}
	return readAhead(it, name, fn)
}

// Seq2 returns an iterator over the values that read yields. Pebble stays open while the iterator runs. After a Close the iterator
// ends with ErrClosed at its next step.
func Seq2[T any](d *DB, read func(yield func(T) (bool, error)) error) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var zero T
		if err := d.Acquire(); err != nil {
			yield(zero, err)
			return
		}
		defer d.Release()
		err := read(func(v T) (bool, error) {
			if d.IsClosing() {
				return false, errs.ErrClosed
			}
			return yield(v, nil), nil
		})
		if err != nil {
			yield(zero, err)
		}
	}
}
