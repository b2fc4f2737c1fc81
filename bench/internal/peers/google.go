package peers

import (
	"strings"

	"github.com/google/btree"

	"github.com/zrankdb/zrank/bench/internal/workload"
)

// googleDegree is the usual choice, and about the fastest for rows of 24 bytes.
const googleDegree = 32

// google is google/btree in the order of (score, member), with a map for the scores. It has no ranks: they are counted.
type google struct {
	tree   *btree.BTreeG[row]
	scores map[string]float64
	page   []row
}

func newGoogle() Board {
	return &google{tree: btree.NewG(googleDegree, rowLess), scores: map[string]float64{}}
}

func (b *google) Insert(k workload.Key, score float64) { b.Set(k, score) }

func (b *google) Set(k workload.Key, score float64) {
	old, had := b.scores[k.Name]
	if !had {
		b.put(row{score, strings.Clone(k.Name)})
	} else if old != score {
		b.move(row{old, k.Name}, score)
	}
}

func (b *google) Incr(k workload.Key, delta float64) {
	if old, had := b.scores[k.Name]; had && delta != 0 {
		b.move(row{old, k.Name}, old+delta)
	}
}

// move gives the member of old another score, and keeps the text the board owns.
func (b *google) move(old row, score float64) {
	owned, _ := b.tree.Delete(old)
	b.put(row{score, owned.member})
}

func (b *google) put(r row) {
	b.tree.ReplaceOrInsert(r)
	b.scores[r.member] = r.score
}

func (b *google) Remove(k workload.Key) {
	if old, had := b.scores[k.Name]; had {
		b.tree.Delete(row{old, k.Name})
		delete(b.scores, k.Name)
	}
}

func (b *google) Score(k workload.Key) (float64, bool) {
	score, ok := b.scores[k.Name]
	return score, ok
}

func (b *google) Len() int { return b.tree.Len() }

// Rank counts the entries before the member.
func (b *google) Rank(k workload.Key) (int, bool) {
	score, ok := b.scores[k.Name]
	if !ok {
		return 0, false
	}
	rank := 0
	b.tree.AscendLessThan(row{score, k.Name}, func(row) bool { rank++; return true })
	return rank, true
}

func (b *google) Page(lo, hi int) int {
	b.page = b.page[:0]
	b.between(lo, hi, func(r row) { b.page = append(b.page, r) })
	return len(b.page)
}

func (b *google) Row(i int) (string, float64) { return b.page[i].member, b.page[i].score }

func (b *google) Walk(lo, hi int) uint64 {
	var sum uint64
	b.between(lo, hi, func(r row) { sum = fold(sum, r.score, r.member[len(r.member)-1]) })
	return sum
}

// between skips lo entries and visits the next hi-lo.
func (b *google) between(lo, hi int, visit func(row)) {
	i := 0
	b.tree.Ascend(func(r row) bool {
		if i >= lo && i < hi {
			visit(r)
		}
		i++
		return i < hi
	})
}
