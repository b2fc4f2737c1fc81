package keyspace

import (
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/zrankdb/zrank/engine"
)

// plain knows which keys may have plain values, so that commands on sorted sets need not look. A key that is in keys may have no value; a
// key that is not has none.
type plain struct {
	n     atomic.Int64
	bytes atomic.Int64 // about the size of all values
	mu    sync.RWMutex
	keys  map[string]int // size of each value

	sweepAt atomic.Int64 // the next sweep begins when there are SweepMore more than this
}

// load reads which keys have plain values.
func (p *plain) load(e *engine.Engine) error {
	p.keys = map[string]int{}
	return e.View(nil, func(tx *engine.Tx) error {
		for kv, err := range tx.Scan(plainPrefix) {
			if err != nil {
				return fmt.Errorf("resp: %w", err)
			}
			p.add(string(kv.Key)[len(plainPrefix):], len(kv.Value))
		}
		return nil
	})
}

func (p *plain) may(name string) bool {
	if p.n.Load() == 0 {
		return false
	}
	p.mu.RLock()
	defer p.mu.RUnlock()
	_, ok := p.keys[name]
	return ok
}

// add notes that a key may have a plain value, and its size.
func (p *plain) add(name string, bytes int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.bytes.Add(int64(bytes - p.keys[name]))
	p.keys[name] = bytes
	p.n.Store(int64(len(p.keys)))
}

func (p *plain) remove(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.bytes.Add(-int64(p.keys[name]))
	delete(p.keys, name)
	p.n.Store(int64(len(p.keys)))
}

// names returns the keys that may have plain values.
func (p *plain) names() []string {
	p.mu.RLock()
	defer p.mu.RUnlock()
	list := make([]string, 0, len(p.keys))
	for name := range p.keys {
		list = append(list, name)
	}
	return list
}
