package counted

const (
	// width is the most rows of a leaf and the most kids of an inner node. These fill a size class of Go's heap. The better
	// of two runs with 1 M members of 20 bytes, map included, on a shared machine, where 10 % is noise:
	//
	//	width   update   incr    rank    page of 100   memory   in boards of 128
	//	   31   1.67 us  467 ns  618 ns  896 ns        119 B    124 B
	//	   41   1.55     504     599     600           118      125
	//	   63   1.61     546     664     647           116      137
	//	   84   1.30     414     628     370           116      140
	//	  127   1.30     448     627     341           115      172
	width = 84
	least = width / 3
)

// node is a leaf or an inner node. It holds the rows of a leaf, or the lows of kids, in two parallel arrays: a search reads scores, and
// members only where scores are equal.
type node struct {
	n       int   // rows or kids
	next    *node // of a leaf
	scores  [width]float64
	members [width]string
	*kids   // nil: a leaf
}

type kids struct {
	counts [width]int
	nodes  [width]*node
}

// find returns the number of rows of a leaf that are less than the given one.
func (x *node) find(score float64, member string) int {
	return search(x.scores[:x.n], x.members[:], score, member)
}

// kid returns the kid that a row belongs to: the last whose low is not greater.
func (x *node) kid(score float64, member string) int {
	i := 1 + search(x.scores[1:x.n], x.members[1:], score, member)
	if i < x.n && x.scores[i] == score && x.members[i] == member {
		return i
	}
	return i - 1
}

// before returns the number of rows below the first i kids.
func (x *node) before(i int) int {
	sum := 0
	for _, c := range x.counts[:i] {
		sum += c
	}
	return sum
}

// rows returns the number of rows of a leaf, or below an inner node.
func (x *node) rows() int {
	if x.kids == nil {
		return x.n
	}
	return x.before(x.n)
}

// insert adds a row to a leaf.
func (x *node) insert(score float64, member string) {
	i := x.find(score, member)
	copy(x.scores[i+1:x.n+1], x.scores[i:x.n])
	copy(x.members[i+1:x.n+1], x.members[i:x.n])
	x.scores[i], x.members[i] = score, member
	x.n++
}

// remove takes a row out of a leaf and returns its member.
func (x *node) remove(score float64, member string) string {
	i := x.find(score, member)
	member = x.members[i]
	copy(x.scores[i:x.n-1], x.scores[i+1:x.n])
	copy(x.members[i:x.n-1], x.members[i+1:x.n])
	x.n--
	x.members[x.n] = ""
	return member
}

// shift moves the first k rows or kids of r, the next node, to the end of x, or, if k is negative, the last -k of x to r.
func (x *node) shift(r *node, k int) {
	if k > 0 {
		r.move(x, x.n, 0, k)
		r.move(r, 0, k, r.n)
	} else {
		r.move(r, -k, 0, r.n)
		x.move(r, 0, x.n+k, x.n)
	}
	x.resize(x.n + k)
	r.resize(r.n - k)
}

// move copies rows or kids [from, to) to place at of dst, which may be x itself.
func (x *node) move(dst *node, at, from, to int) {
	copy(dst.scores[at:], x.scores[from:to])
	copy(dst.members[at:], x.members[from:to])
	if x.kids != nil {
		copy(dst.counts[at:], x.counts[from:to])
		copy(dst.nodes[at:], x.nodes[from:to])
	}
}

// resize sets the number of rows or kids and forgets what is behind the last.
func (x *node) resize(n int) {
	if n < x.n {
		clear(x.members[n:x.n])
		if x.kids != nil {
			clear(x.nodes[n:x.n])
		}
	}
	x.n = n
}

// search returns how many of the ascending rows are less than the given one.
func search(scores []float64, members []string, score float64, member string) int {
	lo, hi := 0, len(scores)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if s := scores[mid]; s < score || s == score && members[mid] < member {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}
