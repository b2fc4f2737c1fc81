package persist

import (
	"bytes"
	"encoding/binary"
)

// A set's page table says where its pages are: page i of the set is the key p/<snapshot><set id><i>, for the snapshot that
// wrote it last and the set's number inside that one. It is kept as bytes, since the engine holds one for every set:
//
//	run:  +---------------+------------------+----------------+-------------+----
//	      | pages uvarint | snapshot uvarint | set id uvarint | crc u32 x pages
//	      +---------------+------------------+----------------+-------------+----
//
// one run after the other, of pages side by side that one snapshot wrote. A run of layout 1, which is all of the table, has
// one crc of the pages' crcs instead.

// place is where a page is.
type place struct {
	snapshot uint64
	id       uint64
	crc      uint32
	known    bool // the crc is
}

// places goes through a page table.
type places struct {
	at   place
	left int // pages of the run that are still to come
	rest []byte
	old  bool // a table of layout 1
}

// placesOf starts with the first page of a set.
func placesOf(r *SetRecord) *places { return &places{rest: r.table, old: r.old} }

// next returns the place of the next page. The table is one that checkTable has accepted.
func (p *places) next() (place, bool) {
	if p.left == 0 {
		rd := reader{buf: p.rest}
		n, err := rd.uvarint()
		if err != nil || p.old && p.at.snapshot > 0 {
			return place{}, false
		}
		p.at = place{known: !p.old}
		p.left = int(n)
		p.at.snapshot, _ = rd.uvarint()
		p.at.id, _ = rd.uvarint()
		p.rest = p.rest[rd.off:]
	}
	if p.left--; p.old {
		return p.at, true
	}
	p.at.crc, p.rest = binary.BigEndian.Uint32(p.rest), p.rest[4:]
	return p.at, true
}

// sum returns the crc of the crcs of all pages, which a table of layout 1 has. It is called after the last.
func (p *places) sum() (crc uint32, ok bool) {
	if !p.old || len(p.rest) < 4 {
		return 0, false
	}
	return binary.BigEndian.Uint32(p.rest), true
}

// lastSnapshot returns the number of the last snapshot that wrote one of the pages; 0: there are none. O(pages).
func lastSnapshot(r *SetRecord) (number uint64) {
	at := placesOf(r)
	for p, ok := at.next(); ok; p, ok = at.next() {
		number = max(number, p.snapshot)
	}
	return number
}

// tableOf1 returns the table of a record of layout 1, where the snapshot has written all pages.
func tableOf1(pages int, snapshot, id uint64, sum uint32) []byte {
	if pages == 0 {
		return nil
	}
	t := binary.AppendUvarint(nil, uint64(pages))
	t = binary.AppendUvarint(t, snapshot)
	t = binary.AppendUvarint(t, id)
	return binary.BigEndian.AppendUint32(t, sum)
}

// checkTable returns an error unless the bytes are the table of so many pages in its one valid form. Offsets count from at.
func checkTable(t []byte, pages, at int) error {
	r, last := reader{buf: t}, place{}
	for left := uint64(pages); left > 0 || !r.done(); {
		start := r.off
		n, err := r.uvarint()
		var p place
		if err == nil {
			p.snapshot, err = r.uvarint()
		}
		if err == nil {
			p.id, err = r.uvarint()
		}
		switch {
		case err != nil:
			return corrupt(at+start, "page table ends inside a run")
		case n == 0 || n > left || n > uint64(len(t)-r.off)/4:
			return corrupt(at+start, "run of %d pages, %d are left", n, left)
		case p == last || p.snapshot == 0:
			return corrupt(at+start, "run of snapshot %d and set %d after one of %d and %d", p.snapshot, p.id, last.snapshot, last.id)
		}
		r.off += 4 * int(n)
		left, last = left-n, p
	}
	return nil
}

// tableWriter makes a page table, place by place.
type tableWriter struct {
	table []byte // complete runs
	run   place
	crcs  []byte // of the run
}

func (w *tableWriter) add(p place) {
	if len(w.crcs) > 0 && (p.snapshot != w.run.snapshot || p.id != w.run.id) {
		w.close()
	}
	w.run, w.crcs = p, binary.BigEndian.AppendUint32(w.crcs, p.crc)
}

func (w *tableWriter) close() {
	w.table = binary.AppendUvarint(w.table, uint64(len(w.crcs)/4))
	w.table = binary.AppendUvarint(w.table, w.run.snapshot)
	w.table = binary.AppendUvarint(w.table, w.run.id)
	w.table = append(w.table, w.crcs...)
	w.crcs = w.crcs[:0]
}

// bytes returns the table.
func (w *tableWriter) bytes() []byte {
	if len(w.crcs) > 0 {
		w.close()
	}
	return bytes.Clone(w.table)
}

// setTable gives the record the table of a writer.
func setTable(r *SetRecord, w *tableWriter) { r.table = w.bytes() }

// sameTable reports whether two records of a set name the same pages.
func sameTable(a, b *SetRecord) bool { return bytes.Equal(a.table, b.table) }

// eachReplaced calls fn for the pages [lo, hi) of old, run by run, that the record next does not have in the same place.
func eachReplaced(old, next *SetRecord, fn func(at place, lo, hi int) error) error {
	was, is := placesOf(old), placesOf(next)
	var run place
	lo := 0
	for i := 0; ; i++ {
		a, more := was.next()
		b, kept := is.next()
		gone := more && !(kept && a.snapshot == b.snapshot && a.id == b.id)
		if !gone || a.snapshot != run.snapshot || a.id != run.id {
			if lo < i && run.snapshot != 0 {
				if err := fn(run, lo, i); err != nil {
					return err
				}
			}
			if run, lo = (place{}), i; gone {
				run = a
			}
		}
		if !more {
			return nil
		}
	}
}
