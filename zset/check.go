package zset

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"github.com/zrankdb/zrank/internal/invariants"
)

// changed is called at the end of every change, and checks the invariants of the set. The encodings check their own invariants.
func (c *core) changed() {
	if invariants.Enabled {
		if number, found := c.verify(); number != "" {
			invariants.Violated("zset", number, found, c)
		}
	}
}

// verify returns the number of the first violated invariant and a description; "" means that all hold. O(n), or O(1) in a set that is
// too big to be checked after each change.
func (c *core) verify() (number, found string) {
	if c.len() > c.limits().full() {
		return "Z3", fmt.Sprintf("%d entries, at most %d wanted", c.len(), c.limits().full())
	}
	if c.big() == nil {
		if c.image() == nil && c.len() > MaxListpackEntries {
			number, found = "Z1", fmt.Sprintf("a listpack of %d entries", c.len())
		}
		return number, found
	}
	t, index := c.big().table, c.big().index
	if t.Len() != index.Len() {
		return "Z2", fmt.Sprintf("%d records, %d entries", t.Len(), index.Len())
	}
	if !invariants.Due(t.Len(), 1) {
		return "", ""
	}
	for at := index.At(0); at.Valid(); at.Next() {
		if ref, ok := t.Find(t.Member(at.Ref())); !ok || ref != at.Ref() {
			return "Z2", fmt.Sprintf("%q has record %#x, its entry %#x", t.Member(at.Ref()), ref, at.Ref())
		}
	}
	return "", ""
}

// Check reads all of the set and returns an error if it is inconsistent, because of a bug or damaged memory. It checks the order of the
// entries, that each member is found with its score and tie, the rank of every rankStep-th entry, and the invariants of the package.
// O(n log n).
func (v *ViewOf[S]) Check() error {
	var last, text []byte
	var problem error
	rank := 0
	var w walk
	for w.ascend(&v.core, 0, v.len()); problem == nil && w.next(); rank++ {
		key, tie, member := w.entry()
		text = binary.BigEndian.AppendUint64(text[:0], key)
		text = append(append(text, tie...), member...)
		if rank > 0 && bytes.Compare(last, text) >= 0 {
			problem = fmt.Errorf("zset: %q at rank %d is not above the one before", member, rank)
		} else if h, ok := v.find(member); !ok {
			problem = fmt.Errorf("zset: %q at rank %d is not found", member, rank)
		} else if k, t := v.record(h); k != key || !bytes.Equal(t, tie) {
			problem = fmt.Errorf("zset: %q at rank %d has another score or tie when it is looked up", member, rank)
		} else if rank%rankStep == 0 && v.rank(h) != rank {
			problem = fmt.Errorf("zset: %q at rank %d is found at rank %d", member, rank, v.rank(h))
		}
		last, text = text, last
	}
	if problem == nil && rank != v.len() {
		problem = fmt.Errorf("zset: %d entries in order, %d members", rank, v.len())
	}
	if number, found := v.verify(); problem == nil && number != "" {
		problem = fmt.Errorf("zset: violates %s: %s", number, found)
	}
	return problem
}

// rankStep is the distance of the ranks that Check verifies: about one in each leaf of the index.
const rankStep = 61

// GoString says what the set holds in one line. O(1).
func (c *core) GoString() string {
	return fmt.Sprintf("zset{%s, %d entries, tie %d, %d bytes}", c.encoding(), c.len(), c.limits().tieWidth, c.size())
}
