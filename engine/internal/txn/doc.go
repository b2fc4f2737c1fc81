// Package txn runs transactions: it locks the named keys, runs the closure, and commits or rolls back.
//
// It owns the order of commits, and keeps E1 and E2 of package engine: other transactions see a transaction whole or not at all, and
// transactions that share a key happen in the order of the log. Every exported method of Tx, Set and IntSet is public API of package
// engine. What only the packages above need is a function here, or a method of Manager.
//
// # Where things are
//
//	manager.go  Update and View; UpdateAnd, which runs and counts; Acknowledge, which waits for the disk
//	tx.go       Run: locks, the closure, commit or rollback; private keys
//	demand.go   transactions that lock sets when their closures ask for them, and restart
//	guest.go    brief reads while a transaction changes many members
//	handle.go   Handle: a key inside a transaction, whatever kind its set is of
//	set.go      Tx.Set and its like; writer.go what both kinds of sets share, set_add.go, set_remove.go and set_expect.go their methods
//	keys.go     whole sets: Drop, Rename, Copy, and putting a set in another's place
//	pending.go  changing, rolling back and settling a pending set
//	commit.go   appending a commit to the log, and updating the engine's state afterwards
//	blind.go    blind writes: changing sets that are on the disk only without reading them
//	encode.go   encoding a commit for the log
//	note.go     notes in a commit
//	seq.go      numbers of commits
//	limits.go   the limits of keys, transactions and memory
//	expiry.go   when sets expire
//	collect.go  the goroutine that drops expired sets
//	serve.go    pops for calls that wait, at the end of a commit
//	pop.go      a pop now, or a place among those that wait
//	stat.go     Stat
//	holder.go   a transaction as a holder of locks, for reports
//	state.go    the types: Manager, Tx, Handle, Set, IntSet and pending, a set with what the transaction does to it
//	errors.go   the errors of transactions
package txn
