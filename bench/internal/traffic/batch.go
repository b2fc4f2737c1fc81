package traffic

import (
	"github.com/zrankdb/zrank/bench/internal/workload"
	"github.com/zrankdb/zrank/engine"
)

// batch is a goroutine's client that makes its calls in one transaction.
type batch struct {
	zrank
	keys   []string
	calls  []call
	writes bool
}

// call is one that is yet to be made.
type call struct {
	set   int
	key   workload.Key
	score float64
	write bool
}

func (b *batch) depth() int { return b.zrank.calls }

func (b *batch) write(set int, k workload.Key, score float64) error {
	b.add(call{set, k, score, true})
	return nil
}

func (b *batch) read(set int, k workload.Key) error {
	b.add(call{set: set, key: k})
	return nil
}

func (b *batch) add(c call) {
	b.calls = append(b.calls, c)
	b.keys = append(b.keys, b.zrank.keys[c.set][0])
	b.writes = b.writes || c.write
}

// answered makes the calls. If all of them read, a View will do.
func (b *batch) answered() error {
	transaction := b.View
	if b.writes {
		transaction = b.Update
	}
	err := transaction(b.keys, b.make)
	b.calls, b.keys, b.writes = b.calls[:0], b.keys[:0], false
	return err
}

// make makes them one after the other.
func (b *batch) make(tx *engine.Tx) error {
	for i := range b.calls {
		c := &b.calls[i]
		x, err := tx.Set(b.zrank.keys[c.set][0])
		switch {
		case err != nil:
		case c.write:
			_, err = x.Add(c.key.Raw, c.score)
		default:
			err = look(x, c.set, c.key)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
