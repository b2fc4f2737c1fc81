package engine

import (
	"sync"

	"github.com/zrankdb/zrank/engine/internal/facts"
	"github.com/zrankdb/zrank/persist"
	"github.com/zrankdb/zrank/zset"
)

// batches reuses the memory of batches.
var batches = sync.Pool{New: func() any { return new(persist.Batch) }}

// encode appends the changes of the transaction to an empty batch: its notes, and then the dropped sets, because new ones may have their ids.
func (tx *Tx) encode(b *persist.Batch) {
	b.Note(&tx.notes)
	for c := range tx.changes {
		if c.S.Exists && (c.owner == nil || c.dirty() && c.empty()) {
			c.drop(b)
		}
	}
	for c := range tx.changes {
		if c.owner != nil && c.dirty() && !c.empty() {
			c.encode(b)
		}
	}
	for key, v := range tx.private {
		if v.Deleted {
			b.DeletePrivate([]byte(key))
		} else {
			b.PutPrivate([]byte(key), v.Value)
		}
	}
}

// drop appends a Drop of the set. If the key is not the set's id, a Create before the Drop tells readers of the log the key.
func (c *pending) drop(b *persist.Batch) {
	if s := c.S; s.Id() != s.Key {
		b.Create(s.Id(), facts.Facts{Version: s.Version, Key: s.Key, Other: true}.Encode())
	}
	b.Drop(c.S.Id())
}

// encode appends the set and its changed members to a batch.
func (c *pending) encode(b *persist.Batch) {
	id, f := c.S.Id(), c.facts()
	f.Hidden, f.Other, f.Key, f.Unlogged = false, id != c.owner.key, "", c.S.Rare != nil && c.S.Rare.Unlogged
	if f.Other {
		f.Key = c.owner.key
	}
	b.Create(id, f.Encode())
	if c.blind != nil {
		c.encodeBlind(b, id)
		return
	}
	if c.whole {
		facts.PutAll(b, id, c.S.Entries.View())
		return
	}
	var value [8 + zset.MaxTieWidth]byte
	ints := c.S.Entries.Integers()
	for _, t := range c.undo.Records {
		member := []byte(t.Member)
		if score, tie, ok := c.S.Entries.Get(member); ok {
			b.Put(id, member, facts.AppendValue(value[:0], ints, score, tie))
		} else {
			b.Remove(id, member)
		}
	}
}
