package observe

import (
	"sync/atomic"
	"time"
)

// SlowCalls counts calls that took longer than Options.SlowCall, and tells of some of them.
type SlowCalls struct {
	Limit    time.Duration // below 0: no call is slow
	Heard    bool          // somebody hears of them
	Counters *Counters
	Events   *Dispatcher
	last     atomic.Int64 // when the last event was told, by counters.now, and 1; 0: none was
}

// SlowPause is the least time between two events about slow calls: a slow disk makes every call slow.
const SlowPause = 100 * time.Millisecond

// Report counts a call if it was slow, and tells of it.
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
	s.Events.Tell(v)
}
