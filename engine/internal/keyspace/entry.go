package keyspace

import (
	"sync/atomic"

	"github.com/zrankdb/zrank/engine/internal/facts"
	"github.com/zrankdb/zrank/engine/internal/locks"
	"github.com/zrankdb/zrank/zset"
)

// Set is one sorted set and its state. Mu guards all fields but Used and Pins.
type Set struct {
	Key string // the key of the set; a caller that has waited for the lock checks it again
	Mu  locks.KeyLock
	// Entries has int64 or float64 scores: see facts.Layout. It is nil in a set that is on the disk only, or that has never had a
	// member.
	Entries *zset.IntSet
	Rare    *Rare // state that few sets have; nil: none

	Version uint64
	Changed uint64 // sequence number of the last commit that changed it; if there was none since Open, the commit of its snapshot

	Size    int           // the bytes that it counts for in the engine's figures; if it has left memory, those that it counted for before
	members uint32        // that it counts for, all in memory
	Used    atomic.Uint32 // when it was last used, by Accounts.now; or Leaving
	Pins    atomic.Int32  // transactions that are about to lock it; it stays in memory meanwhile

	// Exists is false from when a key is first locked until a commit that adds a member, and after the set has become empty.
	Exists bool
	// Gone marks a set that has been removed from the keyspace. A caller that has waited for its lock looks the key up again.
	Gone    bool
	Writing bool // a snapshot writes the pages one by one
	marks   marks
}

// marks are further truths about a set. A million sets have a Set each, so they take a bit each.
type marks uint8

const (
	stored   marks = 1 << iota // the last snapshot may have it, perhaps as it was before
	dirty                      // it has changed since the last snapshot
	counted                    // the engine's figures count it as a set
	left                       // it has left memory since Open, so it counts for no bytes
	layered                    // it is in Accounts.Layers
	resident                   // it is in Accounts.resident
	blind                      // it is in Accounts.blind
)

func (m marks) has(x marks) bool { return m&x != 0 }

func (m *marks) set(x marks, on bool) {
	if *m &^= x; on {
		*m |= x
	}
}

// MayBeStored records that a snapshot may have the set, perhaps as it was before.
func (s *Set) MayBeStored() { s.marks.set(stored, true) }

// Stored reports whether the last snapshot may have the set, perhaps as it was before.
func (s *Set) Stored() bool { return s.marks.has(stored) }

// Dirty reports whether the set has changed since the last snapshot.
func (s *Set) Dirty() bool { return s.marks.has(dirty) }

// Commit records that a commit has changed the set.
func (s *Set) Commit(seq uint64) {
	s.Changed = seq
	s.marks.set(dirty, true)
}

// Store records that the snapshot has all changes up to commit base.
func (s *Set) Store(base uint64) {
	s.marks.set(stored, base > 0)
	s.marks.set(dirty, s.Changed > base)
	if s.Changed == 0 {
		s.Changed = base
	}
}

// Counted returns what the set counts for in the engine's figures.
func (s *Set) Counted() (exists bool, members, size int) {
	return s.marks.has(counted), int(s.members), s.counts()
}

// counts returns the bytes that the set counts for in the engine's figures.
func (s *Set) counts() int {
	if s.marks.has(left) {
		return 0
	}
	return s.Size
}

// Rare has the state that few sets have at a time.
type Rare struct {
	Id       string       // the set's id in the log and in snapshots, if Other
	Other    bool         // its id is not its key
	Hidden   bool         // it is being written, and has no key yet
	Unlogged bool         // its members are in pages only, and no commit has put them; only while it is Hidden
	Expires  int64        // milliseconds after 1970; 0: never
	Loading  *Loading     // it is being read from the disk
	Digest   facts.Digest // valid while the set is in memory
	Blind    *Blind       // the blind writes to the set while it is on the disk only

	// Image is what guests see while a transaction changes the set: the set as it was before. nil: they see Entries.
	Image *zset.IntBeforeImage

	// Returned lists the members that transactions have removed and put back while a snapshot writes the pages. Such a member may have
	// moved from a page that is not written yet to one that is, so that no page has it.
	Returned []string
	Known    map[string]struct{} // the members in Returned
	copies   *Tracker            // of the copies of the set under way: a linked list
}

