package members

import (
	"encoding/binary"
	"iter"
	"math/bits"
	"runtime"
	"slices"
)

// This file sorts all records by key and text. A sort that compares two records at a time waits for the memory of both, 20 times for each
// of a million records. So entries carry their keys, and are sorted by them without a look at the records. Only entries of equal keys
// need their texts. Their records are read together, so that the processor overlaps the cache misses, and 7 bytes of each text become
// the number to sort by next.

// InOrder returns the keys and refs of all members in order. It sorts with the given number of goroutines. O(n log n).
func (t *Table) InOrder(workers int) iter.Seq2[uint64, uint32] {
	lo, shift := t.spread()
	g := grouping{t: t, workers: max(workers, 1), number: t.Key, lo: lo, bits: groupBits, shift: shift}
	entries, from := g.entries(t.n)
	inParallel(workers, len(from)-1, func(p int) { t.order(entries[from[p]:from[p+1]], 0) })
	return func(yield func(uint64, uint32) bool) {
		for _, e := range entries {
			if !yield(e.by, e.ref) {
				return
			}
		}
	}
}

// spread returns how to divide keys into groups of about one size: by their distance from lo, without its shift lowest bits. It looks
// at the first records of up to 1024 pages, and ignores the least and the greatest keys, so that a few outliers do not make all others
// one group.
func (t *Table) spread() (lo uint64, shift uint8) {
	var keys []uint64
	for i := 0; i < t.Pages(); i += t.Pages()/1024 + 1 {
		for ref := range t.Page(i) {
			keys = append(keys, t.Key(ref))
			break
		}
	}
	if len(keys) == 0 {
		return 0, 0
	}
	slices.Sort(keys)
	few := len(keys) / 64
	lo = keys[few]
	return lo, uint8(max(bits.Len64(keys[len(keys)-1-few]-lo)-groupBits, 0))
}

// order sorts entries by number and, where numbers are equal, by text. Their texts have the first from bytes in common.
func (t *Table) order(e []entry, from int) {
	sortEntries(e)
	t.touchTies(e)
	for i := 0; i < len(e); {
		end := i + 1
		for end < len(e) && e[end].by == e[i].by {
			end++
		}
		if end > i+1 {
			t.orderTexts(e[i:end], from)
		}
		i = end
	}
}

// touchTies reads a byte of the record of each entry whose number another entry has too, so that the processor overlaps the cache misses.
func (t *Table) touchTies(e []entry) {
	var sum byte
	for i := range e {
		if i > 0 && e[i].by == e[i-1].by || i+1 < len(e) && e[i].by == e[i+1].by {
			slab, off := t.records.at(e[i].ref)
			sum += slab[off]
		}
	}
	runtime.KeepAlive(sum)
}

// orderTexts sorts entries of one number by text. They keep their number.
func (t *Table) orderTexts(e []entry, from int) {
	number := e[0].by
	from += t.alike(e, from)
	for i := range e {
		e[i].by = head(t.Text(e[i].ref)[from:])
	}
	t.order(e, from+headBytes)
	for i := range e {
		e[i].by = number
	}
}

// alike returns how many bytes all texts have in common after the first from bytes.
func (t *Table) alike(e []entry, from int) int {
	same := t.Text(e[0].ref)[from:]
	for _, x := range e[1:] {
		same = same[:common(same, t.Text(x.ref)[from:])]
	}
	return len(same)
}

// common returns how many bytes a and b have in common at the start.
func common(a, b []byte) (n int) {
	for ; n+8 <= min(len(a), len(b)); n += 8 {
		if diff := binary.LittleEndian.Uint64(a[n:]) ^ binary.LittleEndian.Uint64(b[n:]); diff != 0 {
			return n + bits.TrailingZeros64(diff)/8
		}
	}
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// headBytes is how many bytes of a text head returns.
const headBytes = 7

// head returns a number that orders as the first bytes of texts do: these bytes, and whether there are fewer. Texts of equal heads have
// headBytes in common, and are as long, unless they are the same.
func head(text []byte) uint64 {
	if len(text) > headBytes {
		return binary.BigEndian.Uint64(text) | 0xff
	}
	var b [8]byte
	copy(b[:], text)
	b[headBytes] = byte(len(text))
	return binary.BigEndian.Uint64(b[:])
}
