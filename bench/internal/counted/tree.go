package counted

import "iter"

// Tree is an ordered collection of distinct rows that knows ranks. Make one with New. Ranks are 0-based.
type Tree struct {
	root *node
}

// New returns an empty tree.
func New() *Tree { return &Tree{root: new(node)} }

// Len returns the number of rows, in O(1).
func (t *Tree) Len() int { return t.root.rows() }

// Insert adds a row, which must not be there, in O(log n).
func (t *Tree) Insert(score float64, member string) {
	x := t.root
	if x.n == width {
		x = &node{n: 1, kids: new(kids)}
		x.nodes[0], x.counts[0] = t.root, t.root.rows()
		t.root = x
	}
	for x.kids != nil {
		i := x.kid(score, member)
		if x.nodes[i].n == width {
			x.split(i)
			i = x.kid(score, member)
		}
		x.counts[i]++
		x = x.nodes[i]
	}
	x.insert(score, member)
}

// Delete removes a row, which must be there, and returns the member that the tree held, in O(log n).
func (t *Tree) Delete(score float64, member string) string {
	x := t.root
	for x.kids != nil {
		i := x.kid(score, member)
		if x.nodes[i].n <= least && x.n > 1 {
			x.fill(i)
			i = x.kid(score, member)
		}
		x.counts[i]--
		x = x.nodes[i]
	}
	member = x.remove(score, member)
	if t.root.n == 1 && t.root.kids != nil {
		t.root = t.root.nodes[0]
	}
	return member
}

// Move gives a row, which must be there, another score, and returns the member that the tree holds, in O(log n).
func (t *Tree) Move(score float64, member string, to float64) string {
	x := t.root
	for x.kids != nil {
		i := x.kid(score, member)
		if i != x.kid(to, member) {
			member = t.Delete(score, member)
			t.Insert(to, member)
			return member
		}
		x = x.nodes[i]
	}
	member = x.remove(score, member) // both rows belong here, so nothing above changes
	x.insert(to, member)
	return member
}

// Rank returns how many rows are less than the given one, in O(log n).
func (t *Tree) Rank(score float64, member string) int {
	rank, x := 0, t.root
	for x.kids != nil {
		i := x.kid(score, member)
		rank += x.before(i)
		x = x.nodes[i]
	}
	return rank + x.find(score, member)
}

// Range yields the rows with ranks in [lo, hi), which must lie within the tree, in O(log n + hi-lo).
func (t *Tree) Range(lo, hi int) iter.Seq2[float64, string] {
	return func(yield func(float64, string) bool) {
		if lo >= hi {
			return
		}
		x, i := t.at(lo)
		for left := hi - lo; left > 0; x, i = x.next, 0 {
			end := min(i+left, x.n)
			left -= end - i
			for ; i < end; i++ {
				if !yield(x.scores[i], x.members[i]) {
					return
				}
			}
		}
	}
}

// at returns the leaf of a rank and the place in it.
func (t *Tree) at(rank int) (*node, int) {
	x := t.root
	for x.kids != nil {
		i := 0
		for rank >= x.counts[i] {
			rank -= x.counts[i]
			i++
		}
		x = x.nodes[i]
	}
	return x, rank
}

// split gives the upper half of kid i, which is full, to a new kid after it. There must be room for one.
func (x *node) split(i int) {
	x.move(x, i+2, i+1, x.n)
	x.n++
	kid, half := x.nodes[i], new(node)
	if kid.kids == nil {
		kid.next, half.next = half, kid.next
	} else {
		half.kids = new(kids)
	}
	x.nodes[i+1], x.counts[i+1] = half, 0
	x.share(i, -(width / 2))
}

// fill merges kid i with a neighbour if one node can hold both, and shares their rows or kids evenly if not.
func (x *node) fill(i int) {
	i = max(i-1, 0) // of the two, the left
	a, b := x.nodes[i], x.nodes[i+1]
	if a.n+b.n > width {
		x.share(i, (a.n+b.n)/2-a.n)
		return
	}
	x.share(i, b.n)
	x.counts[i] += x.counts[i+1]
	a.next = b.next
	x.move(x, i+1, i+2, x.n)
	x.resize(x.n - 1)
}

// share moves the first k rows or kids of kid i+1 to the end of kid i, or, if k is negative, the last -k of kid i to kid i+1.
func (x *node) share(i, k int) {
	l, r, rows := x.nodes[i], x.nodes[i+1], x.counts[i]+x.counts[i+1]
	if r.kids != nil {
		r.scores[0], r.members[0] = x.scores[i+1], x.members[i+1] // will stand in the middle of one of them
	}
	l.shift(r, k)
	x.counts[i] = l.rows()
	x.counts[i+1] = rows - x.counts[i]
	x.scores[i+1], x.members[i+1] = r.scores[0], r.members[0]
}
