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

// EventKind is engine.EventKind.
type EventKind uint8

// The kinds of events; package engine says of each when it is emitted. The first ones are the store's.
const (
	EventSlowSync = EventKind(persist.EventSlowSync)
	EventStalled  = EventKind(persist.EventStalled)
	EventDiskFull = EventKind(persist.EventDiskFull)
	EventFailed   = EventKind(persist.EventFailed)
	EventWaiting  = EventKind(persist.EventWaiting)

	EventSnapshot = EventWaiting + iota - 4
	EventSlowLoad
	EventMemory
	EventSlowCall
	EventExpired
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

// Event is engine.Event.
type Event struct {
	Kind     EventKind
	Ended    bool
	Duration time.Duration
	Free     int64
	Bytes    int64
	N        int
	Key      string
	Op       string
	// EventSlowCall only, of a call that waits.
	Waiting   bool
	Private   bool
	Keys      []string
	Goroutine int64
	Holders   []Holder

	Err error
}

// Holder is engine.Holder.
type Holder struct {
	Op        string
	Keys      []string
	N         int
	Goroutine int64
	Duration  time.Duration
	Waiting   bool
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
