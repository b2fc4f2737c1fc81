// Package txn runs transactions: it locks the named keys, runs the closure, and commits or rolls back.
//
// It owns the order of commits. E1 and E2 of package engine are kept here: a transaction is seen whole or not at all, and transactions
// that share a key happen in the order of the log. Every exported method of Tx, Set and IntSet is public API of package engine. What
// only the rooms above need is a function here, or a method of Manager.
//
// # Where things are
//
//	manager.go     Manager; UpdateAnd, which runs and counts; Acknowledge, which waits for the disk
//	tx.go          Update, Run, View; Tx: locking, ending, private keys
//	handle.go      Handle: a key inside a transaction, whatever kind its set is of
//	set.go         Set and IntSet; writer.go what they share, set_add.go, set_remove.go and set_expect.go their methods
//	keys.go        whole sets: Drop, Rename, Copy, and sets that are put in another's place
//	pending.go     a set and what the transaction does to it: rollback
//	commit.go      the way to the log, and what the engine knows afterwards
//	seq.go         numbers of commits
//	limits.go      what a transaction may name, and what the engine has room for
//	expire.go      expiry of sets, and the goroutine that collects them
//	serve.go       commits for calls that wait to pop
//	stat.go        Stat
//	holder.go      a transaction as a holder of locks, for reports
//	errors.go      the errors of transactions
package txn
