package skiplist

// New returns an empty list over records. O(1).
func New(records Records, o Options) *List {
	l := &List{records: records, leafSize: o.LeafSize, height: o.Height, grouped: o.Groups, groupText: o.GroupText, random: 1}
	if l.leafSize == 0 {
		l.leafSize = maxLeaf
	}
	l.leafSize = min(max(l.leafSize, 2), maxLeaf)
	l.reset()
	return l
}

// reset makes the list empty: the head alone, on the first leaf.
func (l *List) reset() {
	l.links, l.leaves, l.places = slab[link]{bits: linkBits}, slab[leaf]{bits: leafBits}, slab[place]{bits: leafBits}
	l.free = [maxHeight + 1]uint32{}
	l.nLinks, l.nFree, l.nLeaves, l.n, l.level = 0, 0, 0, 0, 1
	l.newTower(maxHeight)
	*l.link(head, 0) = link{key: maxKey}
	l.newLeaf(place{tower: head, height: maxHeight})
}
