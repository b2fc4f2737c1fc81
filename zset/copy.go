package zset

// Copy returns a set with the same options and entries, as Redis COPY. O(n).
func (v *ViewOf[S]) Copy() *SetOf[S] { return v.CopyRange(0, v.Len()) }

// CopyRange returns a set with the same options and the entries with ranks in [lo, hi), as Redis ZRANGESTORE. It starts
// small: as a listpack, if that can hold it. Ranks that do not exist are left out. O(log n + hi - lo).
func (v *ViewOf[S]) CopyRange(lo, hi int) *SetOf[S] {
	b := builderLike(v)
	lo, hi = v.clamp(lo, hi)
	v.ascend(lo, hi, func(key uint64, tie, member []byte) bool {
		return b.put(key, tie, member) == nil // what one set holds another can
	})
	return b.Set()
}
