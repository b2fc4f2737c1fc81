package format

import (
	"bytes"
	"encoding/binary"
	"iter"

	"github.com/zrankdb/zrank/persist/internal/errs"
)

// A set's page table says where its pages are. Page i of the set has the key p/<snapshot><set id><i>: the snapshot that wrote the page
// last, and the set's number inside that snapshot. The table stays encoded in memory, since the engine holds one for every set. It is
// a sequence of runs; a run is the adjacent pages that one snapshot wrote:
//
//	run:  +---------------+------------------+----------------+-------------+----
//	      | pages uvarint | snapshot uvarint | set id uvarint | crc u32 x pages
//	      +---------------+------------------+----------------+-------------+----
//
// A table of layout 1 has only one run, and instead of the pages' crcs it has one crc of them all.

// Place says which snapshot wrote a page, and its checksum.
type Place struct {
	Snapshot uint64
	ID       uint64 // the set's number inside the snapshot
	CRC      uint32
	Known    bool // CRC is known; false in a table of layout 1
}

// places iterates over a page table.
type places struct {
	at   Place  // of the last page returned
	left int    // pages of the run that are still to come
	rest []byte // the table after that page
	old  bool   // a table of layout 1
}

// PlacesOf returns an iterator that starts with the first page of a set.
func PlacesOf(r *SetRecord) *places { return &places{rest: r.table, old: r.old} }

// Next returns the place of the next page; false: there is none. checkTable has accepted the table, so Next ignores read errors.
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

// Sum returns the crc of the crcs of all pages; only a table of layout 1 has one. It must be called after the last page.
func (p *places) Sum() (crc uint32, ok bool) {
	if !p.old || len(p.rest) < 4 {
		return 0, false
	}
	return binary.BigEndian.Uint32(p.rest), true
}

// PageKeys iterates over the places of a set's pages and their keys, in order.
func PageKeys(r *SetRecord) iter.Seq2[Place, []byte] {
	return func(yield func(Place, []byte) bool) {
		places := PlacesOf(r)
		for i := range r.Pages {
			if at, _ := places.Next(); !yield(at, KeyPage(at.Snapshot, at.ID, uint32(i))) {
				return
			}
		}
	}
}

// LastSnapshot returns the number of the last snapshot that wrote one of the pages; 0: there are none. O(pages).
func LastSnapshot(r *SetRecord) (number uint64) {
	at := PlacesOf(r)
	for p, ok := at.Next(); ok; p, ok = at.Next() {
		number = max(number, p.Snapshot)
	}
	return number
}

// tableOf1 returns the table of a record of layout 1, in which one snapshot wrote all pages.
func tableOf1(pages int, snapshot, id uint64, sum uint32) []byte {
	if pages == 0 {
		return nil
	}
	t := binary.AppendUvarint(nil, uint64(pages))
	t = binary.AppendUvarint(t, snapshot)
	t = binary.AppendUvarint(t, id)
	return binary.BigEndian.AppendUint32(t, sum)
}

// checkTable returns an error unless t is a valid table of the given number of pages. Two adjacent runs of the same snapshot and set
// are invalid. Offsets in errors count from at.
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

// TableWriter builds a page table, place by place.
type TableWriter struct {
	table []byte // complete runs
	run   Place  // the run that is being built
	crcs  []byte // of its pages
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

// EachReplaced calls fn for each range [lo, hi) of pages that old has and next does not have in the same place. All pages of a range
// belong to one snapshot and set id.
func EachReplaced(old, next *SetRecord, fn func(at Place, lo, hi int) error) error {
	oldPlaces, nextPlaces := PlacesOf(old), PlacesOf(next)
	var run Place // of the range [lo, i) of replaced pages; zero: page i-1 is not replaced
	lo := 0
	for i := 0; ; i++ {
		oldPlace, more := oldPlaces.Next()
		nextPlace, ok := nextPlaces.Next()
		same := ok && oldPlace.Snapshot == nextPlace.Snapshot && oldPlace.ID == nextPlace.ID
		replaced := more && !same
		if !replaced || oldPlace.Snapshot != run.Snapshot || oldPlace.ID != run.ID {
			if lo < i && run.Snapshot != 0 {
				if err := fn(run, lo, i); err != nil {
					return err
				}
			}
			if run, lo = (Place{}), i; replaced {
				run = oldPlace
			}
		}
		if !more {
			return nil
		}
	}
}

// SetRecord describes one set in the last snapshot.
type SetRecord struct {
	Key     string // the set's name
	Meta    []byte // the opaque metadata given to WriteSet
	Base    uint64 // effects on the set up to this commit are in its pages
	Pages   int
	Entries int

	table []byte // where the pages are
	old   bool   // the table is that of a record of layout 1
}
