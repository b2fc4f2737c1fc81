package engine

import (
	"sync"
	"sync/atomic"

	"github.com/zrankdb/zrank/internal/seeded"
	"github.com/zrankdb/zrank/zset"
)

// set is one sorted set and what the engine knows of it. All fields but used and pins are guarded by mu.
type set struct {
	key string // by which it is found; whoever waited for its lock looks whether it is still this one
	mu  lock
	// z holds the entries, of int64 scores or of float64 scores: see form. Nil in a set that is on the disk only, or that nobody has
	// added to.
	z    *zset.IntSet
	rare *rare // what few sets have; nil: none of it

	version uint64
	changed uint64 // sequence number of the last commit that changed it
	base    uint64 // the last snapshot holds all changes up to this commit; 0: it does not have the set

	used  atomic.Uint32 // when it was last touched, by accounts.now
	tally tally         // what it counts for in the engine's figures
	pins  atomic.Int32  // transactions that are about to lock it; it stays in memory meanwhile

	// exists is false from when a key is first locked until a commit that adds a member, and after the set has become empty.
	exists bool
	// gone marks a set that has been taken out of the keyspace: whoever waited for its lock looks the key up again.
	gone     bool
	writing  bool // a snapshot writes the pages one by one
	resident bool // it is in accounts.resident
}

// rare is what few sets have at a time.
type rare struct {
	id      string   // what the log and snapshots call it,
	other   bool     // if that is not its key
	hidden  bool     // it is being filled by many commits, and has no key yet
	expires int64    // milliseconds after 1970; 0: never
	loading *loading // it is being read from the disk
	digest  digest   // of one that is in memory

	// returned has the members that transactions have taken out and put back while a snapshot writes the pages: they may have
	// left a page yet to be written for one that is written already.
	returned []string
	known    map[string]struct{} // those in returned
	copies   *tracker            // of the private copies of it that are under way
}

// extra returns what few sets have, to be changed.
func (s *set) extra() *rare {
	if s.rare == nil {
		s.rare = &rare{}
	}
	return s.rare
}

// slim lets go of what few sets have, if this one has nothing of it any more.
func (s *set) slim() {
	if r := s.rare; r != nil && !r.other && !r.hidden && r.expires == 0 && r.loading == nil && r.returned == nil && r.copies == nil && !r.digest.known {
		s.rare = nil
	}
}

// id returns what the set is called in the log and in snapshots.
func (s *set) id() string {
	if s.rare != nil && s.rare.other {
		return s.rare.id
	}
	return s.key
}

// makeSet returns a set that does not exist yet, with a lock.
func makeSet(key string, m *sync.RWMutex) *set {
	s := &set{key: key}
	s.mu.of.Store(m)
	return s
}

// is reports whether a set that has just been locked is the one with this key.
func (s *set) is(key string) bool { return !s.gone && s.key == key }

// cold reports whether the set is on the disk only. The caller holds its lock.
func (s *set) cold() bool { return s.exists && s.z == nil }

// loading is a set that is being read. Whoever wants the set waits for it.
type loading struct {
	done chan struct{}
	err  error // read after done
}

// expires returns when the set is gone, in milliseconds after 1970; 0: never.
func (s *set) expires() int64 {
	if s.rare == nil {
		return 0
	}
	return s.rare.expires
}

func (s *set) setExpires(at int64) {
	if s.rare != nil || at != 0 {
		s.extra().expires = at
	}
}

// expiredBy reports whether a set's time is up at a moment, in milliseconds after 1970.
func (s *set) expiredBy(now int64) bool { return s.expires() != 0 && s.expires() <= now }

// hidden reports whether the set has no key yet.
func (s *set) hidden() bool { return s.rare != nil && s.rare.hidden }

// digest returns the digest of a set that is in memory.
func (s *set) digest() digest {
	if s.rare == nil {
		return digest{}
	}
	return s.rare.digest
}

func (s *set) setDigest(d digest) {
	if s.rare != nil || d.known {
		s.extra().digest = d
	}
}

// facts returns those of a set that is in memory. The caller holds its lock.
func (s *set) facts() facts {
	f := factsOf(formOf(s.z.View()), s.version)
	if seeded.Bug("the facts lose what kind of scores a set has") {
		f.ints, f.dense, f.scoreTie = false, false, 0
	}
	if r := s.rare; r != nil {
		f.expires, f.hidden, f.digest = r.expires, r.hidden, r.digest
		if r.other && !r.hidden && !seeded.Bug("a renamed set keeps its old key in the snapshot") {
			f.key, f.other = s.key, true
		}
	}
	return f
}
