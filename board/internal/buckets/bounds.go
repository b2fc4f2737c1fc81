package buckets

import "math"

// unknown is the bound of a bucket that has not been read: no entry comes before it.
var unknown = Entry{Score: math.MinInt64}

// bound is the bound of a bucket.
type bound struct {
	entry  Entry
	bucket uint32
}

// bounds is a heap of bounds, the best first, with at most one for each bucket.
type bounds struct {
	heap []bound
	at   map[uint32]int32 // the position of each bucket's bound in heap
}

// top returns the best bound, and false if there is none. O(1).
func (b *bounds) top() (bound, bool) {
	if len(b.heap) == 0 {
		return bound{}, false
	}
	return b.heap[0], true
}

// set gives a bucket a bound. O(log n).
func (b *bounds) set(bucket uint32, e Entry) {
	i, ok := b.at[bucket]
	if !ok {
		i = int32(len(b.heap))
		b.heap = append(b.heap, bound{bucket: bucket})
		b.at[bucket] = i
	}
	b.heap[i].entry = e
	b.fix(i)
}

// of returns the bound of a bucket, and false if it has none. O(1).
func (b *bounds) of(bucket uint32) (Entry, bool) {
	i, ok := b.at[bucket]
	if !ok {
		return Entry{}, false
	}
	return b.heap[i].entry, true
}

// remove removes the bound of a bucket. O(log n).
func (b *bounds) remove(bucket uint32) {
	i, ok := b.at[bucket]
	if !ok {
		return
	}
	last := int32(len(b.heap) - 1)
	b.swap(i, last)
	b.heap[last] = bound{}
	b.heap = b.heap[:last]
	delete(b.at, bucket)
	if i < last {
		b.fix(i)
	}
}

// fix moves the bound at a position to its place.
func (b *bounds) fix(i int32) {
	for i > 0 && b.less(i, (i-1)/2) {
		b.swap(i, (i-1)/2)
		i = (i - 1) / 2
	}
	for {
		best := i
		for _, child := range [2]int32{2*i + 1, 2*i + 2} {
			if int(child) < len(b.heap) && b.less(child, best) {
				best = child
			}
		}
		if best == i {
			return
		}
		b.swap(i, best)
		i = best
	}
}

func (b *bounds) less(i, j int32) bool { return b.heap[i].entry.Compare(b.heap[j].entry) < 0 }

func (b *bounds) swap(i, j int32) {
	b.heap[i], b.heap[j] = b.heap[j], b.heap[i]
	b.at[b.heap[i].bucket], b.at[b.heap[j].bucket] = i, j
}
