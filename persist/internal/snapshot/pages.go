package snapshot

import (
	"bytes"
	"errors"
	"fmt"
	"iter"

	"github.com/cockroachdb/pebble/v2"

	"github.com/zrankdb/zrank/persist/internal/errs"
	"github.com/zrankdb/zrank/persist/internal/format"
	"github.com/zrankdb/zrank/persist/internal/pebbledb"
	"github.com/zrankdb/zrank/persist/wal"
)

// Sets iterates over the sets of the last published snapshot, ordered by name. It reads one record a set and no page. A record is valid until
// the next step, its Key for ever. An error ends it: ErrCorrupt, ErrClosed. O(sets).
func Sets(d *pebbledb.DB) iter.Seq2[format.SetRecord, error] {
	from := []byte(format.PrefixSets)
	return pebbledb.Seq2(d, func(yield func(format.SetRecord) (bool, error)) error {
		return d.ScanAhead(from, format.KeyAfter(from), format.NameOf(from), func(key, value []byte) (bool, error) {
			r, err := format.ViewSetRecord(key, value)
			if err != nil {
				return false, errs.WithKey(err, format.NameSet(format.SetOf(key)))
			}
			r.Key = format.SetOf(key)
			return yield(r)
		})
	})
}

// SetsOf is Sets for some sets, whose names come in order. It leaves out the names that the snapshot does not have. O(names log n), and O(1) for
// a name that follows the one before it.
func SetsOf(d *pebbledb.DB, names []string) iter.Seq2[format.SetRecord, error] {
	from := []byte(format.PrefixSets)
	return pebbledb.Seq2(d, func(yield func(format.SetRecord) (bool, error)) error {
		return over(d, from, func(it *pebble.Iterator) error {
			for _, name := range names {
				r, ok, err := recordAt(it, name)
				if err != nil {
					return errs.ReadError(errs.WithKey(err, format.NameSet(name)), format.NameSet(name))
				}
				if !ok {
					continue
				}
				if more, err := yield(r); err != nil || !more {
					return err
				}
			}
			return nil
		})
	})
}

// recordAt moves the iterator to the record of a set, and reads it.
func recordAt(it *pebble.Iterator, name string) (r format.SetRecord, ok bool, err error) {
	key := format.KeySet(name)
	if !it.Valid() || !it.Next() || !bytes.Equal(it.Key(), key) {
		it.SeekGE(key)
	}
	if !it.Valid() || !bytes.Equal(it.Key(), key) {
		return r, false, it.Error()
	}
	v, err := it.ValueAndErr()
	if err == nil {
		r, err = format.DecodeSetRecord(key, v)
	}
	return r, err == nil, err
}

// Set returns the record of one set in the last published snapshot; ok is false if the snapshot does not have the set. Errors:
// ErrCorrupt, ErrClosed. O(log n).
func Set(d *pebbledb.DB, key string) (r format.SetRecord, ok bool, err error) {
	if err := d.Acquire(); err != nil {
		return r, false, err
	}
	defer d.Release()
	return recordOf(d, key)
}

func recordOf(d *pebbledb.DB, key string) (r format.SetRecord, ok bool, err error) {
	at := format.KeySet(key)
	v, ok, err := d.Get(at, format.NameSet(key))
	if err != nil || !ok {
		return r, false, err
	}
	r, err = format.DecodeSetRecord(at, v)
	return r, err == nil, errs.WithKey(err, format.NameSet(key))
}

// Pages iterates over the pages of a set, in order. It checks each page before it yields the page. If an error comes, the caller must
// discard what it has built from the pages. A page is valid until the next step. Errors: ErrCorrupt, with the set and the page,
// ErrStale, ErrClosed. O(bytes).
func Pages(d *pebbledb.DB, r format.SetRecord) iter.Seq2[[]byte, error] {
	return PageRange(d, r, 0, r.Pages)
}

// PageRange is Pages for the pages [from, to), counted from 0, so that several goroutines can share the work.
func PageRange(d *pebbledb.DB, r format.SetRecord, from, to int) iter.Seq2[[]byte, error] {
	return pebbledb.Seq2(d, func(yield func([]byte) (bool, error)) error {
		i := -1
		wanted := func(format.Place) bool { i++; return from <= i && i < to }
		return staleOr(d, &r, over(d, []byte(format.PrefixPages), func(it *pebble.Iterator) error { return readPages(it, &r, wanted, yield) }))
	})
}

