package boards

import (
	"strings"
	"sync"

	"github.com/bytedance/gopkg/collection/zset"

	"github.com/zrankdb/zrank/bench/internal/workload"
	"github.com/zrankdb/zrank/engine/board"
)

// bytedance is three sets of bytedance/gopkg, each with its own lock, under one of the user's. They keep the caller's text after
// an update: a clone for each would cost them time, and the doubt goes to the peer.
type bytedance struct {
	atOnce
	inside
	mu   sync.RWMutex
	sets []*zset.Float64Set // those of all time first
}

func newBytedance() *bytedance {
	b := &bytedance{}
	for range keys {
		b.sets = append(b.sets, zset.NewFloat64())
	}
	return b
}

func (b *bytedance) put(s *workload.Stream) error {
	for i := range s.Len() {
		name := strings.Clone(s.Key(i).Name)
		for _, x := range b.sets {
			x.Add(s.Score(i), name)
		}
	}
	return nil
}

func (b *bytedance) settle() error           { return nil }
func (b *bytedance) caller() (client, error) { return b, nil }

func (b *bytedance) submit(k workload.Key, points float64) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, x := range b.sets {
		x.IncrBy(points, k.Name)
		if x.Rank(k.Name) < 0 {
			return absent(k)
		}
	}
	return nil
}

// card makes its calls under the user's lock, so that they are of one moment. The rank from the best is worked out: RevRank of
// v0.1.4 counts from the worst.
func (b *bytedance) card(k workload.Key, _ board.Mode) error {
	b.mu.RLock()
	defer b.mu.RUnlock()
	all := b.sets[0]
	first, rank, n := all.RevRange(0, top-1), all.Rank(k.Name), all.Len()
	if rank < 0 || len(first) == 0 {
		return absent(k)
	}
	own := n - 1 - rank
	lo, hi := around(own, n)
	if near := all.RevRange(lo, hi-1); near[own-lo].Value != k.Name {
		return absent(k)
	}
	return nil
}

func (b *bytedance) players() (list []int, err error) {
	for _, x := range b.sets {
		list = append(list, x.Len())
	}
	return list, nil
}

func (b *bytedance) Close() error { return nil }
