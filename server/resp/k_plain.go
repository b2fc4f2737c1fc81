package resp

import (
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/zrankdb/zrank/engine"
)

// plain knows which keys may have plain values, so that the many commands on sorted sets need not look. A key that is here may have
// none by now; one that is not here has none.
type plain struct {
	n     atomic.Int64
	bytes atomic.Int64 // of the values, about
	mu    sync.RWMutex
	keys  map[string]int // how many bytes each value has

	sweepAt atomic.Int64 // how many there are, and sweepMore, before the next sweep
}

// load finds the plain values that are stored.
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

// add notes that a key may have a plain value of so many bytes.
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
