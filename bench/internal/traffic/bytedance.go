package traffic

import (
	"strings"
	"sync"

	"github.com/bytedance/gopkg/collection/zset"

	"github.com/zrankdb/zrank/bench/internal/workload"
)

// bytedance is sets of bytedance/gopkg, each with its own lock. They keep the caller's text after an update: a clone for each
// would cost them time, and the doubt goes to the peer.
type bytedance struct {
	atOnce
	inside
	keys []string
	hot  *zset.Float64Set // in the place of the map, if there is only one set

	mu   sync.RWMutex
	sets map[string]*zset.Float64Set
}

func openBytedance(c Case, l *load) *bytedance {
	b := &bytedance{keys: l.keys, sets: map[string]*zset.Float64Set{}}
	if c.hot {
		b.hot = zset.NewFloat64()
	}
	return b
}

// find returns a set, making one that is not there if it is to be written.
func (b *bytedance) find(set int, write bool) *zset.Float64Set {
	if b.hot != nil {
		return b.hot
	}
	b.mu.RLock()
	s := b.sets[b.keys[set]]
	b.mu.RUnlock()
	if s != nil || !write {
		return s
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if s = b.sets[b.keys[set]]; s == nil {
		s = zset.NewFloat64()
		b.sets[b.keys[set]] = s
	}
	return s
}

func (b *bytedance) fill(parts []part) error {
	for _, p := range parts {
		for i := range p.members.Len() {
			b.find(p.set, true).Add(p.members.Score(i), strings.Clone(p.members.Key(i).Name))
		}
	}
	return nil
}

func (b *bytedance) settle() error           { return nil }
func (b *bytedance) caller() (client, error) { return b, nil }

func (b *bytedance) write(set int, k workload.Key, score float64) error {
	b.find(set, true).Add(score, k.Name)
	return nil
}

func (b *bytedance) read(set int, k workload.Key) error {
	if s := b.find(set, false); s == nil || s.Rank(k.Name) < 0 {
		return absent(set, k)
	}
	return nil
}

func (b *bytedance) members() (int, error) {
	total := 0
	for set := range b.keys {
		total += b.find(set, true).Len()
	}
	return total, nil
}

func (b *bytedance) Close() error { return nil }
