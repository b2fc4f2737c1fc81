package resp

import (
	"log/slog"
	"sync/atomic"
	"time"
)

// seldom tells the log of what clients can make happen as often as they like: once a second at most, with how often it has happened
// since it was told last.
type seldom struct {
	times atomic.Int64 // that are not told yet
	last  atomic.Int64 // when it was told last, in nanoseconds after 1970
}

// warn counts what has happened, and tells of it if it is time.
func (l *seldom) warn(log *slog.Logger, text string, more ...any) {
	l.times.Add(1)
	now, last := time.Now().UnixNano(), l.last.Load()
	if now-last >= int64(time.Second) && l.last.CompareAndSwap(last, now) {
		log.Warn(text, append(more, "times", l.times.Swap(0))...)
	}
}
