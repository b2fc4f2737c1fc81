package counted

import "iter"

// Tree is an ordered collection of distinct rows that knows ranks. Make one with New. Ranks are 0-based.
type Tree struct {
	root *inner
}

// New returns an empty tree.
func New() *Tree {
	t := &Tree{root: &inner{n: 1, height: 1}}
	t.root.leaves[0] = new(leaf)
	return t
}

// Len returns the number of rows, in O(1).
func (t *Tree) Len() int { return t.root.before(t.root.n) }

// Insert adds a row, which must not be there, in O(log n).
func (t *Tree) Insert(score float64, member string) {
	if t.root.n == width {
		old := t.root
		t.root = &inner{n: 1, height: old.height + 1}
		t.root.kids[0], t.root.counts[0] = old, old.before(old.n)
	}
	for in := t.root; ; {
		i := in.find(score, member)
		if in.size(i) == width {
			in.split(i)
			i = in.find(score, member)
		}
		in.counts[i]++
		if in.height == 1 {
			in.leaves[i].insert(score, member)
			return
		}
		in = in.kids[i]
	}
}

// Delete removes a row, which must be there, and returns the member that the tree held, in O(log n).
func (t *Tree) Delete(score float64, member string) string {
	for in := t.root; ; {
		i := in.find(score, member)
		if in.size(i) <= least && in.n > 1 {
			in.fill(i)
			i = in.find(score, member)
		}
		in.counts[i]--
		if in.height == 1 {
			l := in.leaves[i]
			member = l.remove(l.find(score, member))
			break
		}
		in = in.kids[i]
	}
	if t.root.n == 1 && t.root.height > 1 {
		t.root = t.root.kids[0]
	}
	return member
}

// Move gives a row, which must be there, another score, and returns the member that the tree holds, in O(log n).
func (t *Tree) Move(score float64, member string, to float64) string {
	in := t.root
	for {
		i := in.find(score, member)
		if i != in.find(to, member) {
			member = t.Delete(score, member)
			t.Insert(to, member)
			return member
		}
		if in.height == 1 {
			l := in.leaves[i] // both rows belong here, so nothing above changes
			member = l.remove(l.find(score, member))
			l.insert(to, member)
			return member
		}
		in = in.kids[i]
	}
}

// Rank returns how many rows are less than the given one, in O(log n).
func (t *Tree) Rank(score float64, member string) int {
	rank, in := 0, t.root
	for {
		i := in.find(score, member)
		rank += in.before(i)
		if in.height == 1 {
			return rank + in.leaves[i].find(score, member)
		}
		in = in.kids[i]
	}
}

// Range yields the rows with ranks in [lo, hi), which must lie within the tree, in O(log n + hi-lo).
func (t *Tree) Range(lo, hi int) iter.Seq2[float64, string] {
	return func(yield func(float64, string) bool) {
		if lo >= hi {
			return
		}
		l, i := t.at(lo)
		for left := hi - lo; left > 0; l, i = l.next, 0 {
			end := min(i+left, l.n)
			left -= end - i
			for ; i < end; i++ {
				if !yield(l.scores[i], l.members[i]) {
					return
				}
			}
		}
	}
}

// at returns the leaf of a rank and the place in it.
func (t *Tree) at(rank int) (*leaf, int) {
	in := t.root
	for {
		i := 0
		for rank >= in.counts[i] {
			rank -= in.counts[i]
			i++
		}
		if in.height == 1 {
			return in.leaves[i], rank
		}
		in = in.kids[i]
	}
}

// size returns how many rows or kids kid i has.
func (in *inner) size(i int) int {
	if in.height == 1 {
		return in.leaves[i].n
	}
	return in.kids[i].n
}

// split gives the upper half of kid i, which is full, to a new kid after it. There must be room for one.
func (in *inner) split(i int) {
	in.move(in, i+2, i+1, in.n)
	in.n++
	if in.height == 1 {
		l := in.leaves[i]
		l.next = &leaf{next: l.next}
		in.leaves[i+1] = l.next
	} else {
		in.kids[i+1] = &inner{height: in.height - 1}
	}
	in.counts[i+1] = 0
	in.share(i, -(width / 2))
}

// fill merges kid i with a neighbour if one node can hold both, and shares their rows or kids evenly if not.
func (in *inner) fill(i int) {
	i = max(i-1, 0) // of the two, the left
	a, b := in.size(i), in.size(i+1)
	if a+b > width {
		in.share(i, (a+b)/2-a)
		return
	}
	in.share(i, b)
	in.counts[i] += in.counts[i+1]
	if in.height == 1 {
		in.leaves[i].next = in.leaves[i+1].next
	}
	in.move(in, i+1, i+2, in.n)
	in.resize(in.n - 1)
}

// share moves the first k rows or kids of kid i+1 to the end of kid i, or, if k is negative, the last -k of kid i to kid i+1.
func (in *inner) share(i, k int) {
	rows := in.counts[i] + in.counts[i+1]
	if in.height == 1 {
		l, r := in.leaves[i], in.leaves[i+1]
		l.shift(r, k)
		in.counts[i] = l.n
		in.scores[i+1], in.members[i+1] = r.scores[0], r.members[0]
	} else {
		l, r := in.kids[i], in.kids[i+1]
		r.scores[0], r.members[0] = in.scores[i+1], in.members[i+1] // will stand in the middle of one of them
		l.shift(r, k)
		in.counts[i] = l.before(l.n)
		in.scores[i+1], in.members[i+1] = r.scores[0], r.members[0]
	}
	in.counts[i+1] = rows - in.counts[i]
}
