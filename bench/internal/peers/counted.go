package peers

import (
	"strings"

	"github.com/zrankdb/zrank/bench/internal/counted"
	"github.com/zrankdb/zrank/bench/internal/workload"
)

// handmade is the counted B+ tree of this module, in the order of (score, member), with a map for the scores.
type handmade struct {
	tree   *counted.Tree
	scores map[string]float64
	page   []row
}

func newCounted() Board { return &handmade{tree: counted.New(), scores: map[string]float64{}} }

func (b *handmade) Insert(k workload.Key, score float64) { b.Set(k, score) }

func (b *handmade) Set(k workload.Key, score float64) {
	old, had := b.scores[k.Name]
	if !had {
		owned := strings.Clone(k.Name)
		b.tree.Insert(score, owned)
		b.scores[owned] = score
	} else if old != score {
		b.scores[b.tree.Move(old, k.Name, score)] = score
	}
}

func (b *handmade) Incr(k workload.Key, delta float64) {
	if old, had := b.scores[k.Name]; had && delta != 0 {
		b.scores[b.tree.Move(old, k.Name, old+delta)] = old + delta
	}
}

func (b *handmade) Remove(k workload.Key) {
	if old, had := b.scores[k.Name]; had {
		b.tree.Delete(old, k.Name)
		delete(b.scores, k.Name)
	}
}

func (b *handmade) Score(k workload.Key) (float64, bool) {
	score, ok := b.scores[k.Name]
	return score, ok
}

func (b *handmade) Len() int { return b.tree.Len() }

func (b *handmade) Rank(k workload.Key) (int, bool) {
	score, ok := b.scores[k.Name]
	if !ok {
		return 0, false
	}
	return b.tree.Rank(score, k.Name), true
}

func (b *handmade) Page(lo, hi int) int {
	b.page = b.page[:0]
	for score, member := range b.tree.Range(lo, hi) {
		b.page = append(b.page, row{score, member})
	}
	return len(b.page)
}

func (b *handmade) Row(i int) (string, float64) { return b.page[i].member, b.page[i].score }

func (b *handmade) Walk(lo, hi int) uint64 {
	var sum uint64
	for score, member := range b.tree.Range(lo, hi) {
		sum = fold(sum, score, member[len(member)-1])
	}
	return sum
}
