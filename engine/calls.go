package engine

import "time"

// Update and View time themselves here.

// timedUpdate times an Update.
func (e *Engine) timedUpdate(keys []string, fn func(*Tx) error) error {
	began := e.counters.now()
	err := e.updateDurably(keys, fn)
	took := e.counters.now() - began
	e.counters.mine().updates.add(took)
	e.called(Event{Op: "update", Duration: took, Err: err}, keys)
	return err
}

// timedView times a View if it is in the sample.
func (e *Engine) timedView(keys []string, fn func(*Tx) error) error {
	if !sampled() {
		return e.view(keys, fn)
	}
	began := e.counters.now()
	err := e.view(keys, fn)
	took := e.counters.now() - began
	e.counters.mine().views.add(took)
	e.called(Event{Op: "view", Duration: took, Err: err}, keys)
	return err
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
	case tx.changed():
		s.commits.Add(1)
	}
}

// changed reports whether the transaction, which has been settled, changes anything.
func (tx *Tx) changed() bool {
	if len(tx.private) > 0 {
		return true
	}
	for _, s := range tx.sets {
		if len(s.touched.list) > 0 {
			return true
		}
	}
	return false
}
