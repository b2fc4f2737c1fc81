package engine

import (
	"time"

	"github.com/zrankdb/zrank/engine/internal/observe"
)

// EventKind says what an Event is about.
type EventKind uint8

const (
	// EventSlowSync: one write or flush of the disk has taken Options.SlowSync, and goes on.
	EventSlowSync = EventKind(observe.EventSlowSync)
	// EventStalled: one write or flush of the disk has taken Options.StallTimeout, and goes on.
	EventStalled = EventKind(observe.EventStalled)
	// EventDiskFull: there is less free space than Options.DiskReserve.
	EventDiskFull = EventKind(observe.EventDiskFull)
	// EventFailed: the disk has failed, and the engine writes nothing more.
	EventFailed = EventKind(observe.EventFailed)
	// EventWaiting: the operating system refuses the engine a file for a reason that is not the disk's, such as too many open files. The
	// engine tries again until it gets the file.
	EventWaiting = EventKind(observe.EventWaiting)
)

const (
	// EventSnapshot: a snapshot begins; with Ended, it is complete or has failed.
	EventSnapshot = EventKind(observe.EventSnapshot)
	// EventSlowLoad: reading a set from the disk has taken Options.SlowCall.
	EventSlowLoad = EventKind(observe.EventSlowLoad)
	// EventMemory: the sets in memory take more than Options.MemoryLimit, and none can be evicted; without a directory, a transaction
	// has been refused for it.
	EventMemory = EventKind(observe.EventMemory)
	// EventSlowCall: an Update, or a View of the sample, has taken Options.SlowCall. At most one is emitted in 100 ms;
	// Stats.SlowCalls counts them all. With Waiting, a call of any kind has waited for the lock of a key for Options.SlowCall, and still
	// waits: perhaps for ever, if the holder of the lock waits for this call. Each wait is reported once, at most one in 100 ms.
	EventSlowCall = EventKind(observe.EventSlowCall)
	// EventExpired: expired sets have been dropped; with Err, one could not be dropped, and is tried again after about a second.
	EventExpired = EventKind(observe.EventExpired)
	// EventCompact: Engine.Compact begins to rewrite the files; with Ended, it is complete or has failed.
	EventCompact = EventKind(observe.EventCompact)
)

// String returns what the event is about: "slow sync", "snapshot".
func (k EventKind) String() string { return observe.EventKind(k).String() }

// Event is something that an operator may want to know. The kinds that last are emitted twice, when they begin, and with Ended when they
// are over: EventSlowSync, EventStalled, EventDiskFull, EventWaiting, EventSnapshot, EventMemory and EventCompact.
type Event struct {
	Kind     EventKind     // what has happened
	Ended    bool          // it is over
	Duration time.Duration // of the write or flush so far, the snapshot, the call, the load, the collection, the compaction
	Free     int64         // bytes: EventDiskFull
	Bytes    int64         // of pages: EventSnapshot; of files, afterwards: EventCompact; in memory: EventMemory; of the set in memory: EventSlowLoad
	N        int           // keys that were named: EventSlowCall; sets: EventExpired
	Key      string        // of the set, or the first one named, at most 64 bytes of it: EventSlowLoad, EventSlowCall, EventExpired with Err
	Op       string        // "update", "view" or "acknowledge": EventSlowCall; with Waiting also "snapshot", "check" and the like
	// EventSlowCall only, of a call that waits.
	Waiting   bool     // it has not ended, and waits for the lock of Key
	Private   bool     // it waits for the lock of a private key, or of all for a Scan; Key is ""
	Keys      []string // that were named, the first 8, at most 64 bytes of each
	Goroutine int64    // that waits: its number in a dump of stacks
	Holders   []Holder // the holders of the lock, 8 at most; none: the engine itself, for a check or the like, or it has just been released

	Err error // the ErrPersistence that commits get: EventFailed; what the system says: EventWaiting; why it failed: EventSnapshot, EventSlowCall, EventExpired, EventCompact
}

// Holder is a call that has the lock that another one waits for.
type Holder struct {
	Op        string        // "update" or "view"
	Keys      []string      // that it has named, the first 8, at most 64 bytes of each
	N         int           // how many it has named
	Goroutine int64         // that it runs in: its number in a dump of stacks
	Duration  time.Duration // since the call began; 0: a View that is not in the sample
	Waiting   bool          // it waits for the lock of a further key; otherwise its closure runs
}

// String describes the holder in one line.
func (h Holder) String() string { return observe.Holder(h).String() }

// eventOf is an event as Options.OnEvent gets it.
func eventOf(v observe.Event) Event {
	e := Event{Ended: v.Ended, Duration: v.Duration, Free: v.Free, Bytes: v.Bytes, N: v.N, Key: v.Key, Op: v.Op, Waiting: v.Waiting, Private: v.Private, Keys: v.Keys, Goroutine: v.Goroutine, Err: v.Err}
	e.Kind = EventKind(v.Kind)
	for _, h := range v.Holders {
		e.Holders = append(e.Holders, Holder(h))
	}
	return e
}
