package peers

import (
	"strings"

	gopkg "github.com/bytedance/gopkg/collection/zset"

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

func (b *ours) Encode(dst []byte, lo, hi int, f Format) []byte {
	dst = f.begin(dst, hi-lo)
	for member, score := range b.set.Range(lo, hi) {
		dst = appendEntry(dst, f, member, score)
	}
	return f.end(dst)
}

// bytedance is the sorted set of bytedance/gopkg: a skip list with spans and a map. It always takes a read-write lock,
// about 20 ns without contention.
//
// Its API does not hand back the text it holds, so an update leaves it holding the caller's: a clone for each would be
// fairer to memory and dearer in time, and the doubt goes to the peer.
type bytedance struct {
	set  *gopkg.Float64Set
	page []gopkg.Float64Node
}

func newBytedance() Board { return &bytedance{set: gopkg.NewFloat64()} }

func (b *bytedance) Insert(k workload.Key, score float64) { b.set.Add(score, strings.Clone(k.Name)) }
func (b *bytedance) Set(k workload.Key, score float64)    { b.set.Add(score, k.Name) }
func (b *bytedance) Incr(k workload.Key, delta float64)   { b.set.IncrBy(delta, k.Name) }
func (b *bytedance) Remove(k workload.Key)                { b.set.Remove(k.Name) }
func (b *bytedance) Score(k workload.Key) (float64, bool) { return b.set.Score(k.Name) }
func (b *bytedance) Len() int                             { return b.set.Len() }

func (b *bytedance) Rank(k workload.Key) (int, bool) {
	rank := b.set.Rank(k.Name)
	return rank, rank >= 0
}

// Page keeps the slice that the peer makes for each call.
func (b *bytedance) Page(lo, hi int) int {
	b.page = b.set.Range(lo, hi-1)
	return len(b.page)
}

func (b *bytedance) Row(i int) (string, float64) { return b.page[i].Value, b.page[i].Score }

// Walk has to take a page: the peer has no iterator.
func (b *bytedance) Walk(lo, hi int) uint64 {
	var sum uint64
	for _, e := range b.set.Range(lo, hi-1) {
		sum = fold(sum, e.Score, e.Value)
	}
	return sum
}

// Encode has to take a page, as Walk.
func (b *bytedance) Encode(dst []byte, lo, hi int, f Format) []byte {
	dst = f.begin(dst, hi-lo)
	for _, e := range b.set.Range(lo, hi-1) {
		dst = appendEntry(dst, f, e.Value, e.Score)
	}
	return f.end(dst)
}
