package format

import (
	"bytes"
	"encoding/binary"

	"github.com/zrankdb/zrank/persist/internal/errs"
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

// Place is where a page is.
type Place struct {
	Snapshot uint64
	ID       uint64
	CRC      uint32
	Known    bool // the crc is
}

// places goes through a page table.
type places struct {
	at   Place
	left int // pages of the run that are still to come
	rest []byte
	old  bool // a table of layout 1
}

// PlacesOf starts with the first page of a set.
func PlacesOf(r *SetRecord) *places { return &places{rest: r.table, old: r.old} }

// Next returns the place of the next page. The table is one that checkTable has accepted.
func (p *places) Next() (Place, bool) {
	if p.left == 0 {
		rd := Reader{Buf: p.rest}
		n, err := rd.uvarint()
		if err != nil || p.old && p.at.Snapshot > 0 {
			return Place{}, false
		}
		p.at = Place{Known: !p.old}
		p.left = int(n)
		p.at.Snapshot, _ = rd.uvarint()
		p.at.ID, _ = rd.uvarint()
		p.rest = p.rest[rd.Off:]
	}
	if p.left--; p.old {
		return p.at, true
	}
	p.at.CRC, p.rest = binary.BigEndian.Uint32(p.rest), p.rest[4:]
	return p.at, true
}

// Sum returns the crc of the crcs of all pages, which a table of layout 1 has. It is called after the last.
func (p *places) Sum() (crc uint32, ok bool) {
	if !p.old || len(p.rest) < 4 {
		return 0, false
	}
	return binary.BigEndian.Uint32(p.rest), true
}

// LastSnapshot returns the number of the last snapshot that wrote one of the pages; 0: there are none. O(pages).
func LastSnapshot(r *SetRecord) (number uint64) {
	at := PlacesOf(r)
	for p, ok := at.Next(); ok; p, ok = at.Next() {
		number = max(number, p.Snapshot)
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
	r, last := Reader{Buf: t}, Place{}
	for left := uint64(pages); left > 0 || !r.Done(); {
		start := r.Off
		n, err := r.uvarint()
		var p Place
		if err == nil {
			p.Snapshot, err = r.uvarint()
		}
		if err == nil {
			p.ID, err = r.uvarint()
		}
		switch {
		case err != nil:
			return errs.Corruptf(at+start, "page table ends inside a run")
		case n == 0 || n > left || n > uint64(len(t)-r.Off)/4:
			return errs.Corruptf(at+start, "run of %d pages, %d are left", n, left)
		case p == last || p.Snapshot == 0:
			return errs.Corruptf(at+start, "run of snapshot %d and set %d after one of %d and %d", p.Snapshot, p.ID, last.Snapshot, last.ID)
		}
		r.Off += 4 * int(n)
		left, last = left-n, p
	}
	return nil
}

// TableWriter makes a page table, place by place.
type TableWriter struct {
	table []byte // complete runs
	run   Place
	crcs  []byte // of the run
}

// Add appends the place of the next page.
func (w *TableWriter) Add(p Place) {
	if len(w.crcs) > 0 && (p.Snapshot != w.run.Snapshot || p.ID != w.run.ID) {
		w.close()
	}
	w.run, w.crcs = p, binary.BigEndian.AppendUint32(w.crcs, p.CRC)
}

func (w *TableWriter) close() {
	w.table = binary.AppendUvarint(w.table, uint64(len(w.crcs)/4))
	w.table = binary.AppendUvarint(w.table, w.run.Snapshot)
	w.table = binary.AppendUvarint(w.table, w.run.ID)
	w.table = append(w.table, w.crcs...)
	w.crcs = w.crcs[:0]
}

// Bytes returns the table.
func (w *TableWriter) Bytes() []byte {
	if len(w.crcs) > 0 {
		w.close()
	}
	return bytes.Clone(w.table)
}

// SetTable gives the record the table of a writer.
func SetTable(r *SetRecord, w *TableWriter) { r.table = w.Bytes() }

// SameTable reports whether two records of a set name the same pages.
func SameTable(a, b *SetRecord) bool { return bytes.Equal(a.table, b.table) }

// EachReplaced calls fn for the pages [lo, hi) of old, run by run, that the record next does not have in the same place.
func EachReplaced(old, next *SetRecord, fn func(at Place, lo, hi int) error) error {
	was, is := PlacesOf(old), PlacesOf(next)
	var run Place
	lo := 0
	for i := 0; ; i++ {
		a, more := was.Next()
		b, kept := is.Next()
		gone := more && !(kept && a.Snapshot == b.Snapshot && a.ID == b.ID)
		if !gone || a.Snapshot != run.Snapshot || a.ID != run.ID {
			if lo < i && run.Snapshot != 0 {
				if err := fn(run, lo, i); err != nil {
					return err
				}
			}
			if run, lo = (Place{}), i; gone {
				run = a
			}
		}
		if !more {
			return nil
		}
	}
}

// SetRecord is what the last snapshot knows of one set.
type SetRecord struct {
	Key     string // the set's name
	Meta    []byte // the opaque facts given to WriteSet
	Base    uint64 // effects on the set up to this commit are in its pages
	Pages   int
	Entries int

	table []byte // where the pages are
	old   bool   // the table is that of a record of layout 1
}
