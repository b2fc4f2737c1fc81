package engine

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/zrankdb/zrank/persist"
)

// EventKind says what an Event is about.
type EventKind uint8

const (
	// EventSlowSync: one write or flush of the disk has taken Options.SlowSync, and goes on.
	EventSlowSync = EventKind(persist.EventSlowSync)
	// EventStalled: one write or flush of the disk has taken Options.StallTimeout, and goes on.
	EventStalled = EventKind(persist.EventStalled)
	// EventDiskFull: there is less free space than Options.DiskReserve.
	EventDiskFull = EventKind(persist.EventDiskFull)
	// EventFailed: the disk has failed, and the engine writes nothing more.
	EventFailed = EventKind(persist.EventFailed)
)

const (
	// EventSnapshot: a snapshot begins; Ended: it is there, or has failed.
	EventSnapshot EventKind = EventFailed + 1 + iota
	// EventSlowLoad: reading a set from the disk has taken Options.SlowCall.
	EventSlowLoad
	// EventMemory: the sets in memory take more than Options.MemoryLimit, and none can leave; in memory only, a transaction has
	// been refused for it.
	EventMemory
	// EventSlowCall: an Update, or a View of the sample, has taken Options.SlowCall. There is one at most in 100 ms;
	// Stats.SlowCalls has them all.
	EventSlowCall
	// EventExpired: sets have been collected after their time; with Err, one could not be dropped, and stays for about a second.
	EventExpired
)

var eventNames = [...]string{EventSlowSync: "slow sync", EventStalled: "stalled", EventDiskFull: "disk full", EventFailed: "failed",
	EventSnapshot: "snapshot", EventSlowLoad: "slow load", EventMemory: "memory", EventSlowCall: "slow call", EventExpired: "expired"}

// String returns what the event is about: "slow sync", "snapshot".
func (k EventKind) String() string {
	if k > 0 && int(k) < len(eventNames) {
		return eventNames[k]
	}
	return fmt.Sprintf("EventKind(%d)", uint8(k))
}

// Event is something that an operator may want to know. Those that last, which are EventSlowSync, EventStalled, EventDiskFull,
// EventSnapshot and EventMemory, come twice: when they begin, and with Ended when they are over.
type Event struct {
	Kind     EventKind
	Ended    bool
	Duration time.Duration // of the write or flush so far, the snapshot, the call, the load, the collection
	Free     int64         // bytes: EventDiskFull
	Bytes    int64         // of pages: EventSnapshot; in memory: EventMemory; of the set in memory: EventSlowLoad
	N        int           // keys that were named: EventSlowCall; sets: EventExpired
	Key      string        // of the set, or the first one named, at most 64 bytes of it: EventSlowLoad, EventSlowCall, EventExpired with Err
	Op       string        // "update", "view" or "acknowledge": EventSlowCall
	Err      error         // the ErrPersistence that commits get: EventFailed; why it failed: EventSnapshot, EventSlowCall, EventExpired
}

const (
	maxEvents   = 64 // that wait for a callback or a logger that blocks
	maxEventKey = 64
)

// events passes events to Options.OnEvent and Options.Logger, in one goroutine, which is there only while there is something to
// tell, so that nobody has to end it. Who has something to tell never waits.
type events struct {
	call func(Event)
	log  *slog.Logger
	lost atomic.Uint64 // because maxEvents were waiting

	mu      sync.Mutex
	queue   []Event
	running bool
}

// tell passes an event on. EventFailed, which comes once, is never lost.
func (v *events) tell(e Event) {
	if len(e.Key) > maxEventKey {
		e.Key = e.Key[:maxEventKey]
	}
	if v.call == nil && !v.log.Enabled(context.Background(), e.level()) {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.queue) >= maxEvents && e.Kind != EventFailed {
		v.lost.Add(1)
		return
	}
	v.queue = append(v.queue, e)
	if !v.running {
		v.running = true
		go v.run()
	}
}

// disk passes on what the store tells, which has logged it.
func (v *events) disk(e persist.Event) {
	v.tell(Event{Kind: EventKind(e.Kind), Ended: e.Ended, Duration: e.Duration, Free: e.Free, Err: e.Err})
}

func (v *events) run() {
	for {
		v.mu.Lock()
		if len(v.queue) == 0 {
			v.running = false
			v.mu.Unlock()
			return
		}
		e := v.queue[0]
		v.queue = v.queue[1:]
		v.mu.Unlock()
		if e.Kind > EventFailed {
			v.log.LogAttrs(context.Background(), e.level(), e.text(), e.attrs()...)
		}
		if v.call != nil {
			v.call(e)
		}
	}
}

// level is how the event is logged.
func (e Event) level() slog.Level {
	switch {
	case e.Kind == EventFailed || e.Kind == EventSnapshot && e.Err != nil:
		return slog.LevelError
	case e.Kind == EventSnapshot && !e.Ended || e.Kind == EventExpired && e.Err == nil:
		return slog.LevelDebug
	case e.Ended:
		return slog.LevelInfo
	}
	return slog.LevelWarn
}

// text is how the event is logged.
func (e Event) text() string {
	switch {
	case e.Kind == EventSnapshot && e.Err != nil:
		return "engine: snapshot failed"
	case e.Kind == EventMemory && !e.Ended:
		return "engine: the sets in memory are above the limit"
	case e.Ended:
		return "engine: " + e.Kind.String() + " is over"
	}
	return "engine: " + e.Kind.String()
}

// attrs are what of the event is logged: all that is not zero.
func (e Event) attrs() []slog.Attr {
	var list []slog.Attr
	if e.Op != "" {
		list = append(list, slog.String("op", e.Op))
	}
	if e.Duration != 0 {
		list = append(list, slog.Duration("duration", e.Duration))
	}
	if e.Bytes != 0 {
		list = append(list, slog.Int64("bytes", e.Bytes))
	}
	if e.Key != "" {
		list = append(list, slog.String("key", e.Key))
	}
	if e.N != 0 {
		list = append(list, slog.Int("n", e.N))
	}
	if e.Err != nil {
		list = append(list, slog.Any("error", e.Err))
	}
	return list
}

// collected tells that sets have been collected after their time.
func (e *Engine) collected(sets int, took time.Duration) {
	e.counters.expired.Add(uint64(sets))
	e.events.tell(Event{Kind: EventExpired, N: sets, Duration: took})
}
