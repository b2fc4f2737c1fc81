package persist

import (
	"time"

	"github.com/zrankdb/zrank/persist/internal/pebbledb"
)

// Event is something about the disk that an operator must know. Each kind but EventFailed comes twice: when it begins, and
// with Ended when it is over.
type Event struct {
	Kind     EventKind     // what it is about
	Ended    bool          // it is over
	Duration time.Duration // of the write or flush so far: EventSlowSync, EventStalled; of the wait so far: EventWaiting
	Free     int64         // bytes: EventDiskFull
	Err      error         // the ErrPersistence that commits get: EventFailed; what the operating system says: EventWaiting
}

// EventKind says what an Event is about.
type EventKind uint8

const (
	// EventSlowSync: one write or flush has taken Options.SlowSync, and goes on.
	EventSlowSync = EventKind(pebbledb.EventSlowSync)
	// EventStalled: one write or flush has taken Options.StallTimeout, and goes on.
	EventStalled = EventKind(pebbledb.EventStalled)
	// EventDiskFull: there is less free space than Options.DiskReserve.
	EventDiskFull = EventKind(pebbledb.EventDiskFull)
	// EventFailed: the disk has failed, and the store writes nothing more.
	EventFailed = EventKind(pebbledb.EventFailed)
	// EventWaiting: the operating system refuses the store a file for a reason that is not the disk's, such as too many open files. The
	// store tries again until it gets the file.
	EventWaiting = EventKind(pebbledb.EventWaiting)
)

// String returns "slow sync", "stalled", "disk full", "failed" or "waiting".
func (k EventKind) String() string { return pebbledb.EventKind(k).String() }

// eventsTo returns what calls fn with the events of the database.
func eventsTo(fn func(Event)) func(pebbledb.Event) {
	if fn == nil {
		return nil
	}
	return func(e pebbledb.Event) {
		fn(Event{EventKind(e.Kind), e.Ended, e.Duration, e.Free, e.Err})
	}
}
