package persist

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"iter"
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

// addSum takes a page's checksum into the set's.
func addSum(sum, crc uint32) uint32 {
	var b [4]byte
	binary.BigEndian.PutUint32(b[:], crc)
	return crc32.Update(sum, castagnoli, b[:])
}

// Sets iterates over the sets of the last published snapshot, ordered by name. It reads one record a set and no page. An
// error ends it: ErrCorrupt, ErrClosed. O(sets).
func (s *Store) Sets() iter.Seq2[SetRecord, error] {
	from := []byte(spaceSets)
	name := func() string { return spaceSets }
	return seq2(s, func(yield func(SetRecord) (bool, error)) error {
		return s.scan(from, keyAfter(from), name, func(key, value []byte) (bool, error) {
			set := string(key[len(spaceSets):])
			r, err := decodeSetRecord(set, value)
			if err != nil {
				return false, named(err, nameSet(set))
			}
			return yield(r)
		})
	})
}

// Set returns what the last published snapshot knows of one set; ok is false if it is not in it. Errors: ErrCorrupt,
// ErrClosed. O(log n).
func (s *Store) Set(key string) (r SetRecord, ok bool, err error) {
	if err := s.acquire(); err != nil {
		return r, false, err
	}
	defer s.release()
	return s.setRecord(key)
}

func (s *Store) setRecord(key string) (r SetRecord, ok bool, err error) {
	v, ok, err := s.get(keySet(key), nameSet(key))
	if err != nil || !ok {
		return r, false, err
	}
	r, err = decodeSetRecord(key, v)
	return r, err == nil, named(err, nameSet(key))
}

// Pages iterates over the pages of a set, in the order in which they were written. Each is checked before it is seen, and
// their number and the checksum over all of them after the last: a caller keeps what it has built only if no error came.
// A page is valid until the next step. Errors: ErrCorrupt, ErrStale, ErrClosed. O(bytes).
func (s *Store) Pages(r SetRecord) iter.Seq2[[]byte, error] {
	return seq2(s, func(yield func([]byte) (bool, error)) error {
		n, sum, stopped := 0, uint32(0), false
		from := keyPages(r.snapshot, r.id)
		err := s.scan(from, keyAfter(from), namePage(r.snapshot, r.id, 0), func(key, value []byte) (bool, error) {
			page, crc, err := openPage(key, value)
			if err == nil && (n == r.Pages || !bytes.Equal(key, keyPage(r.snapshot, r.id, uint32(n)))) {
				err = corrupt(0, "page %x in the place of page %d of %d", key[len(from):], n, r.Pages)
			}
			if err != nil {
				return false, s.staleOr(r, named(err, namePage(r.snapshot, r.id, n)))
			}
			n, sum = n+1, addSum(sum, crc)
			more, err := yield(page)
			stopped = !more
			return more, err
		})
		if err == nil && !stopped && (n != r.Pages || sum != r.sum) {
			err = corrupt(0, "%d pages with checksum %08x, the set's record says %d with %08x", n, sum, r.Pages, r.sum)
			err = s.staleOr(r, named(err, namePage(r.snapshot, r.id, n)))
		}
		return err
	})
}

// staleOr returns ErrStale if the record is not the set's any more, which explains what was found, and err otherwise.
func (s *Store) staleOr(r SetRecord, err error) error {
	now, ok, getErr := s.setRecord(r.Key)
	if getErr == nil && (!ok || now.snapshot != r.snapshot || now.id != r.id) {
		return ErrStale
	}
	return err
}
