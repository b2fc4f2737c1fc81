package access

import (
	"container/list"
	"net/netip"
	"sync"
	"time"
)

// maxAddresses is how many addresses a throttle stores. The one whose last failure is the oldest goes first.
const maxAddresses = 16 << 10

// throttle refuses addresses that have failed too often. An address may fail limit times at once, and again once every interval, which is a minute
// divided by the limit.
//
// The state of an address is one time, as in the generic cell rate algorithm: when it will have all its failures again. An address whose time is
// past needs no state.
type throttle struct {
	limit    int
	interval time.Duration

	mu    sync.Mutex
	byKey map[netip.Prefix]*list.Element // of order
	order list.List                      // of *failures: by the last failure, the oldest in front
}

// failures is the state of an address.
type failures struct {
	from  netip.Prefix
	until time.Time
}

// newThrottle returns a throttle that lets an address fail so many times per minute.
func newThrottle(limit int) *throttle {
	return &throttle{limit: limit, interval: time.Minute / time.Duration(limit), byKey: map[netip.Prefix]*list.Element{}}
}

// wait returns how long an address must wait before its next attempt is looked at; 0: not at all. O(1).
func (t *throttle) wait(from netip.Prefix, now time.Time) time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	e, ok := t.byKey[from]
	if !ok {
		return 0
	}
	return max(0, t.until(e, now).Add(-time.Duration(t.limit-1)*t.interval).Sub(now))
}

// fail counts a failure of an address. O(1).
func (t *throttle) fail(from netip.Prefix, now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	e, ok := t.byKey[from]
	if ok {
		t.order.MoveToBack(e)
	} else {
		if t.order.Len() >= maxAddresses {
			oldest, _ := t.order.Remove(t.order.Front()).(*failures)
			delete(t.byKey, oldest.from)
		}
		e = t.order.PushBack(&failures{from: from, until: now})
		t.byKey[from] = e
	}
	f, _ := e.Value.(*failures)
	f.until = t.until(e, now).Add(t.interval)
}

// until returns when an address will have all its failures again: now, or later, and no later than after limit failures. It stores that, so that
// a clock that has gone back keeps nobody out for longer.
func (t *throttle) until(e *list.Element, now time.Time) time.Time {
	f, _ := e.Value.(*failures)
	latest := now.Add(time.Duration(t.limit) * t.interval)
	if f.until.Before(now) {
		f.until = now
	} else if f.until.After(latest) {
		f.until = latest
	}
	return f.until
}
