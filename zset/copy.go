package zset

// Copy returns a set with the same options, entries and encoding, as Redis COPY. O(n).
func (v *ViewOf[S]) Copy() *SetOf[S] {
	if v.big() == nil && v.image() == nil {
		return &SetOf[S]{ViewOf[S]{v.packed()}}
	}
	b := builderLike(v)
	if v.encoding() == "skiplist" {
		b.refs = b.core.loosen()
	}
	return b.with(v, 0, v.Len())
}

// CopyRange returns a set with the same options and the entries with ranks in [lo, hi), from 0 and without hi, as Redis ZRANGESTORE. It
// starts small: as a listpack, if that can hold it. Ranks that do not exist are left out. O(log n + hi - lo).
func (v *ViewOf[S]) CopyRange(lo, hi int) *SetOf[S] {
	lo, hi = v.clamp(lo, hi)
	return builderLike(v).with(v, lo, hi)
}

// with adds the entries of v with ranks in [lo, hi) and returns the set.
func (b *BuilderOf[S]) with(v *ViewOf[S], lo, hi int) *SetOf[S] {
	var w walk
	for w.ascend(&v.core, lo, hi); w.next() && b.put(w.entry()) == nil; { // what one set holds another can
	}
	return b.Set()
}
