package buckets

import (
	"bytes"
	"slices"
)

// sampleSize is the number of entries in a sample for each segment.
const sampleSize = 16

// minShare returns the least number of entries for which there is a segment. The more segments are wanted, the more it is: a split takes as long as there are
// segments, and so takes constant time for each entry of a small tail too.
func minShare(wanted int) int { return max(wanted/64, 1) }

// count is a count of all entries of a tail, bucket by bucket in the order of their numbers. It begins with a sample, the members of some buckets, which
// says where the segments begin. A commit that changes a bucket that is counted changes the count as well.
type count struct {
	next   *segments // nil: the sample is taken
	sample []Entry
	taken  int      // the buckets in sample
	at     uint32   // all buckets before this one are counted, or in the sample
	behind []uint64 // a bit for each bucket from at on: it was split from a counted one
}

// has reports whether a bucket is counted.
func (c *count) has(bucket uint32) bool {
	if c.next == nil {
		return false
	}
	return bucket < c.at || int(bucket/64) < len(c.behind) && c.behind[bucket/64]&(1<<(bucket%64)) != 0
}

// split notes that a bucket was split.
func (c *count) split(bucket, child uint32) {
	if !c.has(bucket) {
		return
	}
	if n := int(child/64) + 1; n > len(c.behind) {
		c.behind = append(c.behind, make([]uint64, n-len(c.behind))...)
	}
	c.behind[child/64] |= 1 << (child % 64)
}

// seek moves at to a bucket of the directory that is not counted yet. It returns false if there is none.
func (c *count) seek(d *directory) bool {
	for int(c.at) < len(d.depths) && (d.depths[c.at] == 0 || c.has(c.at)) {
		c.at++
	}
	return int(c.at) < len(d.depths)
}

// divide ends the sample, and makes segments: as many as are wanted, of about equal size. O(sample log sample).
func (c *count) divide(wanted, buckets int) {
	slices.SortFunc(c.sample, Entry.Compare)
	total := len(c.sample) * buckets / max(c.taken, 1)
	n := min(wanted, total/minShare(wanted)+1, len(c.sample)+1)
	var from []Entry
	for i := 1; i < n; i++ {
		e := c.sample[i*len(c.sample)/n]
		from = append(from, Entry{e.Score, bytes.Clone(e.Text)})
	}
	*c = count{next: newSegments(slices.CompactFunc(from, func(a, b Entry) bool { return a.Compare(b) == 0 }))}
}
