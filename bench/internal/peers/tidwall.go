package peers

import (
	"strings"

	"github.com/tidwall/btree"

	"github.com/zrankdb/zrank/bench/internal/workload"
)

// tidwall is tidwall/btree, a counted B-tree, in the order of (score, member), with a map for the scores. It knows the
// entry of a rank but not the rank of an entry: that is found by bisection.
type tidwall struct {
	tree   *btree.BTreeG[row]
	scores map[string]float64
	page   []row
}

func newTidwall() Board {
	return &tidwall{
		tree:   btree.NewBTreeGOptions(rowLess, btree.Options{NoLocks: true}),
		scores: map[string]float64{},
	}
}

func (b *tidwall) Insert(k workload.Key, score float64) { b.Set(k, score) }

func (b *tidwall) Set(k workload.Key, score float64) {
	old, had := b.scores[k.Name]
	if !had {
		b.put(row{score, strings.Clone(k.Name)})
	} else if old != score {
		b.move(row{old, k.Name}, score)
	}
}

func (b *tidwall) Incr(k workload.Key, delta float64) {
	if old, had := b.scores[k.Name]; had && delta != 0 {
		b.move(row{old, k.Name}, old+delta)
	}
}

// move gives the member of old another score, and keeps the text the board owns.
func (b *tidwall) move(old row, score float64) {
	owned, _ := b.tree.Delete(old)
	b.put(row{score, owned.member})
}

func (b *tidwall) put(r row) {
	b.tree.Set(r)
	b.scores[r.member] = r.score
}

func (b *tidwall) Remove(k workload.Key) {
	if old, had := b.scores[k.Name]; had {
		b.tree.Delete(row{old, k.Name})
		delete(b.scores, k.Name)
	}
}

func (b *tidwall) Score(k workload.Key) (float64, bool) {
	score, ok := b.scores[k.Name]
	return score, ok
}

func (b *tidwall) Len() int { return b.tree.Len() }

// Rank bisects over GetAt, O(log² n).
func (b *tidwall) Rank(k workload.Key) (int, bool) {
	score, ok := b.scores[k.Name]
	if !ok {
		return 0, false
	}
	want := row{score, k.Name}
	lo, hi := 0, b.tree.Len()
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if r, _ := b.tree.GetAt(mid); rowLess(r, want) {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo, true
}

func (b *tidwall) Page(lo, hi int) int {
	b.page = b.page[:0]
	first, ok := b.tree.GetAt(lo)
	if !ok || lo >= hi {
		return 0
	}
	b.tree.Ascend(first, func(r row) bool {
		b.page = append(b.page, r)
		return len(b.page) < hi-lo
	})
	return len(b.page)
}

func (b *tidwall) Row(i int) (string, float64) { return b.page[i].member, b.page[i].score }

func (b *tidwall) Walk(lo, hi int) uint64 {
	var sum uint64
	first, ok := b.tree.GetAt(lo)
	if !ok || lo >= hi {
		return 0
	}
	left := hi - lo
	b.tree.Ascend(first, func(r row) bool {
		sum = fold(sum, r.score, r.member[len(r.member)-1])
		left--
		return left > 0
	})
	return sum
}
