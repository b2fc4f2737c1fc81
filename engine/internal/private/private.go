package private

import (
	"bytes"
	"sync"
	"sync/atomic"

	"github.com/zrankdb/zrank/engine/internal/observe"
	"github.com/zrankdb/zrank/internal/rwlock"
	"github.com/zrankdb/zrank/persist"
	"github.com/zrankdb/zrank/zset"
)

// Keys keeps the private keys. Without a store, its stripes hold them all. With a store, a stripe
// holds the values that have been committed but may not be in the store yet; the store has the
// rest.
//
// A transaction takes the lock of a stripe when it first uses a key of it, after the locks of its
// sets, and holds it until its commit has its place in the log. So transactions that use the same
// private key happen one after the other (E2).
type Keys struct {
	store   *persist.Store
	stripes [Count]stripe
	mu      sync.Mutex    // guards order, for a moment
	order   *zset.IntSet  // without a store: the keys in order; else nil
	changed atomic.Uint64 // see Changed
	next    atomic.Uint32 // the stripe that tidy looks at next
}

// Init sets the store of p; nil means memory only.
func (p *Keys) Init(store *persist.Store) {
	if p.store = store; store == nil {
		p.order, _ = zset.NewInt(zset.Options{}) // the zero Options are valid
	}
}

// Lock returns the lock of a stripe.
func (p *Keys) Lock(at int) *rwlock.Mutex { return &p.stripes[at].Mutex }

// Get returns the committed value of a key, whose stripe the caller has locked.
func (p *Keys) Get(at int, key string) (value []byte, ok bool, err error) {
	if v, ok := p.stripes[at].recent[key]; ok {
		return bytes.Clone(v.Value), !v.Deleted, nil
	}
	if p.store == nil {
		return nil, false, nil
	}
	return p.store.Private([]byte(key))
}

// Changed returns the number of the last commit that has changed a private key of any stripe. O(1).
func (p *Keys) Changed() uint64 { return p.changed.Load() }

// Kept returns how many values are in memory. O(1).
func (p *Keys) Kept() (n int) {
	for i := range p.stripes {
		n += int(p.stripes[i].kept.Load())
	}
	return n
}

// CountKept is Kept counted under the locks of all stripes, for tests. The caller has none of them
// locked. O(1).
func (p *Keys) CountKept() (n int) {
	for i := range p.stripes {
		s := &p.stripes[i]
		s.RLock()
		n += len(s.recent)
		s.RUnlock()
	}
	return n
}

// Apply makes a transaction's changes visible, and removes values from memory that the store has by
// now. The caller has the stripes of the keys locked for writing. O(changes), amortised.
func (p *Keys) Apply(changes map[string]Value, seq uint64) {
	observe.Raise(&p.changed, seq)
	if p.store == nil {
		for key, v := range changes {
			v.seq = seq
			p.applyInMemory(&p.stripes[StripeOf(key)], key, v)
		}
		return
	}
	applied := p.store.AppliedSeq()
	for key, v := range changes {
		v.seq = seq
		s := &p.stripes[StripeOf(key)]
		s.put(key, v)
		s.queue = append(s.queue, entered{key, seq})
		s.prune(applied)
	}
	p.tidy(applied)
}

// tidied is how many stripes each commit looks at for values to remove.
const tidied = 8

// tidy prunes some stripes that nobody uses, in turn, of the values up to the commit applied. So
// the last values of a stripe do not stay until a commit uses that stripe again.
func (p *Keys) tidy(applied uint64) {
	for i := range uint32(tidied) {
		s := &p.stripes[(p.next.Load()+i)%Count]
		if s.kept.Load() > 0 && s.TryLock() {
			s.prune(applied)
			s.Unlock()
		}
	}
	p.next.Add(tidied)
}

// applyInMemory is Apply for one key of an engine without a store. O(log keys).
func (p *Keys) applyInMemory(s *stripe, key string, v Value) {
	_, has := s.recent[key]
	if v.Deleted {
		s.remove(key)
	} else {
		s.put(key, v)
	}
	if has != v.Deleted {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if v.Deleted {
		p.order.Remove([]byte(key))
	} else {
		_, _ = p.order.Add([]byte(key), 0) // keys are shorter than members may be
	}
}
