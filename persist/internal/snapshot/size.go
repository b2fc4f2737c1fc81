package snapshot

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/zrankdb/zrank/persist/internal/format"
	"github.com/zrankdb/zrank/persist/internal/pebbledb"
)

// run is some adjacent pages of a set that one snapshot wrote.
type run struct {
	format.Place
	lo, hi  uint32 // the pages [lo, hi)
	set     int    // the index of the set's record
	entries int    // about how many entries the pages have
}

// appendRuns appends the runs of a set.
func appendRuns(dst []run, set int, r *format.SetRecord) []run {
	page := uint32(0)
	at := format.PlacesOf(r)
	for p, ok := at.Next(); ok; {
		x := run{Place: p, lo: page, set: set}
		for ok && p.Snapshot == x.Snapshot && p.ID == x.ID {
			page++
			p, ok = at.Next()
		}
		x.hi = page
		x.entries = r.Entries / r.Pages * int(x.hi-x.lo)
		dst = append(dst, x)
	}
	return dst
}

// SizeOf returns the approximate size in bytes of a set's pages in the files, after compression. It does not count pages that Pebble
// has only in memory. Errors: ErrClosed, those of the disk. O(runs of pages that one snapshot wrote).
func SizeOf(d *pebbledb.DB, r format.SetRecord) (int64, error) {
	if err := d.Acquire(); err != nil {
		return 0, err
	}
	defer d.Release()
	sum := int64(0)
	for _, x := range appendRuns(nil, 0, &r) {
		n, err := sizeOf(d, x, x)
		if err != nil {
			return 0, fmt.Errorf("persist: size of %q: %w", r.Key, err)
		}
		sum += n
	}
	return sum, nil
}

// sizeOf returns the approximate size of the pages from the first of one run to the last of another.
func sizeOf(d *pebbledb.DB, first, last run) (int64, error) {
	n, err := d.Pebble.EstimateDiskUsage(format.KeyPage(first.Snapshot, first.ID, first.lo), format.KeyPage(last.Snapshot, last.ID, last.hi))
	return int64(n), err
}

// maxShare is the largest number of sets whose size Sizes estimates together.
const maxShare = 256

// Sizes returns the size of the pages of each set, as SizeOf, for many sets at a time. SizeOf counts a block for a page that shares the block
// with others. Sizes estimates the size of sets of one page each together, if a snapshot wrote them one after the other, and
// divides it by their entries. Errors: ErrClosed, those of the disk. O(n log n) for n runs of pages.
func Sizes(d *pebbledb.DB, records []format.SetRecord) ([]int64, error) {
	if err := d.Acquire(); err != nil {
		return nil, err
	}
	defer d.Release()
	runs := make([]run, 0, len(records))
	for i := range records {
		runs = appendRuns(runs, i, &records[i])
	}
	slices.SortFunc(runs, func(x, y run) int { // in the order of the pages, so that Pebble reads each index block once
		return cmp.Or(cmp.Compare(x.Snapshot, y.Snapshot), cmp.Compare(x.ID, y.ID), cmp.Compare(x.lo, y.lo))
	})
	sizes := make([]int64, len(records))
	for len(runs) > 0 {
		n := sharing(runs)
		size, err := sizeOf(d, runs[0], runs[n-1])
		if err != nil {
			return nil, fmt.Errorf("persist: size of %q: %w", records[runs[0].set].Key, err)
		}
		divide(size, runs[:n], sizes)
		runs = runs[n:]
	}
	return sizes, nil
}

// sharing returns how many runs at the start of the list are estimated together.
func sharing(runs []run) (n int) {
	small := func(x run) bool { return x.lo == 0 && x.hi == 1 }
	for n = 1; n < min(len(runs), maxShare); n++ {
		x, next := runs[n-1], runs[n]
		if !small(x) || !small(next) || next.Snapshot != x.Snapshot || next.ID != x.ID+1 {
			break
		}
	}
	return n
}

// divide adds its share of size to the size of each run's set.
func divide(size int64, runs []run, sizes []int64) {
	left := 0 // a page without entries counts as one entry
	for _, x := range runs {
		left += x.entries + 1
	}
	for _, x := range runs {
		share := size * int64(x.entries+1) / int64(left)
		sizes[x.set] += share
		size, left = size-share, left-x.entries-1
	}
}
