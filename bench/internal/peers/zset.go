package peers

import (
	"github.com/zrankdb/zrank/bench/internal/workload"
	"github.com/zrankdb/zrank/zset"
)

// ours is zset with default options.
type ours struct {
	set  *zset.Set
	page []zset.Entry
}

func newZset() Board {
	set, err := zset.New(zset.Options{})
	if err != nil {
		panic(err) // the zero Options are valid
	}
	return &ours{set: set}
}

func (b *ours) Insert(k workload.Key, score float64) { b.Set(k, score) }

func (b *ours) Set(k workload.Key, score float64) {
	if _, err := b.set.Add(k.Raw, score); err != nil {
		panic(err) // no load has a NaN or a long member
	}
}

func (b *ours) Incr(k workload.Key, delta float64) {
	if _, err := b.set.IncrBy(k.Raw, delta); err != nil {
		panic(err)
	}
}

func (b *ours) Remove(k workload.Key)                { b.set.Remove(k.Raw) }
func (b *ours) Score(k workload.Key) (float64, bool) { return b.set.Score(k.Raw) }
func (b *ours) Rank(k workload.Key) (int, bool)      { return b.set.Rank(k.Raw) }
func (b *ours) Len() int                             { return b.set.Len() }

func (b *ours) Page(lo, hi int) int {
	b.page = b.set.Append(b.page[:0], lo, hi)
	return len(b.page)
}

func (b *ours) Row(i int) (string, float64) { return string(b.page[i].Member), b.page[i].Score }

func (b *ours) Walk(lo, hi int) uint64 {
	var sum uint64
	for member, score := range b.set.Range(lo, hi) {
		sum = fold(sum, score, member)
	}
	return sum
}
