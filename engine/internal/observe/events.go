package observe

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
	// EventWaiting: the operating system refuses the engine a file for a reason that is not the disk's, such as too many open files. The
	// engine tries again until it gets the file.
	EventWaiting = EventKind(persist.EventWaiting)
)

const (
	// EventSnapshot: a snapshot begins; with Ended, it is complete or has failed.
	EventSnapshot EventKind = EventWaiting + 1 + iota
	// EventSlowLoad: reading a set from the disk has taken Options.SlowCall.
	EventSlowLoad
	// EventMemory: the sets in memory take more than Options.MemoryLimit, and none can be evicted; without a directory, a transaction
	// has been refused for it.
	EventMemory
	// EventSlowCall: an Update, or a View of the sample, has taken Options.SlowCall. At most one is emitted in 100 ms;
	// Stats.SlowCalls counts them all. With Waiting, a call of any kind has waited for the lock of a key for Options.SlowCall, and still
	// waits: perhaps for ever, if the holder of the lock waits for this call. Each wait is reported once, at most one in 100 ms.
	EventSlowCall
	// EventExpired: expired sets have been dropped; with Err, one could not be dropped, and is tried again after about a second.
	EventExpired
	// EventCompact: Engine.Compact begins to rewrite the files; with Ended, it is complete or has failed.
	EventCompact
)

// eventNames are the names of those that are not the store's.
var eventNames = map[EventKind]string{EventSnapshot: "snapshot", EventSlowLoad: "slow load", EventMemory: "memory", EventSlowCall: "slow call",
	EventExpired: "expired", EventCompact: "compaction"}

// String returns what the event is about: "slow sync", "snapshot".
func (k EventKind) String() string {
	if name, ok := eventNames[k]; ok {
		return name
	}
	return persist.EventKind(k).String()
}

// Event is something that an operator may want to know. The kinds that last are emitted twice, when they begin, and with Ended when they
// are over: EventSlowSync, EventStalled, EventDiskFull, EventWaiting, EventSnapshot, EventMemory and EventCompact.
type Event struct {
	Kind     EventKind
	Ended    bool
	Duration time.Duration // of the write or flush so far, the snapshot, the call, the load, the collection, the compaction
	Free     int64         // bytes: EventDiskFull
	Bytes    int64         // of pages: EventSnapshot; of files, afterwards: EventCompact; in memory: EventMemory; of the set in memory: EventSlowLoad
	N        int           // keys that were named: EventSlowCall; sets: EventExpired
	Key      string        // of the set, or the first one named, at most 64 bytes of it: EventSlowLoad, EventSlowCall, EventExpired with Err
	Op       string        // "update", "view" or "acknowledge": EventSlowCall; with Waiting also "snapshot", "check" and the like
	// EventSlowCall only, of a call that waits.
	Waiting   bool     // it has not ended, and waits for the lock of Key
	Private   bool     // it waits for the lock of the private keys, which is one for all; Key is ""
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
func (h Holder) String() string {
	state, since := "in its closure", ""
	if h.Waiting {
		state = "waiting for another key"
	}
	if h.Duration != 0 {
		since = fmt.Sprintf(" for %v", h.Duration)
	}
	return fmt.Sprintf("%s of %q (%d keys), goroutine %d, %s%s", h.Op, h.Keys, h.N, h.Goroutine, state, since)
}

const (
	MaxEvents   = 64 // that wait for a callback or a logger that blocks
	maxEventKey = 64

	maxEventKeys = 8
	maxHolders   = 8
)

// Dispatcher passes events to Options.OnEvent and Options.Logger, in one goroutine. The goroutine lives only while events are queued, so
// nothing has to stop it. Emit never waits.
type Dispatcher struct {
	Call func(Event)
	Log  *slog.Logger
	Lost atomic.Uint64 // events dropped because MaxEvents were waiting

	mu      sync.Mutex
	queue   []Event
	running bool
}

// Emit queues an event. EventFailed, which is emitted once, is never dropped.
func (v *Dispatcher) Emit(e Event) {
	e.Key = cutKey(e.Key)
	if v.Call == nil && !v.Log.Enabled(context.Background(), e.level()) {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.queue) >= MaxEvents && e.Kind != EventFailed {
		v.Lost.Add(1)
		return
	}
	v.queue = append(v.queue, e)
	if !v.running {
		v.running = true
		go v.run()
	}
}

// cutKey returns the part of a key that an event shows.
func cutKey(key string) string { return key[:min(len(key), maxEventKey)] }

// Disk queues an event of the store. The store has logged it already.
func (v *Dispatcher) Disk(e persist.Event) {
	v.Emit(Event{Kind: EventKind(e.Kind), Ended: e.Ended, Duration: e.Duration, Free: e.Free, Err: e.Err})
}

// run passes queued events to the logger and the callback, until the queue is empty.
func (v *Dispatcher) run() {
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
		if e.Kind > EventWaiting { // the store logs its own events
			v.Log.LogAttrs(context.Background(), e.level(), e.text(), e.attrs()...)
		}
		if v.Call != nil {
			v.Call(e)
		}
	}
}

// level returns the level at which the event is logged.
func (e Event) level() slog.Level {
	switch {
	case e.Kind == EventFailed || e.Kind == EventSnapshot && e.Err != nil:
		return slog.LevelError
	case (e.Kind == EventSnapshot || e.Kind == EventCompact) && !e.Ended || e.Kind == EventExpired && e.Err == nil:
		return slog.LevelDebug
	case e.Ended:
		return slog.LevelInfo
	}
	return slog.LevelWarn
}

// text returns the event's message in the log.
func (e Event) text() string {
	switch {
	case e.Kind == EventSnapshot && e.Err != nil:
		return "engine: snapshot failed"
	case e.Kind == EventCompact && e.Err != nil:
		return "engine: compaction failed"
	case e.Kind == EventMemory && !e.Ended:
		return "engine: the sets in memory are above the limit"
	case e.Waiting:
		return "engine: slow call waits for a lock"
	case e.Ended:
		return "engine: " + e.Kind.String() + " is over"
	}
	return "engine: " + e.Kind.String()
}

// attrs returns the event's fields for the log: those that are not zero.
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
	if e.Waiting {
		list = append(list, slog.Any("keys", e.Keys), slog.Bool("private", e.Private), slog.Int64("goroutine", e.Goroutine))
	}
	for _, h := range e.Holders {
		list = append(list, slog.String("holder", h.String()))
	}
	if e.Err != nil {
		list = append(list, slog.Any("error", e.Err))
	}
	return list
}

// AddHolder adds a holder of the lock that the call of an event waits for. key is the key of the lock, "" for that of the private keys.
func AddHolder(v *Event, key string, by Holder) {
	if v.Key == "" {
		v.Key = key
	}
	if len(v.Holders) < maxHolders {
		v.Holders = append(v.Holders, by)
	}
}

// FirstKeys returns the first maxEventKeys of n keys, each cut to maxEventKey bytes.
func FirstKeys(n int, key func(i int) string) []string {
	keys := make([]string, min(n, maxEventKeys))
	for i := range keys {
		keys[i] = cutKey(key(i))
	}
	return keys
}
