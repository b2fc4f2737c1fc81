package persist

import (
	"bytes"
	"errors"
	"fmt"
	"iter"

	"github.com/cockroachdb/pebble/v2"
)

// sets iterates over the sets of the last published snapshot, ordered by name. It reads one record a set and no page. An
// error ends it: ErrCorrupt, ErrClosed. O(sets).
func sets(d *DB) iter.Seq2[SetRecord, error] {
	from := []byte(spaceSets)
	name := func() string { return spaceSets }
	return seq2(d, func(yield func(SetRecord) (bool, error)) error {
		return d.scan(from, keyAfter(from), name, func(key, value []byte) (bool, error) {
			r, err := decodeSetRecord(key, value)
			if err != nil {
				return false, named(err, nameSet(setOf(key)))
			}
			return yield(r)
		})
	})
}

// set returns what the last published snapshot knows of one set; ok is false if it is not in it. Errors: ErrCorrupt,
// ErrClosed. O(log n).
func set(d *DB, key string) (r SetRecord, ok bool, err error) {
	if err := d.acquire(); err != nil {
		return r, false, err
	}
	defer d.release()
	return recordOf(d, key)
}

func recordOf(d *DB, key string) (r SetRecord, ok bool, err error) {
	at := keySet(key)
	v, ok, err := d.get(at, nameSet(key))
	if err != nil || !ok {
		return r, false, err
	}
	r, err = decodeSetRecord(at, v)
	return r, err == nil, named(err, nameSet(key))
}

// pages iterates over the pages of a set, in their order. Each is checked before it is seen. A caller keeps what it has built
// only if no error came. A page is valid until the next step. Errors: ErrCorrupt, with the set and the page, ErrStale,
// ErrClosed. O(bytes).
func pages(d *DB, r SetRecord) iter.Seq2[[]byte, error] { return pageRange(d, r, 0, r.Pages) }

// pageRange is pages for those from number from up to before number to, so that several goroutines can share the work.
func pageRange(d *DB, r SetRecord, from, to int) iter.Seq2[[]byte, error] {
	return seq2(d, func(yield func([]byte) (bool, error)) error {
		i := -1
		wanted := func(place) bool { i++; return from <= i && i < to }
		return staleOr(d, &r, overPages(d, func(it *pebble.Iterator) error { return readPages(it, &r, wanted, yield) }))
	})
}

// overPages calls fn with an iterator over the pages of all sets. What it sees is the store at the moment of the call.
func overPages(d *DB, fn func(*pebble.Iterator) error) (err error) {
	space := []byte(spacePages)
	it, err := d.db.NewIter(&pebble.IterOptions{LowerBound: space, UpperBound: keyAfter(space)})
	if err != nil {
		return readError(err, nameOf(space))
	}
	defer func() {
		if closeErr := it.Close(); err == nil && closeErr != nil {
			err = readError(closeErr, nameOf(space))
		}
	}()
	return fn(it)
}

// readPages calls fn with those pages of a set that are wanted, until it returns false.
func readPages(it *pebble.Iterator, r *SetRecord, wanted func(place) bool, fn func(page []byte) (bool, error)) (err error) {
	sum, all := uint32(0), true
	at := placesOf(r)
	for i := range r.Pages {
		p, _ := at.next()
		if !wanted(p) {
			all = false
			continue
		}
		page, crc, err := readPage(it, p, i)
		if err != nil {
			return fmt.Errorf("persist: set %q: page %d: %w", r.Key, i, err)
		}
		sum = addSum(sum, crc)
		if more, err := fn(page); err != nil || !more {
			return err
		}
	}
	if want, old := at.sum(); old && all && sum != want {
		err = corrupt(0, "the pages have checksum %08x, the record says %08x", sum, want)
		return fmt.Errorf("persist: set %q: %w", r.Key, named(err, nameSet(r.Key)))
	}
	return nil
}

// readPage reads page i at its place. The iterator stands anywhere; if on the page before, in the same run, it goes on.
func readPage(it *pebble.Iterator, p place, i int) (page []byte, crc uint32, err error) {
	key := keyPage(p.snapshot, p.id, uint32(i))
	name := namePage(p.snapshot, p.id, i)
	if i > 0 && it.Valid() && bytes.Equal(it.Key(), keyPage(p.snapshot, p.id, uint32(i-1))) {
		it.Next()
	} else {
		it.SeekGE(key)
	}
	if !it.Valid() || !bytes.Equal(it.Key(), key) {
		if err := it.Error(); err != nil {
			return nil, 0, readError(err, name)
		}
		return nil, 0, named(corrupt(0, "the page is missing"), name)
	}
	v, err := it.ValueAndErr()
	if err != nil {
		return nil, 0, readError(err, name)
	}
	if page, crc, err = openPage(key, v); err == nil && p.known && crc != p.crc {
		err = corrupt(0, "page has checksum %08x, the set's record says %08x", crc, p.crc)
	}
	return page, crc, named(err, name)
}

// learn reads page i at a place whose checksum is not known, and returns the place with it.
func learn(d *DB, at place, i int) (place, error) {
	if err := d.acquire(); err != nil {
		return at, err
	}
	defer d.release()
	key, name := keyPage(at.snapshot, at.id, uint32(i)), namePage(at.snapshot, at.id, i)
	v, ok, err := d.get(key, name)
	if err == nil && !ok {
		err = corrupt(0, "the page is missing")
	}
	if err == nil {
		_, at.crc, err = openPage(key, v)
	}
	at.known = true
	return at, named(err, name)
}

// staleOr returns ErrStale for damage if the record is not the set's any more, which explains what was found, and err
// otherwise.
func staleOr(d *DB, r *SetRecord, err error) error {
	if !errors.Is(err, ErrCorrupt) {
		return err
	}
	now, ok, getErr := recordOf(d, r.Key)
	if getErr == nil && (!ok || !sameTable(&now, r)) {
		return ErrStale
	}
	return err
}

// sizeOf returns about how many bytes of files the pages of a set take, as they are compressed. Pages that Pebble still has
// in memory only count for nothing. Errors: ErrClosed, those of the disk. O(runs of pages that one snapshot wrote).
func sizeOf(d *DB, r SetRecord) (int64, error) {
	if err := d.acquire(); err != nil {
		return 0, err
	}
	defer d.release()
	sum, page := uint64(0), uint32(0)
	at := placesOf(&r)
	for p, ok := at.next(); ok; {
		lo, run := page, p
		for ok && p.snapshot == run.snapshot && p.id == run.id {
			page++
			p, ok = at.next()
		}
		n, err := d.db.EstimateDiskUsage(keyPage(run.snapshot, run.id, lo), keyPage(run.snapshot, run.id, page))
		if err != nil {
			return 0, fmt.Errorf("persist: size of %q: %w", r.Key, err)
		}
		sum += n
	}
	return int64(sum), nil
}
