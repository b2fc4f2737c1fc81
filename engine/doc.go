// Package engine keeps many sorted sets by key in one process. Any goroutine may use them, changes are transactions, and commits are durable
// in an embedded Pebble store.
//
//	e, err := engine.Open("data", engine.Options{})
//	defer e.Close()
//	err = e.Update(ctx, func(tx *engine.Tx) error {
//		s, err := tx.Set("arena")
//		if err != nil {
//			return err
//		}
//		_, err = s.IncrBy([]byte("ada"), 15)
//		return err
//	})
//
// New returns an engine with the same methods that keeps everything in memory only.
//
// # Terminology
//
//   - key: the name of a set, any string. A set exists from the first member added to it until the last is removed.
//   - kind: of a set, whether its scores are float64, as in Redis, or int64. The kind stays the same as long as the set exists.
//   - form: of a set with int64 scores, the width of its ties, how much of them is score, and whether dense ranks are kept: see Form.
//   - transaction: the closure given to Update or View. It locks a set or a private key when it
//     first asks for it. If that is not free, it waits, if its lock comes after all that it has, or
//     runs again.
//   - restart: a rollback of a transaction, after which its closure runs again with more locked.
//   - effect: an absolute change ("member m of set k now has this score"). The log consists of effects.
//   - commit: the effects of one transaction, in the log under one sequence number.
//   - id: the name of a set in the log and in snapshots: the key under which it was made. If a renamed set still has that id, a new set
//     gets an unused one.
//   - expiry: the time from which a set does not exist any more, even if it is dropped only later.
//   - staged: of a set, written to the disk, in pages or by many commits, and without a key until one more commit gives it that.
//   - version: the number of changes of a set since it was made; it rises with each change, across restarts too.
//   - private key: a key of the caller, with any value, that commits together with the sets.
//   - stripe: one of 64 parts of the private keys, by hash. The keys of a stripe share a lock.
//   - reserved key: a key of a set, or a private key, that begins with "board/" or "board.": see Reserved.
//   - cold: of a set, on the disk only.
//   - blind write: a change of a set on the disk only that does not read it: see Owner.UpdateBlind.
//   - pin: a count that keeps a set in memory while a transaction waits until its other sets are read.
//   - capture: private copies of several sets as they were at one instant, made while writers go on.
//   - base: the sequence number up to which a snapshot of a set holds all changes.
//   - guest: a read of one set that a long transaction lets in between two of its changes. It sees the set as it was before.
//   - to wait: of a call that pops, to block until one of its sets has a member.
//   - feed: the commits after a given number, in order, for a reader that follows them.
//
// # What it promises
//
//   - E1: a transaction is atomic: other goroutines, and Open after a crash, see all of it or nothing. An error or a panic in the closure
//     rolls it back. While it runs, the brief reads of package board see its sets as they were before, and need not wait for its end.
//   - E2: transactions that share a key or a private key happen one after the other, in the order of the log.
//   - E3: when Update returns nil, the commit is as durable as Options.Durability says; at Sync, on the disk. Other
//     goroutines may see it up to one sync before that. The same holds when Update has changed nothing: what it has read is as durable.
//   - E4: after a crash the engine holds exactly the effects of the first n commits, for some n; at Sync, these include every commit
//     acknowledged.
//   - E5: a set that is not in the log's tail is read from the disk when it is first used, not when the engine opens. If several calls
//     want it at once, it is read once. Only these calls wait, and no lock is held meanwhile. If the read fails, each of them gets the
//     error, which names the set, and the next use tries again. Blind writes that were made meanwhile are applied before the set is used.
//   - E6: a set leaves memory, under Options.MemoryLimit or by Unload, only if the disk has its latest state, and no transaction has locked
//     it or waits to. It comes back with the same members, ties and version, unless blind writes have changed it.
//   - E7: calls that wait for a key are served in the order in which they came, each once. While a set is not locked, it has no members or
//     no call waits for it.
//   - E8: a feed shows every commit after its position, once, in order, and only commits that no crash can undo. It blocks no writer, and
//     no commits are queued for it. If commits that it should show are gone, it ends with ErrFellBehind.
//   - E9: Union, Inter, InterCard and Diff see all their inputs as they were at one instant between call and return, and block writers to
//     them for a page of work at a time.
//   - E10: a set is deleted, renamed, replaced or expires whole: no call sees a part of it, and the cost for other calls does not grow with
//     its members. A set that a set operation stores becomes visible by one commit, even if many commits wrote it, or none did (pages).
//   - E11: when Compact returns nil, no file of the engine has bytes of what commits before the call have removed or replaced. There is one exception:
//     a set keeps its id, the key under which it was made, in the files as long as it exists.
//
// Check proves that the sets in memory equal what would be read back from the disk. Backup copies everything while transactions go on,
// Restore makes an engine from a copy, and Salvage copies what can be read of a damaged one.
//
// Sets with int64 scores, which Tx.IntSet gives, are exact over the whole range of int64 in memory, in the log, in snapshots and
// in feeds. Operations on whole sets (drop, rename, copy, expire, list, unload) work on sets of both kinds. The set operations, and
// waiting for members, need float64 scores and return ErrKind otherwise. CopyInts and StoreInts copy out and store a whole set with int64
// scores.
//
// A caller that reads in one transaction and writes in another puts a condition into the second, such as Set.Expect, and lets Retry repeat
// both after a conflict.
//
// # Calls inside a closure
//
// While a goroutine runs the closure of a transaction, the transaction's keys are locked. A call on that goroutine that waits for a key
// would wait for itself, or for a goroutine that waits for this one. So every method of Engine that locks keys, or waits for a transaction,
// returns ErrInTx there, at once and before it changes anything:
//
//   - It does not matter which keys the call names, and whether they are locked. A View inside a View is refused too: if a writer waits for
//     the first View, the second one would wait for that writer.
//   - It does not matter how deep the call is: in a function that the closure calls, in SubmitFunc, in the function given to RangeStore or
//     Ranking.View. Packages on top of the engine that call these methods return the same error.
//   - Refused are Update, UpdateLater, View and every other call that is a transaction by itself, the pops that wait, listings (Keys, Glob,
//     ScanKeys, RandomKey), Expiry, Usage, set operations, StoreSet, CopyInts, StoreInts, Preload, Unload, Snapshot, Compact, Check, Feed and Close.
//   - Allowed are all methods of Tx and of its sets; calls that do not wait, such as Stats, Count, Settings and Now; Flush, Barrier,
//     Acknowledge and Backup, which wait for the disk only, while the keys stay locked; and every call of another engine.
//   - After ErrInTx the closure goes on, and commits or fails as without the call. The refused call has locked nothing.
//
// The rule is about goroutines, not about transactions: other goroutines wait for the keys as usual, and a goroutine that the closure has
// started may call the engine. The engine cannot see that a closure waits for such a goroutine, directly or by iter.Pull, while that
// goroutine waits for one of the closure's keys. Then both hang, and so do all calls that want these keys. EventSlowCall reports a call that
// waits for a key while it still waits: the key, the transactions that have it locked, and the numbers of the goroutines, as in a dump of
// all stacks. Engine.InTx reports whether the calling goroutine runs a closure.
//
// # Limits
//
//	what                                 limit                           above it
//	key of a set, private key            64 KiB, none is too short       ErrKeyTooLong
//	keys of one transaction              65,536                          ErrTooManyKeys
//	what one transaction changes         16 MiB: see MaxTransaction      ErrTooLarge
//	member, with its key and tie         16 MiB less 28 bytes            ErrTooLarge, zset.ErrMemberTooLong
//	tie                                  zset.MaxTieWidth, 40 bytes      the error of zset.Options.Validate
//	score of an int set                  the range of int64              zset.ErrOverflow
//	value of a private key, with the key 16 MiB less 5 to 9 bytes        ErrTooLarge
//	changes under reserved keys          package board only              ErrReserved
//	sets                                 Options.MaxSets                 ErrTooManySets
//	memory of sets, New                  Options.MemoryLimit             ErrMemoryLimit; removing goes on
//	memory of sets, Open                 Options.MemoryLimit             sets leave memory, callers wait, then ErrMemoryLimit
//	free space on the disk               Options.DiskReserve             ErrDiskFull; removing goes on at first
//
// An engine made by New takes transactions of any size, and members of up to 16 MiB.
//
// # Figures and events
//
// Stats returns the figures of an engine, at the same cost for a million sets as for one; Usage returns those of a set. Options.OnEvent and
// Options.Logger receive events of background work and of slow calls. Package metrics exports the figures to Prometheus and expvar.
//
// # Where things are
//
// The engine:
//
//	engine.go          Engine: New, Open, Close; Recovery
//	options.go         Options
//	settings.go        Settings: options that can be asked for; SetListpack
//	errors.go          the errors
//	events.go          Event, its kinds, Holder
//	transactions.go    Update, UpdateLater, View
//	retry.go           Retry
//	list.go            the keys of the sets that exist
//	manage.go          whole sets: exist, delete, rename, expire, list, scan, clear
//	set_operations.go  Union, Inter, Diff, their stores, Copy, StoreSet, CopyInts, StoreInts
//	wait.go            calls that wait for members
//	feed.go            the feed of commits
//	notes.go           Owner.Note and Owner.Notes: bytes in a commit that change nothing
//	memory.go          Preload, Unload
//	maintenance.go     Snapshot, Compact, Check, Backup, Restore, Salvage, WithProgress
//	stats.go           figures of the engine; call_times.go how long calls took
//	usage.go           figures of one set; usages.go figures of many
//	reserved.go        Owner, by which package board changes its keys
//
// Transactions:
//
//	manager.go         manager, which runs them and counts; acknowledge, which waits for the disk
//	tx.go              the closure, its locks, commit or rollback
//	private_keys.go    private keys, and the locks of their stripes
//	demand.go          transactions that lock sets when their closures ask for them, and restart
//	guest.go           brief reads while a transaction changes many members
//	state.go           the types: Tx, Set, IntSet, handle, and pending, a set with what the transaction does to it
//	handle.go          handle: a key inside a transaction, whatever kind its set is of
//	form.go            Form
//	set.go             Tx.Set and its like; writer.go, set_add.go, set_remove.go and set_expect.go the methods of sets
//	keys.go            whole sets: Drop, Rename, Copy, and putting a set in another's place
//	stat.go            Stat
//	expiry.go          when sets expire; collect.go drops those whose time is up
//	pending.go         changing, rolling back and settling a pending set
//	commit.go          appending a commit to the log, and updating the engine's state afterwards
//	encode.go          encoding a commit; seq.go numbers of commits
//	blind.go           blind writes: changing sets that are on the disk only without reading them
//	pop.go             a pop now, or a place among those that wait; serve.go pops for them at the end of a commit
//	limits.go          the limits of keys, transactions and memory
//	holder.go          a transaction as a holder of locks, for reports
//
// Set operations, which see several sets as they were at one instant, and sets that are stored whole. An operation works on small inputs
// under their locks, and copies big ones while writers go on. A big result goes to the log in commits of a page each:
//
//	operations.go      operations, what they share; input and instant, sets as they were at one instant
//	operate.go         the set operations
//	capture.go         copies of several sets at one instant; copying.go a copy of one set, made while it changes
//	stores.go          storing a result under a key
//	stage.go           writing a result to the log that is too big for one commit
//	ints.go            copying out and storing whole sets with int64 scores
//
// The rest is in internal packages. Each imports only packages below it in this list:
//
//	internal/recovery    reading sets back: Open and Check
//	internal/residency   which sets are in memory: load and evict
//	internal/checkpoint  snapshots, and when they are due
//	internal/keyspace    keys to sets, ids, expiries, accounts
//	internal/undo        the undo log
//	internal/private     private keys
//	internal/waitqueue   queues of calls that wait
//	internal/owner       the proof by which package board gets an Owner
//	internal/locks       the locks of keys, ErrInTx, reports of calls that wait for long
//	internal/rwlock      a reader/writer lock whose readers share no memory
//	internal/goroutine   the number of the calling goroutine
//	internal/facts       the stored form of a set
//	internal/observe     counters, histograms, events
//	internal/lifetime    the end of the engine
//
// # Locks
//
// Each key has its own lock as long as it has a set. Each stripe of private keys has one: a
// transaction that uses two private keys has two of 64 locks, and waits for others that use the
// same keys, or, in about one case of 64, other keys of the same stripes. Reserved private keys of
// the same board share a stripe. Tx.Scan locks the stripes of all keys that can have the prefix,
// which are all of them unless the prefix names a board. Every other lock is held only for a map
// access or an append to the log's queue. Readers of a set do not wait for each other, and once two
// have met they write to no memory that all of them write to. No lock is held while a call waits
// for the disk to write. While a closure runs, only the locks of its keys are held. OnEvent and
// Logger are called in a separate goroutine with no lock held, and so is the body of a loop over a
// Feed. Options.Clock may be called with locks held.
//
// Keys are locked in sorted order, whatever order the caller names them in, then stripes in order
// of their numbers, and a set that gets another key gets that key's lock. A transaction that asks
// for a lock out of order takes it if it is free, and restarts otherwise. So transactions cannot
// deadlock, unless a closure waits for another goroutine. Besides the goroutines of the store an
// engine has three: for snapshots, for eviction, and, once a set has an expiry, for dropping
// expired sets.
package engine
