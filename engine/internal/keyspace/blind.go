package keyspace

import (
	"fmt"
	"slices"

	"github.com/zrankdb/zrank/engine/internal/facts"
	"github.com/zrankdb/zrank/zset"
)

// A blind write changes a set that is on the disk only, without reading it: the caller knows the entry. The change is in the log like any
// other, and in the Blind of the set until the set is read.
//
//   - B1: the entries of a cold set are those of its record after Blind.Changes, in order. Layout, Members and Digest are those of the result.
//   - B2: a set in memory has no Blind.
//   - B3: a cold set is dirty if and only if it has a Blind, and it always has members. Its record stays as it is until the set is read.

// Blind is what is known of a cold set that blind writes have changed. Its lock guards it.
type Blind struct {
	Layout  facts.Layout // with int64 scores
	Members int
	Digest  facts.Digest
	Changes []Change
}

// Change is a blind write: an entry is removed, or put into the set.
type Change struct {
	Put    bool
	Score  int64
	Member string
	Tie    string
}

// last returns the index of the last change of a member, or -1. O(changes).
func (b *Blind) last(member string) int {
	i := len(b.Changes) - 1
	for i >= 0 && b.Changes[i].Member != member {
		i--
	}
	return i
}

// Allows reports whether a change is possible after those made already. A member that none of them names may be in the set or not.
// O(changes).
func (b *Blind) Allows(c Change) bool {
	i := b.last(c.Member)
	if i < 0 {
		return true
	}
	was := b.Changes[i]
	return was.Put != c.Put && (c.Put || was == Change{true, c.Score, c.Member, c.Tie})
}

// Add adds a change that is allowed. If it undoes the last change of the member, and that one is not among the first kept ones, both cancel
// each other. O(changes).
func (b *Blind) Add(c Change, kept int) {
	if c.Put {
		b.Members++
		b.Digest.Add(c.Score, []byte(c.Tie), c.Member)
	} else {
		b.Members--
		b.Digest.Remove(c.Score, c.Tie, c.Member)
	}
	i := b.last(c.Member)
	if i >= kept && b.Changes[i] == (Change{!c.Put, c.Score, c.Member, c.Tie}) {
		b.Changes = slices.Delete(b.Changes, i, i+1)
		return
	}
	b.Changes = append(b.Changes, c)
}

// Apply makes the changes in the set's entries, as they were read from the disk. After an error the entries are of no use.
func (b *Blind) Apply(z *zset.IntSet) error {
	for _, c := range b.Changes {
		score, tie, has := z.Get([]byte(c.Member))
		if has == c.Put || has && (score != c.Score || string(tie) != c.Tie) {
			return fmt.Errorf("a blind write of %q does not fit the entries", c.Member)
		}
		if !c.Put {
			z.Remove([]byte(c.Member))
		} else if _, err := z.AddTied([]byte(c.Member), []byte(c.Tie), c.Score); err != nil {
			return err
		}
	}
	return nil
}
