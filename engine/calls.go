package engine

import "time"

// updated counts an Update.
func (e *Engine) updated(keys []string, took time.Duration, err error) {
	e.counters.mine().updates.add(took)
	e.called(Event{Op: "update", Duration: took, Err: err}, keys)
}

// viewed counts a View of the sample.
func (e *Engine) viewed(keys []string, took time.Duration, err error) {
	e.counters.mine().views.add(took)
	e.called(Event{Op: "view", Duration: took, Err: err}, keys)
}

// slowPause is the least time between two events about slow calls: a slow disk makes every call slow.
const slowPause = 100 * time.Millisecond

// called counts a call if it was slow, and tells of it.
func (e *Engine) called(v Event, keys []string) {
	if v.Duration < e.slowCall || e.slowCall < 0 {
		return
	}
	e.counters.slow.Add(1)
	now, last := int64(e.counters.now())+1, e.lastSlow.Load()
	if last > 0 && now-last < int64(slowPause) || !e.lastSlow.CompareAndSwap(last, now) {
		return
	}
	v.Kind, v.N = EventSlowCall, len(keys)
	if len(keys) > 0 {
		v.Key = keys[0]
	}
	e.events.tell(v)
}

// counted counts how a transaction has ended.
func (e *Engine) counted(tx *Tx, committed bool) {
	s := e.counters.mine()
	switch {
	case !committed:
		s.rolledBack.Add(1)
	case tx.logged:
		s.commits.Add(1)
	}
}
