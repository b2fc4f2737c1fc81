package private

import (
	"bytes"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/zrankdb/zrank/internal/rwlock"
	"github.com/zrankdb/zrank/persist"
	"github.com/zrankdb/zrank/zset"
)

// Keys keeps the private keys. Without a store, Recent holds them all. With a store, Recent holds the values that have been committed but
// may not be in the store yet; the store has the rest.
//
// A transaction takes Mu when it first uses a private key, after the locks of its sets, and holds it until its commit has its place in the
// log. So transactions that use private keys happen one after the other (E2).
type Keys struct {
	Mu      rwlock.Mutex
	store   *persist.Store
	Recent  map[string]Value
	order   *zset.IntSet // without a store: the keys in order; else nil
	queue   []privateSeq // the keys that entered Recent, in order of commits
	Changed uint64       // the last commit that changed a private key
	Kept    atomic.Int64 // len(Recent), for Stats
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

// Init sets the store of p; nil means memory only.
func (p *Keys) Init(store *persist.Store) {
	if p.store, p.Recent = store, map[string]Value{}; store == nil {
		p.order, _ = zset.NewInt(zset.Options{}) // the zero Options are valid
	}
}

// Get returns a key's committed value. The caller holds Mu.
func (p *Keys) Get(key string) (value []byte, ok bool, err error) {
	if v, ok := p.Recent[key]; ok {
		return bytes.Clone(v.Value), !v.Deleted, nil
	}
	if p.store == nil {
		return nil, false, nil
	}
	return p.store.Private([]byte(key))
}

// Apply makes a transaction's changes visible, and removes values from Recent that the store has by now. The caller holds Mu for writing.
// O(changes), amortised.
func (p *Keys) Apply(changes map[string]Value, seq uint64) {
	p.Changed = seq
	defer func() { p.Kept.Store(int64(len(p.Recent))) }()
	for key, v := range changes {
		v.seq = seq
		if p.store == nil {
			p.applyInMemory(key, v)
			continue
		}
		p.Recent[key] = v
		p.queue = append(p.queue, privateSeq{key, seq})
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
	clear(p.queue[:done]) // lets the garbage collector free the keys
	p.queue = p.queue[done:]
}

// applyInMemory is Apply for one key of an engine without a store. O(log keys).
func (p *Keys) applyInMemory(key string, v Value) {
	if v.Deleted {
		delete(p.Recent, key)
		p.order.Remove([]byte(key))
		return
	}
	if _, has := p.Recent[key]; !has {
		_, _ = p.order.Add([]byte(key), 0) // keys are shorter than members may be
	}
	p.Recent[key] = v
}

// Scan walks the keys with a prefix in order. It merges the keys of the store, Recent and the transaction's own changes; the later of
// these three override the earlier. A key and its value are valid until the next step, and must not be changed. The caller holds Mu. O(changes
// + keys with the prefix), and O(log keys) more without a store.
func (p *Keys) Scan(prefix string, own map[string]Value) iter.Seq2[persist.KV, error] {
	overlay, layers := map[string]Value{}, []map[string]Value{p.Recent, own}
	if p.store == nil {
		layers = layers[1:]
	}
	for _, changes := range layers {
		for key, v := range changes {
			if strings.HasPrefix(key, prefix) {
				overlay[key] = v
			}
		}
	}
	overlayKeys := slices.Sorted(maps.Keys(overlay))
	return func(yield func(persist.KV, error) bool) {
		emit := func(key string) bool {
			v := overlay[key]
			return v.Deleted || yield(persist.KV{Key: []byte(key), Value: v.Value}, nil)
		}
		for kv, err := range p.stored(prefix) {
			if err != nil {
				yield(kv, err)
				return
			}
			for len(overlayKeys) > 0 && overlayKeys[0] < string(kv.Key) {
				if !emit(overlayKeys[0]) {
					return
				}
				overlayKeys = overlayKeys[1:]
			}
			if _, changed := overlay[string(kv.Key)]; !changed && !yield(kv, nil) {
				return
			}
		}
		for _, key := range overlayKeys {
			if !emit(key) {
				return
			}
		}
	}
}

// stored walks the keys with a prefix in the store, or without a store all committed ones.
func (p *Keys) stored(prefix string) iter.Seq2[persist.KV, error] {
	if p.store != nil {
		return p.store.ScanPrivate([]byte(prefix))
	}
	return func(yield func(persist.KV, error) bool) {
		for e := range p.order.Entries(p.order.Seek(0, []byte(prefix)), p.order.Len()) {
			if !bytes.HasPrefix(e.Member, []byte(prefix)) || !yield(persist.KV{Key: e.Member, Value: p.Recent[string(e.Member)].Value}, nil) {
				return
			}
		}
	}
}
