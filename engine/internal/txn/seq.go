package txn

import "github.com/zrankdb/zrank/persist"

// Seq returns a number between commits: what the transaction sees of its sets and of private keys is of commits up to it, its own
// changes aside, and every later commit on them has a higher one. Other sets may be ahead. A Feed from it goes on where the
// transaction looks. While a set operation stores a big result by many commits, Seq is the last one before these, so that the
// feed has all of it; then the transaction may see later commits too. The View may show commits that are not durable yet: see Feed.
// O(results that are being stored).
func (tx *Tx) Seq() uint64 {
	if store := tx.m.Store; store != nil {
		store.KeepTail()
	} else {
		tx.m.Numbers.Keep()
	}
	last := tx.m.LastSeq() // first: a set that is being filled before that is found
	return min(last, tx.m.Keys.Filling())
}

// number gives a commit in memory only its number; 0 if it has changed nothing.
func (tx *Tx) number() uint64 {
	if !tx.changed() {
		return 0
	}
	if seq, ok := tx.m.Numbers.Count(); ok {
		return seq
	}
	return tx.writeForFeeds()
}

// writeForFeeds is number where feeds read: they see what has changed as it would be in the log.
func (tx *Tx) writeForFeeds() uint64 {
	b := batches.Get().(*persist.Batch)
	defer batches.Put(b)
	b.Reset()
	tx.encode(b)
	return tx.m.Numbers.Append(b)
}

// changed reports whether the transaction has changed anything, as encode would write it down. Its sets are settled.
func (tx *Tx) changed() bool {
	for c := range tx.changes {
		if c.owner != nil && c.dirty() || c.owner == nil && c.S.Exists {
			return true
		}
	}
	return len(tx.private) > 0
}
