// Package commitlog is the write-ahead log: it numbers commits, queues them, writes them as groups, tells callers when they are
// durable, and shows them to followers.
//
// It promises P1 (numbers without gaps), P2 (durable <= applied <= last), P5, P8, P14 (a bounded queue), P17 and P18 (followers).
// One goroutine, the committer, writes to Pebble once the store is open (P10); whatever else must be written in order with the
// commits goes through Do.
//
// A commit's way: Append puts it into the queue; the committer takes the queue, seals each chunk as a group, applies it, flushes with
// the last one where a caller waits for that, and ends the turn; Wait returns.
//
// # Where things are
//
//	append.go     Append: a commit enters the queue, or is refused
//	close.go      Close
//	committer.go  the committer goroutine: rounds, groups, jobs
//	follower.go   Follower: reading the log from a commit on
//	lag.go        the age of the oldest commit that is not durable, and Options.MaxLag
//	log.go        Log: its state and what it tells of itself
//	memlog.go     MemLog: numbers and followers without a store
//	meter.go      the size of the log
//	queue.go      the queue, its chunks, and the turns that callers wait for
//	replay.go     reading the log in order: Replay, EachGroup, where it can be cut
//	snapshots.go  what a snapshot asks of the log: where to cut it, and the cut
//	tail.go       the last commits, kept in memory for followers
//	wait.go       Wait, Flush, Barrier
//	watchdog.go   reports a slow disk and wakes its waiters; the timer of MaxLag
//	start.go      New, Start, Run
package commitlog