// Extra returns the rare state of the set for changes, and allocates it if needed.
func (s *Set) Extra() *Rare {
	if s.Rare == nil {
		s.Rare = &Rare{}
	}
	return s.Rare
}

// Slim frees the rare state if nothing of it is set.
func (s *Set) Slim() {
	if r := s.Rare; r != nil && !r.Other && !r.Hidden && r.Expires == 0 && r.Loading == nil && r.Blind == nil && r.Returned == nil && r.copies == nil && r.Image == nil && !r.Digest.Known {
		s.Rare = nil
	}
}

// Id returns the id of the set in the log and in snapshots.
func (s *Set) Id() string {
	if s.Rare != nil && s.Rare.Other {
		return s.Rare.Id
	}
	return s.Key
}

// MakeSet returns a set that does not exist yet, to take the place of the set of a key, with the key's lock.
func MakeSet(key string, l *locks.Lock) *Set {
	s := &Set{Key: key}
	s.Mu.Share(l)
	return s
}

// Is reports whether a set that has just been locked is the one with this key.
func (s *Set) Is(key string) bool { return !s.Gone && s.Key == key }

// Cold reports whether the set is on the disk only. The caller holds its lock.
func (s *Set) Cold() bool { return s.Exists && s.Entries == nil }

// Blind returns what is known of a cold set that blind writes have changed, or nil. The caller holds the set's lock.
func (s *Set) Blind() *Blind {
	if s.Rare == nil {
		return nil
	}
	return s.Rare.Blind
}

// SetBlind sets Blind; nil removes it. The caller holds the set's lock for writing.
func (s *Set) SetBlind(b *Blind) {
	if s.Rare != nil || b != nil {
		s.Extra().Blind = b
	}
}

// Len returns the number of members of a set that is in memory or dirty (B3). The caller holds its lock.
func (s *Set) Len() int {
	if b := s.Blind(); b != nil {
		return b.Members
	}
	return s.Entries.Len()
}

// Loading is a set that is being read from the disk. Callers that want the set wait for Done.
type Loading struct {
	Done chan struct{}
	Err  error // valid once Done is closed
}

// Expires returns the expiry of the set, in milliseconds after 1970; 0: never.
func (s *Set) Expires() int64 {
	if s.Rare == nil {
		return 0
	}
	return s.Rare.Expires
}

// SetExpires sets the expiry, in milliseconds after 1970; 0 means never. The caller holds the set's lock for writing.
func (s *Set) SetExpires(at int64) {
	if s.Rare != nil || at != 0 {
		s.Extra().Expires = at
	}
}

// ExpiredBy reports whether the set has expired at a time, in milliseconds after 1970.
func (s *Set) ExpiredBy(now int64) bool { return s.Expires() != 0 && s.Expires() <= now }

// Hidden reports whether the set has no key yet.
func (s *Set) Hidden() bool { return s.Rare != nil && s.Rare.Hidden }

// Digest returns the digest of a set that is in memory.
func (s *Set) Digest() facts.Digest {
	if s.Rare == nil {
		return facts.Digest{}
	}
	return s.Rare.Digest
}

// SetDigest sets the digest of a set. The caller holds its lock for writing.
func (s *Set) SetDigest(d facts.Digest) {
	if s.Rare != nil || d.Known {
		s.Extra().Digest = d
	}
}

// Facts returns the facts of a set that is in memory. The caller holds its lock.
func (s *Set) Facts() facts.Facts {
	return s.FactsWith(facts.LayoutOf(s.Entries.View()), s.Digest())
}

// FactsWith returns the facts of a set with this layout and digest. The caller holds its lock.
func (s *Set) FactsWith(l facts.Layout, d facts.Digest) facts.Facts {
	f := facts.FactsOf(l, s.Version)
	f.Digest = d
	if r := s.Rare; r != nil {
		f.Expires, f.Hidden = r.Expires, r.Hidden
		if r.Other && !r.Hidden {
			f.Key, f.Other = s.Key, true
		}
	}
	return f
}

// Tracker lists the members of a set that have changed, or may have moved, since a copy of the set began. Transactions that change the
// set add to it, under the lock that they hold.
type Tracker struct {
	// changed has the members, and Work is the cost of reading them, in bytes. The set's lock guards both: transactions add under the
	// write lock, and the one goroutine that copies takes under the read lock.
	changed map[string]struct{}
	Work    int
	next    *Tracker // the next tracker of the same set
}
