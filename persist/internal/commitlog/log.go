package commitlog

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/zrankdb/zrank/persist/internal/format"
	"github.com/zrankdb/zrank/persist/internal/pebbledb"
)

// Config configures a Log.
type Config struct {
	Sync      bool          // Wait waits until a commit is durable
	Interval  time.Duration // between two flushes; 0: only callers start flushes
	MaxLag    time.Duration // with an Interval, Wait blocks while a commit older than this is not durable
	TailBytes int           // bytes at the end of the log that stay in memory for followers
	Retain    int64         // bytes at the end of the log that a snapshot leaves for followers, although it covers them
}

// Log is the write-ahead log of an open store. Its methods may be called from any goroutine, unless they say otherwise.
type Log struct {
	DB       *pebbledb.DB
	wait     bool // Config.Sync
	interval time.Duration
	retain   int64 // Config.Retain

	Last    atomic.Uint64 // last number given out; written under mu
	applied atomic.Uint64 // last commit in Pebble; written by the committer
	durable atomic.Uint64 // last commit flushed; written by the committer; <= applied (P2)
	Queued  atomic.Int64  // bytes appended and not yet in Pebble; written under mu
	logSize atomic.Int64  // bytes of the groups that no snapshot covers; written by the committer
	Opened  uint64        // last number when the log was opened

	waits  atomic.Uint64 // times that Wait has waited
	waited atomic.Int64  // total time of these waits, in nanoseconds

	// mu guards the fields below. It is never held during a call of Pebble, because Pebble may report a failure from any call.
	mu         sync.Mutex
	queue      queue
	turn       *turn  // ends when the committer has written what is queued now
	inflight   *turn  // ends when the committer has written what it took; nil: no round is running
	taken      uint64 // the last commit that the committer took
	takenFlush bool   // inflight makes everything up to taken durable
	flushTo    uint64 // commits up to this one must be flushed at any level
	awaited    uint64 // the commit that ends the committer's gathering; 0: it does not gather
	jobs       []*job
	running    bool           // a snapshot is running
	current    format.Pointer // m/current as last written
	lag        lag

	tail      tail
	wake      chan struct{} // capacity 1: something is queued
	committer committer     // the committer's own state
}

// State is the state of a log when it is opened or created; the committer continues from it.
type State struct {
	Current format.Pointer
	Chain   format.Chain // where the log ends
	Meter   Meter
}

// LastSeq returns the number of the last commit that was appended; 0 is none. O(1).
func (l *Log) LastSeq() uint64 { return l.Last.Load() }

// AppliedSeq returns the number of the last commit that is in Pebble. O(1).
func (l *Log) AppliedSeq() uint64 { return l.applied.Load() }

// DurableSeq returns the number of the last commit that is known to be on the disk. O(1).
func (l *Log) DurableSeq() uint64 { return l.durable.Load() }

// LogBytes returns the size of the log after the last snapshot, in bytes. After a snapshot the error is at most 64 KiB. O(1).
func (l *Log) LogBytes() int64 { return l.logSize.Load() }

// Lag returns the age of the oldest commit that is not known to be on the disk; 0: there is none. O(1).
func (l *Log) Lag() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	first := l.lag.first()
	if l.durable.Load() >= l.Last.Load() || first.IsZero() {
		return 0
	}
	return time.Since(first)
}

// Waits returns how many times callers have waited in Wait, and the total time. O(1).
func (l *Log) Waits() (n uint64, together time.Duration) {
	return l.waits.Load(), time.Duration(l.waited.Load())
}

// Pointer returns m/current as last written.
func (l *Log) Pointer() format.Pointer {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.current
}

// reached notes that commits up to seq are durable.
func (l *Log) reached(seq uint64) {
	l.durable.Store(seq)
	l.tail.reach(seq)
}

// FlushTarget returns the last commit that a Barrier has asked to flush. O(1).
func (l *Log) FlushTarget() uint64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.flushTo
}

// committer is the state that only the committer goroutine touches, once it runs.
type committer struct {
	chain format.Chain // where the log ends
	meter Meter

	took     uint64        // the number of commits in the last round
	expected uint64        // the same of the next one, if all callers that the last one has woken come back
	flush    time.Duration // the time that the last flush took

	unflushed bool // the pointer was written without a flush after it
}

// job is work that must go through the committer, behind all commits appended before it.
type job struct {
	run  func() error
	done chan error // capacity 1
}
