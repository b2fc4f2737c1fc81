// Package commitlog is the write-ahead log: it numbers commits, queues them, writes them as groups, tells callers when they are
// durable, and shows them to followers.
//
// It promises P1 (numbers without gaps), P2 (durable <= applied <= last), P5, P8, P14 (a bounded queue), P17 and P18 (followers).
// One goroutine, the committer, writes to Pebble once the store is open (P10). Do runs other writes in that goroutine, in order with
// the commits.
//
// The steps of a commit: Append puts it into the queue. The committer takes the queue, seals each chunk as a group and applies it. If
// a caller waits for the disk, it flushes with the last group. Then it ends the turn, and Wait returns.
//
// # Where things are
//
//	append.go     Append: a commit enters the queue, or is refused
//	close.go      Close
//	committer.go  the committer goroutine: rounds, groups, jobs
//	gather.go     what the committer waits for before a round
//	follower.go   Follower: reading the log from a commit on
//	lag.go        the age of the oldest commit that is not durable, and Options.MaxLag
//	log.go        Log: its state and figures
//	memlog.go     MemLog: numbers and followers without a store
//	meter.go      the size of the log
//	pacer.go      Pacer and Bulk: long work that gives way to commits
//	queue.go      the queue, its chunks, and the turns that callers wait for
//	replay.go     reading the log in order: Replay, EachGroup, where it can be cut
//	snapshots.go  the log's part in a snapshot: where to cut the log, and the cut
//	tail.go       the last commits, kept in memory for followers
//	wait.go       Wait, Flush, Barrier
//	watchdog.go   reports a slow disk and wakes its waiters; the timer of MaxLag
//	start.go      New, Start, Run
package commitlog
