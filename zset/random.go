package zset

import (
	"math/rand/v2"
	"slices"
)

// Random returns a member chosen uniformly, as Redis ZRANDMEMBER, and its score; false if the set is empty. The member
// aliases the set. O(log n).
func (v *ViewOf[S]) Random(r *rand.Rand) (member []byte, score S, ok bool) {
	if v.Len() == 0 {
		return nil, 0, false
	}
	key, _, member := v.entry(r.IntN(v.Len()))
	return member, scoreOf[S](key), true
}

// AppendRandom appends copies of entries chosen uniformly to dst, as Redis ZRANDMEMBER with a count. It draws count different entries,
// or all if the set has no more, in no particular order. If count is negative, it draws -count entries with repetition. A count of
// math.MinInt draws none. O(count log n).
func (v *ViewOf[S]) AppendRandom(dst []EntryOf[S], r *rand.Rand, count int) []EntryOf[S] {
	n := v.Len()
	switch {
	case n == 0 || count == 0:
		return dst
	case count < 0:
		return v.appendDrawn(dst, r, -count)
	case count >= n:
		return v.Append(dst, 0, n)
	case count > n/4:
		return v.appendSample(dst, r, count)
	}
	c := copier[S]{left: count}
	for _, rank := range distinctRanks(r, n, count) {
		key, tie, member := v.entry(rank)
		dst = c.append(dst, key, tie, member)
	}
	return dst
}

// appendDrawn appends entries drawn with repeats.
func (v *ViewOf[S]) appendDrawn(dst []EntryOf[S], r *rand.Rand, count int) []EntryOf[S] {
	c := copier[S]{left: count}
	for range count {
		key, tie, member := v.entry(r.IntN(v.Len()))
		dst = c.append(dst, key, tie, member)
	}
	return dst
}

// distinctRanks draws count different ranks below n with Floyd's algorithm, which needs one random number for each.
func distinctRanks(r *rand.Rand, n, count int) []int {
	ranks, taken := make([]int, 0, count), make(map[int]struct{}, count)
	for i := n - count; i < n; i++ {
		rank := r.IntN(i + 1)
		if _, ok := taken[rank]; ok {
			rank = i
		}
		taken[rank] = struct{}{}
		ranks = append(ranks, rank)
	}
	return ranks
}

// appendSample walks all entries and takes each with probability count/left. It is cheaper than drawing ranks when count is large.
func (v *ViewOf[S]) appendSample(dst []EntryOf[S], r *rand.Rand, count int) []EntryOf[S] {
	c, left := copier[S]{left: count}, v.Len()
	dst = slices.Grow(dst, count)
	var w walk
	for w.ascend(&v.core, 0, left); count > 0 && w.next(); left-- {
		if r.IntN(left) < count {
			key, tie, member := w.entry()
			dst = c.append(dst, key, tie, member)
			count--
		}
	}
	return dst
}
