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
	Interval  time.Duration // between two flushes; 0: flushes are asked for
	MaxLag    time.Duration // age of the oldest commit that is not durable beyond which Wait blocks, with an Interval
	TailBytes int           // of the end of the log that are kept in memory for followers
}

// Log is the write-ahead log of an open store. Its methods may be called from any goroutine, unless they say otherwise.
type Log struct {
	DB       *pebbledb.DB
	wait     bool // LogConfig.Sync
	interval time.Duration

	Last    atomic.Uint64 // last number given out; written under mu
	applied atomic.Uint64 // last commit in Pebble; written by the committer
	durable atomic.Uint64 // last commit flushed; written by the committer; <= applied (P2)
	Queued  atomic.Int64  // bytes appended and not yet in Pebble; written under mu
	logSize atomic.Int64  // bytes of the groups that are kept; written by the committer
	Opened  uint64        // last number when the log was opened

	waits  atomic.Uint64 // times that Wait has waited
	waited atomic.Int64  // how long, in nanoseconds

	// mu guards what follows. It is never held while Pebble is called, so that Pebble may report a failure from wherever it is.
	mu         sync.Mutex
	queue      queue
	turn       *turn // ends when the committer has dealt with what is queued now
	inflight   *turn // ends when the committer has dealt with what it holds; nil: it holds nothing
	taken      uint64
	takenFlush bool   // inflight makes everything up to taken durable
	flushTo    uint64 // commits up to here are to be flushed whatever the level
	jobs       []*job
	running    bool           // a snapshot is
	current    format.Pointer // m/current as last written
	lag        lag

	tail      tail
	wake      chan struct{} // capacity 1: something is queued
	committer committer     // the committer's own state
}

// State is a log as it was found or created: what the committer goes on from.
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

// LogBytes returns the size of the log since the last truncation, in bytes, to within 64 KiB after a truncation. O(1).
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

// Waits returns how many times callers have waited in Wait, and how long together. O(1).
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
}

// job is work that must go through the committer, behind all commits appended before it.
type job struct {
	run  func() error
	done chan error // capacity 1
}
