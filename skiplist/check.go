package skiplist

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/zrankdb/zrank/internal/invariants"
)

// check panics if the list violates one of S1..S9. O(n).
func (l *List) check() {
	if number, found := l.verify(); number != "" {
		invariants.Violated("skiplist", number, found, l)
	}
}

// verify returns the number of the first violated invariant and a description; "" means that all hold. It walks over the leaves itself,
// and leaves holes, levels and starts to the functions below.
func (l *List) verify() (number, found string) {
	firsts := map[uint32]int{} // rank of each tower's first entry
	rank, leaves, prev := 0, 0, none
	var lastKey uint64
	var lastText []byte
	for tower := head; ; {
		slot, n := l.at(tower)
		p, f, next := l.place(slot), l.leaf(slot), l.link(tower, 0).next
		firsts[tower] = rank
		if p.tower != tower || tower != head && p.prev != prev {
			return "S5", fmt.Sprintf("slot of tower %d names tower %d and prev %d, not %d", tower, p.tower, p.prev, prev)
		}
		if n > l.leafSize || n == 0 && l.n > 0 || n < l.minFill() && tower != head && next != none {
			return "S4", fmt.Sprintf("leaf of tower %d holds %d entries of %d", tower, n, l.leafSize)
		}
		for i := range n {
			key, text := l.records.Key(f.refs[i]), l.records.Text(f.refs[i])
			if rank+i > 0 && (key < lastKey || key == lastKey && bytes.Compare(lastText, text) >= 0) {
				return "S1", fmt.Sprintf("entry %d is not after the one before it", rank+i)
			}
			if x, _, ok := p.piece(key); !ok || x != f.pieces[i] {
				return "S8", fmt.Sprintf("entry %d has piece %d, not %d of key %#x (%v)", rank+i, f.pieces[i], x, key, ok)
			}
			lastKey, lastText = key, text
		}
		rank += n
		leaves++
		if next == none {
			break
		}
		prev, tower = tower, next
	}
	if rank != l.n {
		return "S2", fmt.Sprintf("leaves hold %d entries, Len is %d", rank, l.n)
	}
	if int(l.nLeaves) != leaves {
		return "S7", fmt.Sprintf("%d slots for %d leaves", l.nLeaves, leaves)
	}
	if number, found := l.verifyFree(); number != "" {
		return number, found
	}
	if number, found := l.verifyLevels(firsts); number != "" {
		return number, found
	}
	return l.verifyStarts()
}

// verifyStarts compares the starts that the links count with a count over the entries.
func (l *List) verifyStarts() (number, found string) {
	if !l.grouped {
		return "", ""
	}
	before := map[uint32]uint32{} // starts before each tower's leaf
	all, last := uint32(0), none
	for tower := head; ; {
		slot, n := l.at(tower)
		before[tower] = all
		for _, ref := range l.leaf(slot).refs[:n] {
			if all == 0 || !l.alike(last, ref) {
				all++
			}
			last = ref
		}
		if tower = l.link(tower, 0).next; tower == none {
			break
		}
	}
	for level := range l.level {
		for tower := head; ; {
			next, end := l.link(tower, level).next, all
			if next != none {
				end = before[next]
			}
			if got := l.starts(tower, level); got != end-before[tower] {
				return "S9", fmt.Sprintf("link %d/%d counts %d starts, not %d", tower, level, got, end-before[tower])
			}
			if tower = next; tower == none {
				break
			}
		}
	}
	return "", ""
}

// verifyFree walks the slab of links from its end, hole by hole and tower by tower, and follows the chains of holes.
func (l *List) verifyFree() (number, found string) {
	chained := map[uint32]int{}
	for height, at := range l.free {
		for before := none; at != none && chained[at] == 0; before, at = at, l.link(at, 0).next {
			if k := l.link(at, 0); k.ref != before {
				return "S7", fmt.Sprintf("hole %d follows %d, not %d", at, before, k.ref)
			}
			chained[at] = height
		}
	}
	end, free, towers := l.nLinks, 0, 0
	defer func() { l.nLinks = end }()
	for l.nLinks > 0 {
		start, height, tower := l.last()
		if tower {
			towers++
		} else if free += height; chained[start] != height {
			return "S7", fmt.Sprintf("hole %d of height %d is in no chain", start, height)
		}
		l.nLinks = start
	}
	if free != int(l.nFree) || towers != int(l.nLeaves) {
		return "S7", fmt.Sprintf("%d links in holes, not %d; %d towers for %d leaves", free, l.nFree, towers, l.nLeaves)
	}
	return "", ""
}

// verifyLevels checks the links of every level. firsts has the rank of each tower's first entry.
func (l *List) verifyLevels(firsts map[uint32]int) (number, found string) {
	seen := 1
	for level := l.level - 1; level >= 0; level-- {
		towers := 1
		for tower := head; ; {
			k, end := *l.link(tower, level), l.n
			if k.next == none && k.key != maxKey {
				return "S3", fmt.Sprintf("link %d/%d ends the level with key %d", tower, level, k.key)
			}
			if k.next != none {
				first, ok := firsts[k.next]
				slot, _ := l.at(k.next)
				if !ok || level >= int(l.place(slot).height) {
					return "S6", fmt.Sprintf("level %d leads to tower %d, which does not reach it", level, k.next)
				}
				if ref := l.leaf(slot).refs[0]; k.ref != ref || k.key != l.records.Key(ref) {
					return "S3", fmt.Sprintf("link %d/%d caches key %d of %d, the leaf starts with %d", tower, level, k.key, k.ref, ref)
				}
				end = first
				towers++
			}
			if int(k.span) != end-firsts[tower] {
				return "S2", fmt.Sprintf("span of %d/%d is %d, not %d", tower, level, k.span, end-firsts[tower])
			}
			if k.next == none {
				break
			}
			tower = k.next
		}
		if towers < seen || level > 0 && towers == 1 {
			return "S6", fmt.Sprintf("level %d has %d towers, the one above %d", level, towers, seen)
		}
		seen = towers
	}
	if seen != len(firsts) {
		return "S6", fmt.Sprintf("level 0 links %d of %d leaves", seen, len(firsts))
	}
	return "", ""
}

// GoString draws the levels from the top, each link as tower[span]. O(leaves).
func (l *List) GoString() string {
	var b strings.Builder
	fmt.Fprintf(&b, "skiplist of %d entries, leaves of %d\n", l.n, l.leafSize)
	for level := l.level - 1; level >= 0; level-- {
		fmt.Fprintf(&b, "level %2d", level)
		tower := head
		for range 1000 {
			k := l.link(tower, level)
			fmt.Fprintf(&b, "  %d[%d]", tower, k.span)
			if tower = k.next; tower == none {
				break
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// changed is called at the end of every change.
func (l *List) changed() {
	for steps := 0; steps < trimSteps && l.sparse() && l.trim(); steps++ {
	}
	if invariants.Enabled {
		l.changes++
		if invariants.Due(l.n, l.changes) {
			l.check()
		}
	}
}
