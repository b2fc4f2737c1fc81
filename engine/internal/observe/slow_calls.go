package observe

import (
	"sync/atomic"
	"time"
)

// SlowCalls counts calls that took longer than Options.SlowCall, and emits events for some of them.
type SlowCalls struct {
	Limit    time.Duration // below 0: no call is slow
	Observed bool          // there is a listener or a logger for them
	Counters *Counters
	Events   *Dispatcher
	last     atomic.Int64 // time of the last event by Counters.Now, plus 1; 0: there was none
}

// SlowPause is the least time between two events about slow calls: a slow disk makes every call slow.
const SlowPause = 100 * time.Millisecond

// Report counts a call if it was slow, and emits an event if there was none for SlowPause.
func (s *SlowCalls) Report(v Event, keys []string) {
	if v.Duration < s.Limit || s.Limit < 0 {
		return
	}
	s.Counters.Slow.Add(1)
	now, last := int64(s.Counters.Now())+1, s.last.Load()
	if last > 0 && now-last < int64(SlowPause) || !s.last.CompareAndSwap(last, now) {
		return
	}
	v.Kind, v.N = EventSlowCall, len(keys)
	if len(keys) > 0 {
		v.Key = keys[0]
	}
	s.Events.Emit(v)
}
