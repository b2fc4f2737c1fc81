package persist

import (
	"errors"
	"iter"

	"github.com/cockroachdb/pebble/v2"
)

func (d *DB) get(key []byte, name func() string) ([]byte, bool, error) {
	return get(d.db, key, name)
}

// get returns a copy of the value of a key; nil, false: it is not there.
func get(db pebble.Reader, key []byte, name func() string) ([]byte, bool, error) {
	v, c, err := db.Get(key)
	if errors.Is(err, pebble.ErrNotFound) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, readError(err, name)
	}
	out := append(make([]byte, 0, len(v)), v...)
	return out, true, c.Close()
}

// must returns the value of a key that a store cannot be without.
func (d *DB) must(key []byte) ([]byte, error) {
	v, ok, err := d.get(key, nameOf(key))
	if err == nil && !ok {
		err = &CorruptError{Key: string(key), Reason: "the record is missing"}
	}
	return v, err
}

func (d *DB) scan(from, to []byte, name func() string, fn func(key, value []byte) (bool, error)) error {
	return scan(d.db, from, to, name, fn)
}

// scan calls fn with each key in [from, to) in order, and its value, until fn returns false or an error. Both are valid
// during the call only.
func scan(db pebble.Reader, from, to []byte, name func() string, fn func(key, value []byte) (bool, error)) (err error) {
	it, err := db.NewIter(&pebble.IterOptions{LowerBound: from, UpperBound: to})
	if err != nil {
		return readError(err, name)
	}
	defer func() { // Close returns what stopped the iterator
		if closeErr := it.Close(); err == nil && closeErr != nil {
			err = readError(closeErr, name)
		}
	}()
	for it.First(); it.Valid(); it.Next() {
		v, err := it.ValueAndErr()
		if err != nil {
			return readError(err, name)
		}
		if more, err := fn(it.Key(), v); err != nil || !more {
			return err
		}
	}
	return nil
}

// seq2 makes an iterator of a function that reads and yields. The store stays open while it runs; a Close ends it with
// ErrClosed at its next step.
func seq2[T any](d *DB, read func(yield func(T) (bool, error)) error) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var zero T
		if err := d.acquire(); err != nil {
			yield(zero, err)
			return
		}
		defer d.release()
		err := read(func(v T) (bool, error) {
			if d.isClosing() {
				return false, ErrClosed
			}
			return yield(v, nil), nil
		})
		if err != nil {
			yield(zero, err)
		}
	}
}
