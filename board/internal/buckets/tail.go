package buckets

import (
	"bytes"
	"sync"
	"sync/atomic"
)

// Tail is what is known of the buckets of one period. Its methods may be called from any goroutine.
type Tail struct {
	// Steps is held during every transaction that moves entries between sets by itself, and by all who need the sets to stay as they are. It is
	// taken before the locks of sets, and never in a transaction.
	Steps sync.Mutex

	room   atomic.Int64 // see Room
	moving atomic.Int64 // 1 more than the bucket that has been split and is still whole in the directory; 0: none

	wanted  int          // the number of segments; 0: nothing is known of places
	pending atomic.Int64 // see Pending
	keyOf   func(bucket uint32) string

	mu       sync.Mutex
	dir      directory
	keys     []string // of the buckets, by number; "" if nobody has needed it
	bounds   bounds
	head     int       // the number of members of the head; -1: not known
	segments *segments // nil: the entries were not counted since Open
	count    *count    // nil: none is in progress
	asked    bool      // for a place, since the last count
}

// New returns a tail of one bucket without members, with a number of segments. keyOf returns the key of a bucket.
func New(segments int, keyOf func(bucket uint32) string) *Tail {
	t := &Tail{wanted: segments, keyOf: keyOf, dir: newDirectory(), bounds: bounds{at: map[uint32]int32{}}, head: -1}
	if segments > 0 {
		t.segments = newSegments(nil)
		t.segments.complete()
	}
	return t
}

// Found notes a bucket that exists as a set and has not been read.
func (t *Tail) Found(bucket uint32) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.dir.add(bucket)
	t.bounds.set(bucket, unknown)
	t.segments = nil
}

// Find returns the bucket of a member by its hash. If ok is false, the bucket has been split and is still whole in the directory: the caller must
// begin again after it has waited for Steps. The answer stays as it is while the bucket is locked. O(1).
func (t *Tail) Find(hash uint64) (bucket uint32, ok bool) {
	moving := t.moving.Load() // before the directory: a split changes that first
	t.mu.Lock()
	defer t.mu.Unlock()
	bucket = t.dir.find(hash)
	return bucket, moving != int64(bucket)+1
}

// FindKey is Find with the key of the bucket, which is made once.
func (t *Tail) FindKey(hash uint64) (bucket uint32, key string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	bucket = t.dir.find(hash)
	if n := int(bucket) + 1 - len(t.keys); n > 0 {
		t.keys = append(t.keys, make([]string, n)...)
	}
	if t.keys[bucket] == "" {
		t.keys[bucket] = t.keyOf(bucket)
	}
	return bucket, t.keys[bucket]
}

// Room returns the number of members that transactions have needed to move out of the head, as far as is known since Open.
func (t *Tail) Room() int { return int(t.room.Load()) }

// NeedRoom raises Room.
func (t *Tail) NeedRoom(n int) {
	for old := t.room.Load(); int64(n) > old && !t.room.CompareAndSwap(old, int64(n)); old = t.room.Load() {
	}
}

// WaitForSteps waits until a step that runs now has ended.
func (t *Tail) WaitForSteps() {
	t.Steps.Lock()
	t.Steps.Unlock() //nolint:staticcheck // the call waits and needs no more of the lock
}

// Numbers returns the buckets that may have members, in ascending order. O(buckets).
func (t *Tail) Numbers() []uint32 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.dir.numbers()
}

// Child returns the bucket that a split of a bucket makes, and the bit that its members' hashes have; false if the bucket is not split any more.
func (t *Tail) Child(bucket uint32) (child uint32, bit uint64, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.dir.child(bucket)
}

// BeginSplit says that the transaction that has a bucket locked splits it. The caller holds Steps until EndSplit.
func (t *Tail) BeginSplit(bucket uint32) { t.moving.Store(int64(bucket) + 1) }

// EndSplit says how a split that has begun ended, or one that did not begin. The new bucket gets the bound of the old one: no entry of it comes before that.
func (t *Tail) EndSplit(bucket uint32, done bool) {
	t.mu.Lock()
	if done {
		child, _, _ := t.dir.child(bucket)
		t.dir.split(bucket)
		if t.count != nil {
			t.count.split(bucket, child)
		}
		if e, ok := t.bounds.of(bucket); ok {
			t.bounds.set(child, e)
		}
	}
	t.mu.Unlock()
	t.moving.Store(0)
}

// Best returns the best bound, and false if the tail certainly has no members. The caller must not change it. O(1).
func (t *Tail) Best() (Entry, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	b, ok := t.bounds.top()
	return b.entry, ok
}

// Raise notes that a bucket, which the caller has locked, is to get an entry. O(log buckets).
func (t *Tail) Raise(bucket uint32, k *Key) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if was, ok := t.bounds.of(bucket); !ok || k.compare(was) < 0 {
		t.bounds.set(bucket, k.entry())
	}
}

// Lower sets the bound of a bucket, which the caller has locked and not changed, to its first entry; ok is false if it has none. O(log buckets).
func (t *Tail) Lower(bucket uint32, first Entry, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !ok {
		t.bounds.remove(bucket)
		return
	}
	t.bounds.set(bucket, Entry{first.Score, bytes.Clone(first.Text)})
}

// Leading returns the buckets with the best bounds, at most n of them, best first. O(n log buckets).
func (t *Tail) Leading(n int) (list []uint32) {
	t.mu.Lock()
	defer t.mu.Unlock()
	taken := t.take(n)
	for _, b := range taken {
		list = append(list, b.bucket)
		t.bounds.set(b.bucket, b.entry)
	}
	return list
}

// take removes the best bounds, at most n of them.
func (t *Tail) take(n int) (taken []bound) {
	for b, ok := t.bounds.top(); ok && len(taken) < n; b, ok = t.bounds.top() {
		taken = append(taken, b)
		t.bounds.remove(b.bucket)
	}
	return taken
}

// BestBeside returns the best bound of a bucket that is none of those listed, and false if there is none. O(listed log buckets).
func (t *Tail) BestBeside(listed []uint32) (best Entry, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	var taken []bound
	for _, bucket := range listed {
		if e, known := t.bounds.of(bucket); known {
			taken = append(taken, bound{e, bucket})
			t.bounds.remove(bucket)
		}
	}
	b, ok := t.bounds.top()
	for _, x := range taken {
		t.bounds.set(x.bucket, x.entry)
	}
	return b.entry, ok
}
