package persist

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"iter"

	"github.com/cockroachdb/pebble/v2"
)

// A page is stored as the checksum of its key and bytes, u32, and the bytes.

// sealPage writes the stored form of a page into dst, which is 4 bytes longer, and returns the checksum too.
func sealPage(dst, key, page []byte) uint32 {
	crc := sumOf(key, page)
	binary.BigEndian.PutUint32(dst, crc)
	copy(dst[4:], page)
	return crc
}

// openPage checks a stored page and returns its bytes and checksum.
func openPage(key, value []byte) (page []byte, crc uint32, err error) {
	if len(value) < 4 {
		return nil, 0, corrupt(0, "page of %d bytes", len(value))
	}
	crc, page = binary.BigEndian.Uint32(value), value[4:]
	if got := sumOf(key, page); got != crc {
		return nil, 0, corrupt(0, "page checksum is %08x, its bytes give %08x", crc, got)
	}
	return page, crc, nil
}

// addSum takes a page's checksum into that of all pages of a set of layout 1.
func addSum(sum, crc uint32) uint32 {
	var b [4]byte
	binary.BigEndian.PutUint32(b[:], crc)
	return crc32.Update(sum, castagnoli, b[:])
}

// Sets iterates over the sets of the last published snapshot, ordered by name. It reads one record a set and no page. An
// error ends it: ErrCorrupt, ErrClosed. O(sets).
func (d *DB) Sets() iter.Seq2[SetRecord, error] {
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

// Set returns what the last published snapshot knows of one set; ok is false if it is not in it. Errors: ErrCorrupt,
// ErrClosed. O(log n).
func (d *DB) Set(key string) (r SetRecord, ok bool, err error) {
	if err := d.acquire(); err != nil {
		return r, false, err
	}
	defer d.release()
	return d.setRecord(key)
}

func (d *DB) setRecord(key string) (r SetRecord, ok bool, err error) {
	at := keySet(key)
	v, ok, err := d.get(at, nameSet(key))
	if err != nil || !ok {
		return r, false, err
	}
	r, err = decodeSetRecord(at, v)
	return r, err == nil, named(err, nameSet(key))
}

// Pages iterates over the pages of a set, in their order. Each is checked before it is seen. A caller keeps what it has built
// only if no error came. A page is valid until the next step. Errors: ErrCorrupt, with the set and the page, ErrStale,
// ErrClosed. O(bytes).
func (d *DB) Pages(r SetRecord) iter.Seq2[[]byte, error] { return d.PagesOf(r, 0, r.Pages) }

// PagesOf is Pages for those from number from up to before number to, so that several goroutines can share the work.
func (d *DB) PagesOf(r SetRecord, from, to int) iter.Seq2[[]byte, error] {
	return seq2(d, func(yield func([]byte) (bool, error)) error {
		i := -1
		wanted := func(place) bool { i++; return from <= i && i < to }
		return d.staleOr(&r, d.overPages(func(it *pebble.Iterator) error { return readPages(it, &r, wanted, yield) }))
	})
}

// overPages calls fn with an iterator over the pages of all sets. What it sees is the store at the moment of the call.
func (d *DB) overPages(fn func(*pebble.Iterator) error) (err error) {
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
	at := r.places()
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
func (d *DB) learn(at place, i int) (place, error) {
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
func (d *DB) staleOr(r *SetRecord, err error) error {
	if !errors.Is(err, ErrCorrupt) {
		return err
	}
	now, ok, getErr := d.setRecord(r.Key)
	if getErr == nil && (!ok || !bytes.Equal(now.table, r.table)) {
		return ErrStale
	}
	return err
}
