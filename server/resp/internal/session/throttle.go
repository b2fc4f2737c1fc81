package session

import (
	"log/slog"
	"sync/atomic"
	"time"
)

// ThrottledLog logs an event that clients can trigger at will, at most once a second, with the number of events since the last line.
type ThrottledLog struct {
	events atomic.Int64 // since the last line
	last   atomic.Int64 // time of the last line, in Unix nanoseconds
}

// Warn counts an event, and logs it if a second has passed since the last line.
func (l *ThrottledLog) Warn(log *slog.Logger, text string, more ...any) {
	l.events.Add(1)
	now, last := time.Now().UnixNano(), l.last.Load()
	if now-last >= int64(time.Second) && l.last.CompareAndSwap(last, now) {
		log.Warn(text, append(more, "times", l.events.Swap(0))...)
	}
}
