package engine

import "github.com/zrankdb/zrank/persist"

// Seq returns the number of a commit: the transaction sees its sets and private keys with all
// commits up to it, and every later commit on those that it has used has a higher number. The
// transaction's own changes do not count, and other sets may be ahead. A Feed from Seq continues
// where the transaction has read. While a set operation stores a big result by many commits, Seq is
// the last commit before these, so that the feed has the whole result; then the transaction may see
// later commits too. It may also see commits that are not durable yet: see Feed. O(results that are
// being stored).
func (tx *Tx) Seq() uint64 {
	if store := tx.m.store; store != nil {
		store.KeepTail()
	} else {
		tx.m.numbers.Keep()
	}
	last := tx.m.lastSeq() // read before Filling, which then finds every set that was being filled at this commit
	return min(last, tx.m.keys.Filling())
}

// number returns the number of a commit without a store, or 0 if the transaction has changed nothing.
func (tx *Tx) number() uint64 {
	if !tx.changed() {
		return 0
	}
	if tx.notes.Len() == 0 { // a commit with notes is for readers that are yet to come
		if seq, ok := tx.m.numbers.Count(); ok {
			return seq
		}
	}
	return tx.writeForFeeds()
}

// writeForFeeds is number if feeds read commits: it encodes the commit as for the log, and appends it to the commits in memory.
func (tx *Tx) writeForFeeds() uint64 {
	b := batches.Get().(*persist.Batch)
	defer batches.Put(b)
	b.Reset()
	tx.encode(b)
	return tx.m.numbers.Append(b)
}

// changed reports whether encode would write anything. The sets are settled.
func (tx *Tx) changed() bool {
	for c := range tx.changes {
		if c.owner != nil && c.dirty() || c.owner == nil && c.S.Exists {
			return true
		}
	}
	return len(tx.private)+tx.notes.Len() > 0
}

// lastSeq returns the number of the last commit.
func (m *manager) lastSeq() uint64 {
	if m.store != nil {
		return m.store.LastSeq()
	}
	return m.numbers.LastSeq()
}
