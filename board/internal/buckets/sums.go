package buckets

import "slices"

// sums is a list of numbers with the sums of its beginnings, in a Fenwick tree: tree[i-1] is the sum of the i & -i numbers up to number i-1.
type sums struct {
	values []int
	tree   []int // nil: not built
}

// build builds the tree. O(numbers).
func (s *sums) build() {
	s.tree = append(s.tree[:0], s.values...)
	for i := 1; i <= len(s.tree); i++ {
		if up := i + i&-i; up <= len(s.tree) {
			s.tree[up-1] += s.tree[i-1]
		}
	}
}

// add adds to number i. O(log numbers).
func (s *sums) add(i, by int) {
	s.values[i] += by
	for j := i + 1; j <= len(s.tree); j += j & -j {
		s.tree[j-1] += by
	}
}

// before returns the sum of the first i numbers. The tree has been built. O(log numbers).
func (s *sums) before(i int) (sum int) {
	for ; i > 0; i -= i & -i {
		sum += s.tree[i-1]
	}
	return sum
}

// split divides number i in two: it keeps so much, and the rest is the number behind it. O(numbers).
func (s *sums) split(i, keep int) {
	rest := s.values[i] - keep
	s.values[i] = keep
	s.values = slices.Insert(s.values, i+1, rest)
	s.build()
}