// over calls fn with an iterator over the keys with a prefix at this moment.
func over(d *pebbledb.DB, space []byte, fn func(*pebble.Iterator) error) (err error) {
	it, err := d.Pebble.NewIter(&pebble.IterOptions{LowerBound: space, UpperBound: format.KeyAfter(space)})
	if err != nil {
		return errs.ReadError(err, format.NameOf(space))
	}
	defer func() {
		if closeErr := it.Close(); err == nil && closeErr != nil {
			err = errs.ReadError(closeErr, format.NameOf(space))
		}
	}()
	return fn(it)
}

// readPages calls fn with those pages of a set for which wanted returns true, until fn returns false. If it reads all pages of a set of
// layout 1, it also compares the checksum over all pages.
func readPages(it *pebble.Iterator, r *format.SetRecord, wanted func(format.Place) bool, fn func(page []byte) (bool, error)) (err error) {
	sum, all := uint32(0), true
	at := format.PlacesOf(r)
	for i := range r.Pages {
		p, _ := at.Next()
		if !wanted(p) {
			all = false
			continue
		}
		page, crc, err := readPage(it, p, i)
		if err != nil {
			return fmt.Errorf("persist: set %q: page %d: %w", r.Key, i, err)
		}
		sum = format.AddSum(sum, crc)
		if more, err := fn(page); err != nil || !more {
			return err
		}
	}
	if want, old := at.Sum(); old && all && sum != want {
		err = errs.Corruptf(0, "the pages have checksum %08x, the record says %08x", sum, want)
		return fmt.Errorf("persist: set %q: %w", r.Key, errs.WithKey(err, format.NameSet(r.Key)))
	}
	return nil
}

// readPage reads page i at its place and checks it. If the iterator is at the page before, readPage steps to the next key instead of
// seeking.
func readPage(it *pebble.Iterator, p format.Place, i int) (page []byte, crc uint32, err error) {
	key := format.KeyPage(p.Snapshot, p.ID, uint32(i))
	name := format.NamePage(p.Snapshot, p.ID, i)
	if i > 0 && it.Valid() && bytes.Equal(it.Key(), format.KeyPage(p.Snapshot, p.ID, uint32(i-1))) {
		it.Next()
	} else {
		it.SeekGE(key)
	}
	if !it.Valid() || !bytes.Equal(it.Key(), key) {
		if err := it.Error(); err != nil {
			return nil, 0, errs.ReadError(err, name)
		}
		return nil, 0, errs.WithKey(errs.Corruptf(0, "the page is missing"), name)
	}
	v, err := it.ValueAndErr()
	if err != nil {
		return nil, 0, errs.ReadError(err, name)
	}
	if page, crc, err = format.OpenPage(key, v); err == nil && p.Known && crc != p.CRC {
		err = errs.Corruptf(0, "page has checksum %08x, the set's record says %08x", crc, p.CRC)
	}
	return page, crc, errs.WithKey(err, name)
}

// readChecksum reads page i to get its checksum, which a table of layout 1 does not have, and returns its place with the checksum.
func readChecksum(d *pebbledb.DB, at format.Place, i int) (format.Place, error) {
	if err := d.Acquire(); err != nil {
		return at, err
	}
	defer d.Release()
	key, name := format.KeyPage(at.Snapshot, at.ID, uint32(i)), format.NamePage(at.Snapshot, at.ID, i)
	v, ok, err := d.Get(key, name)
	if err == nil && !ok {
		err = errs.Corruptf(0, "the page is missing")
	}
	if err == nil {
		_, at.CRC, err = format.OpenPage(key, v)
	}
	at.Known = true
	return at, errs.WithKey(err, name)
}

// staleOr returns err, or ErrStale if err is an ErrCorrupt and a later snapshot has replaced the set's record: then the pages were
// deleted or rewritten, not damaged.
func staleOr(d *pebbledb.DB, r *format.SetRecord, err error) error {
	if !errors.Is(err, wal.ErrCorrupt) {
		return err
	}
	now, ok, getErr := recordOf(d, r.Key)
	if getErr == nil && (!ok || !format.SameTable(&now, r)) {
		return errs.ErrStale
	}
	return err
}
