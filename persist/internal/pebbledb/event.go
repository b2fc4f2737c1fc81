package pebbledb

import (
	"fmt"
	"sync"
	"time"
)

// EventKind says what an Event is about.
type EventKind uint8

const (
	// EventSlowSync: one write or flush has taken Options.SlowSync, and goes on.
	EventSlowSync EventKind = iota + 1
	// EventStalled: one write or flush has taken Options.StallTimeout, and goes on.
	EventStalled
	// EventDiskFull: there is less free space than Options.DiskReserve.
	EventDiskFull
	// EventFailed: the disk has failed, and the store writes nothing more.
	EventFailed
	// EventWaiting: the operating system refuses the store a file for a reason that is not the disk's, such as too many open files. The
	// store tries again until it gets the file.
	EventWaiting
)

var eventNames = [...]string{EventSlowSync: "slow sync", EventStalled: "stalled", EventDiskFull: "disk full", EventFailed: "failed", EventWaiting: "waiting"}

// String returns "slow sync", "stalled", "disk full", "failed" or "waiting".
func (k EventKind) String() string {
	if k > 0 && int(k) < len(eventNames) {
		return eventNames[k]
	}
	return fmt.Sprintf("EventKind(%d)", uint8(k))
}

// Event is something about the disk that an operator must know: see persist.Event.
type Event struct {
	Kind     EventKind
	Ended    bool
	Duration time.Duration // of the write or flush so far: EventSlowSync, EventStalled; of the wait so far: EventWaiting
	Free     int64         // bytes: EventDiskFull
	Err      error         // the ErrPersistence that commits get: EventFailed; what the operating system says: EventWaiting
}

// notifier calls Options.OnEvent. It runs a goroutine only while events are queued, so that nothing has to stop it.
type notifier struct {
	call func(Event)

	mu      sync.Mutex
	queue   []Event
	running bool
}

// MaxEvents bounds the queue of events while a callback blocks. Further events are dropped, except EventFailed, which comes only once.
const MaxEvents = 64

func (n *notifier) add(e Event) {
	if n.call == nil {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if len(n.queue) >= MaxEvents && e.Kind != EventFailed {
		return
	}
	n.queue = append(n.queue, e)
	if !n.running {
		n.running = true
		go n.run()
	}
}

func (n *notifier) run() {
	for {
		n.mu.Lock()
		if len(n.queue) == 0 {
			n.running = false
			n.mu.Unlock()
			return
		}
		e := n.queue[0]
		n.queue = n.queue[1:]
		n.mu.Unlock()
		n.call(e)
	}
}
