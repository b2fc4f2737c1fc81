package keyspace

import "github.com/bytedance/gopkg/collection/zset"

// bytedance is a map of the sets of bytedance/gopkg.
type bytedance struct{ all map[string]*zset.Float64Set }

func newBytedance() bytedance { return bytedance{map[string]*zset.Float64Set{}} }

func (b bytedance) put(s *sample) error {
	x := zset.NewFloat64()
	for m := range Members {
		x.Add(s.scores[m], string(s.members[m]))
	}
	b.all[s.key] = x
	return nil
}

func (b bytedance) flush() error            { return nil }
func (b bytedance) bytes() (float64, error) { return heap(b) }
func (b bytedance) sets() (int, error)      { return len(b.all), nil }
func (b bytedance) close() error            { return nil }
