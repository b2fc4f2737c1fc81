package peers

import (
	google "github.com/google/btree"
	tidwall "github.com/tidwall/btree"

	"github.com/zrankdb/zrank/bench/internal/counted"
)

// byScore is the part of a tree whose map holds scores.
type byScore struct{}

func (byScore) score(h float64) float64 { return h }

// rows is a tree without counts: put inserts a row, and take removes one and returns the tree's own.
type rows struct {
	byScore
	put  func(row)
	take func(row) row
}

func (t rows) insert(r row) float64 {
	t.put(r)
	return r.score
}

func (t rows) move(old float64, member string, score float64) (float64, string) {
	owned := t.take(row{old, member}).member
	t.put(row{score, owned})
	return score, owned
}

func (t rows) remove(score float64, member string) { t.take(row{score, member}) }

// countedTree is the counted B+ tree of this module.
type countedTree struct {
	byScore
	*counted.Tree
}

func newCounted() Board { return withMap[float64](countedTree{Tree: counted.New()}) }

func (t countedTree) insert(r row) float64 {
	t.Insert(r.score, r.member)
	return r.score
}

func (t countedTree) move(old float64, member string, score float64) (float64, string) {
	return score, t.Move(old, member, score)
}
func (t countedTree) remove(score float64, member string)   { t.Delete(score, member) }
func (t countedTree) rank(score float64, member string) int { return t.Rank(score, member) }
func (t countedTree) len() int                              { return t.Len() }

func (t countedTree) from(rank int, visit func(row) bool) {
	for score, member := range t.Range(rank, t.Len()) {
		if !visit(row{score, member}) {
			return
		}
	}
}

// tidwallTree is tidwall/btree, a counted B-tree. It knows the entry of a rank but not the rank of an entry: that is found by bisection.
type tidwallTree struct {
	rows
	*tidwall.BTreeG[row]
}

func newTidwall() Board {
	t := tidwall.NewBTreeGOptions(less, tidwall.Options{NoLocks: true})
	return withMap[float64](tidwallTree{BTreeG: t, rows: rows{
		put: func(r row) { t.Set(r) }, take: func(r row) row { owned, _ := t.Delete(r); return owned }}})
}

func (t tidwallTree) len() int { return t.Len() }

// rank bisects over GetAt, O(log² n).
func (t tidwallTree) rank(score float64, member string) int {
	want := row{score, member}
	lo, hi := 0, t.Len()
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if r, _ := t.GetAt(mid); less(r, want) {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

func (t tidwallTree) from(rank int, visit func(row) bool) {
	if first, ok := t.GetAt(rank); ok {
		t.Ascend(first, visit)
	}
}

// googleTree is google/btree. It has no ranks: they are counted.
type googleTree struct {
	rows
	*google.BTreeG[row]
}

// googleDegree is the usual choice, and about the fastest for rows of 24 bytes.
const googleDegree = 32

func newGoogle() Board {
	t := google.NewG(googleDegree, less)
	return withMap[float64](googleTree{BTreeG: t, rows: rows{
		put: func(r row) { t.ReplaceOrInsert(r) }, take: func(r row) row { owned, _ := t.Delete(r); return owned }}})
}

func (t googleTree) len() int { return t.Len() }

func (t googleTree) rank(score float64, member string) (rank int) {
	t.AscendLessThan(row{score, member}, func(row) bool { rank++; return true })
	return rank
}

func (t googleTree) from(rank int, visit func(row) bool) {
	t.Ascend(func(r row) bool {
		rank--
		return rank >= 0 || visit(r)
	})
}
