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

// leaf holds rows in two parallel arrays: a search reads scores, and members only where scores are equal.
type leaf struct {
	n       int
	next    *leaf
	scores  [width]float64
	members [width]string
}

// find returns the number of rows that are less than the given one.
func (l *leaf) find(score float64, member string) int {
	return search(l.scores[:l.n], l.members[:], score, member)
}

func (l *leaf) insert(score float64, member string) {
	i := l.find(score, member)
	copy(l.scores[i+1:l.n+1], l.scores[i:l.n])
	copy(l.members[i+1:l.n+1], l.members[i:l.n])
	l.scores[i], l.members[i] = score, member
	l.n++
}

// remove takes out row i and returns its member.
func (l *leaf) remove(i int) string {
	member := l.members[i]
	copy(l.scores[i:l.n-1], l.scores[i+1:l.n])
	copy(l.members[i:l.n-1], l.members[i+1:l.n])
	l.n--
	l.members[l.n] = ""
	return member
}

// shift moves the first k rows of r, the next leaf, to the end of l, or, if k is negative, the last -k of l to r.
func (l *leaf) shift(r *leaf, k int) {
	shift(l, r, l.n, r.n, k)
	clear(l.members[min(l.n+k, l.n):l.n])
	clear(r.members[min(r.n-k, r.n):r.n])
	l.n += k
	r.n -= k
}

// move copies rows [from, to) to place at of dst, which may be l itself.
func (l *leaf) move(dst *leaf, at, from, to int) {
	copy(dst.scores[at:], l.scores[from:to])
	copy(dst.members[at:], l.members[from:to])
}

// inner is a node above the leaves. Its kids are leaves at height 1, and inner nodes above.
type inner struct {
	n, height int
	scores    [width]float64 // the lows, as in a leaf
	members   [width]string
	counts    [width]int
	leaves    [width]*leaf
	kids      [width]*inner
}

// find returns the kid that a row belongs to: the last whose low is not greater.
func (in *inner) find(score float64, member string) int {
	i := 1 + search(in.scores[1:in.n], in.members[1:], score, member)
	if i < in.n && in.scores[i] == score && in.members[i] == member {
		return i
	}
	return i - 1
}

// before returns the number of rows below the first i kids.
func (in *inner) before(i int) int {
	sum := 0
	for _, c := range in.counts[:i] {
		sum += c
	}
	return sum
}

// shift moves the first k kids of r, the next inner node, to the end of in, or, if k is negative, the last -k of in to r.
func (in *inner) shift(r *inner, k int) {
	shift(in, r, in.n, r.n, k)
	in.resize(in.n + k)
	r.resize(r.n - k)
}

// move copies kids [from, to) to place at of dst, which may be in itself.
func (in *inner) move(dst *inner, at, from, to int) {
	copy(dst.scores[at:], in.scores[from:to])
	copy(dst.members[at:], in.members[from:to])
	copy(dst.counts[at:], in.counts[from:to])
	copy(dst.leaves[at:], in.leaves[from:to])
	copy(dst.kids[at:], in.kids[from:to])
}

// resize sets the number of kids and forgets what is behind the last.
func (in *inner) resize(n int) {
	if n < in.n {
		clear(in.members[n:in.n])
		clear(in.leaves[n:in.n])
		clear(in.kids[n:in.n])
	}
	in.n = n
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

// shift moves the first k of the rn entries of r to the end of the ln of l, or, if k is negative, the last -k of l to r.
func shift[N interface{ move(dst N, at, from, to int) }](l, r N, ln, rn, k int) {
	if k > 0 {
		r.move(l, ln, 0, k)
		r.move(r, 0, k, rn)
	} else {
		r.move(r, -k, 0, rn)
		l.move(r, 0, ln+k, ln)
	}
}
