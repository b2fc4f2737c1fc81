package engine

import (
	"bytes"
	"fmt"

	"github.com/zrankdb/zrank/engine/internal/facts"
	"github.com/zrankdb/zrank/engine/internal/keyspace"
	"github.com/zrankdb/zrank/zset"
)

// copying is a private copy of a set that is being made while writers go on. It scans the set page by page. Transactions that change members
// meanwhile note them in the tracker, under the lock that they hold, and the copy reads these members again.
//
//   - P1: Once the scan has ended, every member that is not in the tracker is in the copy as it is in the set, or in neither. In a copy that
//     follows a lead, this holds for the members that were read in it.
//
// The scan meets every member that does not change, whatever happens to others: zset's AppendScan promises this. A member that has changed
// since it was last read is in the tracker. So is a member that a transaction has removed and put back unchanged, because the scan may have
// missed it.
//
// A copying scans members; a snapshot reads pages. With members, the set can still give memory back, several copies of it need not know of
// each other, and the members are at hand to be read in other sets. A copy of a million members takes 1.15 s by members and 1.13 s by
// pages. The set is locked for 0.17 s of that time by members and for 0.03 s by pages, 0.1 ms at a time with either.
type copying struct {
	c   *capture
	s   *keyspace.Set
	key string           // of the set when the copy began
	z   *zset.IntSet     // the entries of s when the copy began; if s has others, or is gone, the copy is void
	b   *zset.IntBuilder // the copy

	begun            bool // the Tracker is attached to the set
	cursor           uint64
	scanned          bool
	keyspace.Tracker // the members to be read again

	entries []zset.IntEntry // buffer for a page
	members []string
	states  []memberState // read and not yet in the copy
}

// memberState is the state of a member when it was read again.
type memberState struct {
	member string
	ok     bool
	score  int64
	tie    []byte
}

const (
	mostAtATime = 512 // members
)

// newCopying returns a copy of a set, still empty. The caller holds the set's lock.
func newCopying(c *capture, s *keyspace.Set) (*copying, error) {
	b, err := facts.LayoutOf(s.Entries.View()).NewBuilder()
	return &copying{c: c, s: s, key: s.Key, z: s.Entries, b: b}, err
}

// begin starts to track the changes of the set, and keeps the set in memory. The caller holds the set's lock for
// writing. O(1).
func (x *copying) begin() {
	x.s.Track(&x.Tracker)
	x.begun = true
}

// end undoes begin. The caller holds no lock. O(copies of the set under way).
func (x *copying) end() {
	if !x.begun {
		return
	}
	x.begun = false
	x.s.Mu.Lock()
	defer x.s.Mu.Unlock()
	x.s.Untrack(&x.Tracker)
}

// of reports whether x is still a copy of set s: neither the set nor its entries have been replaced. The caller holds the set's lock.
func (x *copying) of(s *keyspace.Set) bool {
	return x.s == s && x.z == s.Entries && !s.Gone
}

// locked runs f with the set locked for reading; the lock is not taken if the capture has locked all sets. If the copy is void, locked
// returns false and does not run f.
func (x *copying) locked(f func()) (ok bool) {
	if !x.c.locked {
		x.c.o.m.locks.Rlock(&x.s.Mu, "copy", x.key)
		defer x.s.Mu.RUnlock()
	}
	if ok = x.of(x.s); ok {
		f()
	}
	return ok
}

// scan copies the next page of the set, and returns the work in the tracker. A page is about PageWork bytes of members of average size.
// O(page).
func (x *copying) scan() (work int, err error) {
	valid := x.locked(func() {
		n := min(max(x.c.o.pageWork/(x.z.Size()/max(x.z.Len(), 1)+1), 1), mostAtATime)
		x.entries, x.cursor = x.z.AppendScan(x.entries[:0], x.cursor, n)
		work = x.Work
	})
	if x.scanned = x.cursor == 0; !valid {
		x.scanned, x.entries = true, nil
	}
	for _, e := range x.entries {
		if err := x.b.AddTied(e.Member, e.Tie, e.Score); err != nil {
			return 0, x.failed(err)
		}
	}
	return work, nil
}

// changes returns the members to be read again, and forgets them.
func (x *copying) changes() (changed map[string]struct{}) {
	x.locked(func() { changed = x.Take() })
	return changed
}

// read copies members as they are in the set. At the end of a capture, when all sets are locked, it only notes their states, and Capture
// calls apply later. O(members).
func (x *copying) read(members []string) error {
	x.locked(func() {
		for _, member := range members {
			score, tie, ok := x.z.Get([]byte(member))
			x.states = append(x.states, memberState{member, ok, score, bytes.Clone(tie)})
		}
	})
	if x.c.locked {
		return nil
	}
	return x.apply()
}

// apply brings the states that have been read into the copy.
func (x *copying) apply() error {
	for _, f := range x.states {
		if !f.ok {
			x.b.Remove([]byte(f.member))
		} else if err := x.b.AddTied([]byte(f.member), f.tie, f.score); err != nil {
			return x.failed(err)
		}
	}
	x.states = x.states[:0]
	return nil
}

func (x *copying) failed(err error) error {
	return fmt.Errorf("engine: copy of set %q: %w", x.key, err)
}

// capture makes private copies of several sets as they were at one instant, while writers go on. See copying for one set. When the copies
// are nearly up to date, all sets are locked for reading at once, in the order of keys, and the rest is read. The copies show that instant.
//
// A set is locked for one page of work at a time. At the end all sets are locked for at most one page of work (PageWork), except in two
// cases. If writers change more than a page between two rounds, CaptureRounds times in a row, all sets are locked for what has changed since
// the last round. If a set was dropped and made again in each round, it is copied whole then.
//
// A capture with a lead copies the lead whole. From the other sets it copies the members that the lead has, or has had meanwhile.
type capture struct {
	o      *operations
	keys   []string // in order, each once
	lead   int      // an index of keys; -1: none, all are copied whole
	copies []*copying
	inputs []input
	void   []*copying // copies to be ended when nothing is locked
	locked bool       // all sets are locked
}
