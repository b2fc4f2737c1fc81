package private

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

// Keys keeps the caller's own keys. In memory only, recent holds them all. With a store it holds what has been committed
// but may not be in the store yet; the store has the rest.
//
// mu is taken by a transaction when it first touches a private key, after its sets' locks, and held until its commit has
// its place in the log: transactions that use private keys happen one after the other (E2).
type Keys struct {
	Mu      sync.RWMutex
	store   *persist.Store
	Recent  map[string]Value
	queue   []privateSeq // what entered recent, in order of commits
	Changed uint64       // the last commit that changed a private key
	Kept    atomic.Int64 // how many recent has, for Stats
}

// Value is the value of a private key.
type Value struct {
	Value   []byte
	Deleted bool
	seq     uint64
}

type privateSeq struct {
	key string
	seq uint64
}

// Init makes p the private keys of a store; nil means memory only.
func (p *Keys) Init(store *persist.Store) { p.store, p.Recent = store, map[string]Value{} }

// Get returns a key's committed value. The caller holds mu.
func (p *Keys) Get(key string) (value []byte, ok bool, err error) {
	if v, ok := p.Recent[key]; ok {
		return bytes.Clone(v.Value), !v.Deleted, nil
	}
	if p.store == nil {
		return nil, false, nil
	}
	return p.store.Private([]byte(key))
}

// Apply makes a transaction's changes visible. The caller holds mu for writing. O(changes), amortised.
func (p *Keys) Apply(changes map[string]Value, seq uint64) {
	p.Changed = seq
	defer func() { p.Kept.Store(int64(len(p.Recent))) }()
	for key, v := range changes {
		v.seq = seq
		if p.store == nil && v.Deleted {
			delete(p.Recent, key)
			continue
		}
		p.Recent[key] = v
		if p.store != nil {
			p.queue = append(p.queue, privateSeq{key, seq})
		}
	}
	if p.store == nil {
		return
	}
	done, applied := 0, p.store.AppliedSeq()
	for ; done < len(p.queue) && p.queue[done].seq <= applied; done++ {
		if q := p.queue[done]; p.Recent[q.key].seq == q.seq {
			delete(p.Recent, q.key)
		}
	}
	clear(p.queue[:done]) // lets go of the keys until append has moved on
	p.queue = p.queue[done:]
}

// Scan walks the keys with a prefix in order: what the store has, with recent, and over it the transaction's own changes.
// The caller holds mu. O(changes + keys with the prefix).
func (p *Keys) Scan(prefix string, own map[string]Value) iter.Seq2[persist.KV, error] {
	over := map[string]Value{}
	for _, changes := range []map[string]Value{p.Recent, own} {
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
			return v.Deleted || yield(persist.KV{Key: []byte(key), Value: bytes.Clone(v.Value)}, nil)
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
func (p *Keys) stored(prefix string) iter.Seq2[persist.KV, error] {
	if p.store == nil {
		return func(func(persist.KV, error) bool) {}
	}
	return p.store.ScanPrivate([]byte(prefix))
}
