package private

import (
	"sync/atomic"

	"github.com/zrankdb/zrank/internal/rwlock"
)

// Value is the value of a private key.
type Value struct {
	Value   []byte
	Deleted bool
	seq     uint64
}

// entered is a key that has entered a stripe.
type entered struct {
	key string
	seq uint64
}

// stripe is a stripe: its lock, and what the lock guards. It fills two cache lines.
type stripe struct {
	rwlock.Mutex
	recent map[string]Value
	queue  []entered    // the keys that entered recent, in order of commits
	kept   atomic.Int64 // len(recent), for Stats
}

func (s *stripe) put(key string, v Value) {
	if s.recent == nil {
		s.recent = map[string]Value{}
	}
	s.recent[key] = v
	s.count()
}

func (s *stripe) remove(key string) {
	delete(s.recent, key)
	s.count()
}

// count brings kept up to date. Most values take the place of others, and then it stores nothing.
func (s *stripe) count() {
	if n := int64(len(s.recent)); n != s.kept.Load() {
		s.kept.Store(n)
	}
}

// prune removes the values that the store has by now: those up to the commit applied. The caller
// has the stripe locked for writing, so its queue is in order of commits, whatever the order in
// which commits of other stripes are applied.
func (s *stripe) prune(applied uint64) {
	done := 0
	for ; done < len(s.queue) && s.queue[done].seq <= applied; done++ {
		if q := s.queue[done]; s.recent[q.key].seq == q.seq {
			s.remove(q.key)
		}
	}
	clear(s.queue[:done]) // lets the garbage collector free the keys
	if s.queue = s.queue[done:]; len(s.queue) == 0 {
		s.queue = nil
	}
}
