// Package engine keeps many sorted sets in one process: by key, safe for every goroutine, all or nothing, and durable in an
// embedded Pebble store.
//
//	e, err := engine.Open("data", engine.Options{})
//	defer e.Close()
//	err = e.Update([]string{"arena"}, func(tx *engine.Tx) error {
//		s, err := tx.Set("arena")
//		if err != nil {
//			return err
//		}
//		_, err = s.IncrBy([]byte("ada"), 15)
//		return err
//	})
//
// New gives an engine with the same methods that keeps everything in memory only.
//
// # Terminology
//
//   - key: the name of a set, any string. A set exists from the first member added to it until the last is removed.
//   - kind: of a set, whether its scores are float64, as in Redis, or int64. It has one for as long as it exists.
//   - form: of a set with int64 scores, how wide its ties are, what of them is score, and whether dense ranks are kept: see Form.
//   - transaction: the closure given to Update or View. It names the keys it will touch before it starts.
//   - effect: an absolute change ("member m of set k now has this score"), what the log holds.
//   - commit: the effects of one transaction, in the log under one sequence number.
//   - id: the name of a set in the log and in snapshots: the key under which it was made. If a renamed set still has that id, a new set
//     gets an unused one.
//   - expiry: the time from which a set does not exist any more, whether it has been dropped by then or not.
//   - staged: of a set, in the log by many commits, and without a key until the last of them.
//   - version: how many changes a set has seen in its life; it rises with each change, across restarts too.
//   - private key: a key of the caller's own, with any value, that commits together with the sets.
//   - reserved key: a key of a set, or a private key, that begins with "board/" or "board.": see Reserved.
//   - cold: of a set, on the disk only.
//   - pin: what keeps a set in memory while a transaction waits for others to be read.
//   - capture: private copies of several sets as they were at one instant, made while writers go on.
//   - base: the sequence number up to which a snapshot of a set holds all changes.
//   - to wait: of a call, to pop from sets that have no members yet.
//   - feed: the commits from a number on, in order, for readers that follow them.
//
// # What it promises
//
//   - E1: a transaction is seen whole or not at all, by other goroutines and after a crash. An error or a panic in the closure
//     rolls it back.
//   - E2: transactions that share a key or a private key happen one after the other, in the order of the log.
//   - E3: when Update returns nil, the commit is as durable as Options.Durability says; at Sync, on the disk. Other
//     goroutines may see it up to one sync before that. The same holds when Update has found nothing to change: what it found
//     is as durable.
//   - E4: after a crash the engine holds exactly the effect of the first n commits, for some n; at Sync, n includes every
//     commit acknowledged.
//   - E5: a set that is not in the log's tail is read from disk when it is first touched, not when the engine opens. It is read
//     once, however many want it; nobody else waits for it, and no lock is held meanwhile. An error, which names the set, is
//     every waiter's, and the next touch tries again.
//   - E6: a set leaves memory, for Options.MemoryLimit or by Unload, only if the disk has it as it is, and no transaction has locked it
//     or waits to. It comes back with the same members, ties and version.
//   - E7: calls that wait for a key are served in the order in which they came, each once. A set that is not locked has no
//     members or nobody waits for it.
//   - E8: a feed shows every commit after its position, once, in order, and only what no crash takes back. It holds up no writer,
//     nothing is queued for it, and if commits that it should show are gone, it ends with ErrFellBehind.
//   - E9: Union, Inter, InterCard and Diff show all their inputs as they were at one instant between call and return, and hold up
//     writers to them for a page of work at a time.
//   - E10: a set is deleted, renamed, replaced or expires whole: nobody sees a part of it, and the cost for others does not grow
//     with its members. A set that a store replaces becomes visible by one commit, however many it took to write.
//
// Check proves that what is in memory is what would be read back, Backup copies everything while transactions go on, Restore makes
// an engine of a copy, and Salvage saves what can be read of a damaged one.
//
// Sets with int64 scores, which Tx.IntSet gives, are exact over the whole range of int64 in memory, in the log, in snapshots and
// in feeds. What is for whole sets (drop, rename, copy, expire, list, unload) is for sets of both kinds; the set operations, and
// waiting for members, are for float64 and refuse others with ErrKind. CopyInts and StoreInts take out and put in an int set whole.
//
// Who reads in one transaction and writes in another puts a condition in the second, Set.Expect or one of its kind, and lets
// Retry do both again after a conflict.
//
// # Calls inside a closure
//
// While a goroutine runs the closure of a transaction, the transaction's keys are locked. A call on that goroutine that waits for a key
// would wait for itself, or for a goroutine that waits for this one. So every method of Engine that locks keys, or waits for those who
// do, returns ErrInTx there, at once and before it changes anything. The rule looks at nothing else:
//
//   - which keys the call names, and whether anybody has them locked, does not matter. Nor does it whether it is a View inside a View: a
//     reader that comes twice waits for a writer that waits for the first time.
//   - it holds however deep the call is: in a function that the closure calls, in SubmitFunc, in the function given to RangeStore or
//     Ranking.View. What packages on top of the engine do by these methods is refused with the same error.
//   - refused are Update, UpdateLater, View and everything that is a transaction of its own, the pops that wait, listings (Keys, Glob,
//     ScanKeys, RandomKey), Expiry, Usage, set operations, CopyInts, StoreInts, Preload, Unload, Snapshot, Check, Feed and Close.
//   - allowed are all methods of Tx and of its sets; Stats, Count, Settings, Now and the like, which wait for nobody; Flush, Barrier,
//     Acknowledge and Backup, which wait for the disk alone, while the keys stay locked; and every call of another engine.
//   - after ErrInTx the closure goes on, and commits or fails as it would have. Nothing is locked that was not before.
//
// It is about goroutines, not about transactions: other goroutines wait for the keys as ever, and one that the closure has started may
// call the engine. What cannot be known is that a closure waits for such a goroutine, directly or by iter.Pull, while that waits for one
// of the closure's keys. Then both hang, with all who want these keys. EventSlowCall tells of a call that waits for a key, while it does:
// the key, the transactions that have it locked, and the numbers of the goroutines, by which they can be found in a dump of all
// stacks. Engine.InTx says whether a goroutine is inside.
//
// # Limits
//
//	what                                 limit                           above it
//	key of a set, private key            64 KiB, none is too short       ErrKeyTooLong
//	keys named in one transaction        65,536                          ErrTooManyKeys
//	what one transaction changes         16 MiB: see MaxTransaction      ErrTooLarge
//	member, with its key and tie         16 MiB less 28 bytes            ErrTooLarge, zset.ErrMemberTooLong
//	tie                                  zset.MaxTieWidth, 40 bytes      the error of zset.Options.Validate
//	score of an int set                  the range of int64              zset.ErrOverflow
//	value of a private key, with the key 16 MiB less 5 to 9 bytes        ErrTooLarge
//	changes under reserved keys          package board only              ErrReserved
//	sets                                 Options.MaxSets                 ErrTooManySets
//	memory of sets, New                  Options.MemoryLimit             ErrMemoryLimit; removing goes on
//	memory of sets, Open                 Options.MemoryLimit             sets leave memory; Preload: ErrMemoryLimit
//	free space on the disk               Options.DiskReserve             ErrDiskFull; removing goes on at first
//
// An engine made by New takes transactions of any size; a member of 16 MiB at most.
//
// # What can be seen of it
//
// Stats has the figures of an engine, and costs the same with a million sets as with one; Usage has those of a set.
// Options.OnEvent and Options.Logger hear of what happens in the background and of slow calls. Package metrics shows the figures
// to Prometheus and expvar.
//
// # Where things are
//
//	engine.go          Engine: New, Open, Close
//	options.go         Options
//	settings.go        Settings: options that can be asked for; SetListpack
//	transactions.go    Update, UpdateLater, View
//	retry.go           Retry
//	types.go           types that the packages below define for callers: Tx, Set, Event and the like
//	errors.go          the errors
//	manage.go          whole sets: exist, delete, rename, expire, list, scan, clear
//	set_operations.go  Union, Inter, Diff, their stores, Copy, CopyInts, StoreInts
//	wait.go            calls that wait for members
//	feed.go            the feed of commits
//	memory.go          Preload, Unload
//	maintenance.go     Snapshot, Check, Backup, Restore, Salvage
//	stats.go           figures of the engine
//	usage.go           figures of one set
//	reserved.go        Owner, by which package board changes its keys
//
// The rest is in packages of its own, whose imports run down this list:
//
//	internal/setops      set operations across keys, and storing sets whole
//	internal/txn         transactions: locking, undo, commit
//	internal/recovery    reading sets back: Open and Check
//	internal/residency   which sets are in memory: load and evict
//	internal/checkpoint  snapshots, and when they are due
//	internal/keyspace    keys to sets, ids, expiries, accounts
//	internal/undo        the undo log
//	internal/private     private keys
//	internal/waitqueue   queues of calls that wait
//	internal/owner       how package board proves that it is package board
//	internal/locks       the locks of keys, ErrInTx, reports of calls that wait for long
//	internal/facts       how a set is written down
//	internal/observe     counters, histograms, events
//	internal/lifetime    when the engine ends
//
// # Locks
//
// Each key has a lock of its own for as long as it has a set. All private keys share one lock. Every other lock is held only for a look
// into a map or an append to the log's queue. Readers of a set do not wait for each other. No lock
// is held while waiting for the disk to write, and none but those of the named keys while a closure runs. OnEvent and Logger are called
// in a goroutine of their own, and the loop over a Feed runs, with no lock held; Options.Clock may be called with locks held. Keys are locked in their own
// order, whatever order the caller names them in, and a set that gets another key gets that key's lock, so transactions cannot
// deadlock, as long as no closure waits for another goroutine. Besides the store's goroutines an engine has three: for snapshots, for
// eviction, and, once a set has an expiry, for those whose time is up.
package engine
