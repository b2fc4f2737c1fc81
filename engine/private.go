package engine

import (
	"bytes"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/zrankdb/zrank/persist"
)

// private keeps the caller's own keys. In memory only, recent holds them all. With a store it holds what has been committed
// but may not be in the store yet; the store has the rest.
//
// mu is taken by a transaction when it first touches a private key, after its sets' locks, and held until its commit has
// its place in the log: transactions that use private keys happen one after the other (E2).
type private struct {
	mu      sync.RWMutex
	store   *persist.Store
	recent  map[string]privateValue
	queue   []privateSeq // what entered recent, in order of commits
	changed uint64       // the last commit that changed a private key
	kept    atomic.Int64 // how many recent has, for Stats
}

type privateValue struct {
	value   []byte
	deleted bool
	seq     uint64
}

type privateSeq struct {
	key string
	seq uint64
}

func (p *private) init(store *persist.Store) { p.store, p.recent = store, map[string]privateValue{} }

// get returns a key's committed value. The caller holds mu.
func (p *private) get(key string) (value []byte, ok bool, err error) {
	if v, ok := p.recent[key]; ok {
		return bytes.Clone(v.value), !v.deleted, nil
	}
	if p.store == nil {
		return nil, false, nil
	}
	return p.store.Private([]byte(key))
}

// apply makes a transaction's changes visible. The caller holds mu for writing. O(changes), amortised.
func (p *private) apply(changes map[string]privateValue, seq uint64) {
	p.changed = seq
	defer func() { p.kept.Store(int64(len(p.recent))) }()
	for key, v := range changes {
		v.seq = seq
		if p.store == nil && v.deleted {
			delete(p.recent, key)
			continue
		}
		p.recent[key] = v
		if p.store != nil {
			p.queue = append(p.queue, privateSeq{key, seq})
		}
	}
	if p.store == nil {
		return
	}
	done, applied := 0, p.store.AppliedSeq()
	for ; done < len(p.queue) && p.queue[done].seq <= applied; done++ {
		if q := p.queue[done]; p.recent[q.key].seq == q.seq {
			delete(p.recent, q.key)
		}
	}
	clear(p.queue[:done]) // lets go of the keys until append has moved on
	p.queue = p.queue[done:]
}

// scan walks the keys with a prefix in order: what the store has, with recent, and over it the transaction's own changes.
// The caller holds mu. O(changes + keys with the prefix).
func (p *private) scan(prefix string, own map[string]privateValue) iter.Seq2[persist.KV, error] {
	over := map[string]privateValue{}
	for _, changes := range []map[string]privateValue{p.recent, own} {
		for key, v := range changes {
			if strings.HasPrefix(key, prefix) {
				over[key] = v
			}
		}
	}
	fresh := slices.Sorted(maps.Keys(over))
	return func(yield func(persist.KV, error) bool) {
		emit := func(key string) bool {
			v := over[key]
			return v.deleted || yield(persist.KV{Key: []byte(key), Value: bytes.Clone(v.value)}, nil)
		}
		for kv, err := range p.stored(prefix) {
			if err != nil {
				yield(kv, err)
				return
			}
			for len(fresh) > 0 && fresh[0] < string(kv.Key) {
				if !emit(fresh[0]) {
					return
				}
				fresh = fresh[1:]
			}
			if _, changed := over[string(kv.Key)]; changed {
				continue
			}
			if !yield(persist.KV{Key: bytes.Clone(kv.Key), Value: bytes.Clone(kv.Value)}, nil) {
				return
			}
		}
		for _, key := range fresh {
			if !emit(key) {
				return
			}
		}
	}
}

// stored walks what the store has.
func (p *private) stored(prefix string) iter.Seq2[persist.KV, error] {
	if p.store == nil {
		return func(func(persist.KV, error) bool) {}
	}
	return p.store.ScanPrivate([]byte(prefix))
}
