package engine

import (
	"sync/atomic"
	"time"
)

// slowCalls counts calls that took longer than Options.SlowCall, and tells of some of them.
type slowCalls struct {
	limit    time.Duration // below 0: no call is slow
	heard    bool          // somebody hears of them
	counters *counters
	events   *events
	last     atomic.Int64 // when the last event was told, by counters.now, and 1; 0: none was
}

// slowPause is the least time between two events about slow calls: a slow disk makes every call slow.
const slowPause = 100 * time.Millisecond

// report counts a call if it was slow, and tells of it.
func (s *slowCalls) report(v Event, keys []string) {
	if v.Duration < s.limit || s.limit < 0 {
		return
	}
	s.counters.slow.Add(1)
	now, last := int64(s.counters.now())+1, s.last.Load()
	if last > 0 && now-last < int64(slowPause) || !s.last.CompareAndSwap(last, now) {
		return
	}
	v.Kind, v.N = EventSlowCall, len(keys)
	if len(keys) > 0 {
		v.Key = keys[0]
	}
	s.events.tell(v)
}
