package ratelimit

import (
	"fmt"
	"slices"
	"time"
)

// naive is the oracle: it keeps the time of every event of a key for ever, and counts them all.
type naive struct {
	limits []Limit
	events []time.Time // in the order of recording
}

// latest returns the key's time: now, or the time of its last event if that is later.
func (o *naive) latest(now time.Time) time.Time {
	for _, e := range o.events {
		if e.After(now) {
			now = e
		}
	}
	return now
}

// counted returns the events that a limit counts at a time, oldest first.
func (o *naive) counted(l Limit, now time.Time) []time.Time {
	var counted []time.Time
	now = o.latest(now)
	for _, e := range o.events {
		if e.After(now.Add(-l.Window)) {
			counted = append(counted, e)
		}
	}
	slices.SortFunc(counted, time.Time.Compare)
	return counted
}

// allows reports whether every limit allows cost more events.
func (o *naive) allows(cost int, now time.Time) bool {
	for _, l := range o.limits {
		if len(o.counted(l, now))+cost > l.Max {
			return false
		}
	}
	return true
}

// retryAfter tries every moment at which an event leaves a window, in order of time.
func (o *naive) retryAfter(cost int, now time.Time) time.Duration {
	moments := []time.Time{now}
	for _, l := range o.limits {
		for _, e := range o.counted(l, now) {
			moments = append(moments, e.Add(l.Window))
		}
	}
	slices.SortFunc(moments, time.Time.Compare)
	for _, m := range moments {
		if !m.Before(now) && o.allows(cost, m) {
			return m.Sub(now)
		}
	}
	return -1
}

// peek returns the answer that Limiter.Peek must give.
func (o *naive) peek(cost int, now time.Time) Result {
	r := Result{Allowed: o.allows(cost, now), Remaining: MaxEvents, RetryAfter: o.retryAfter(cost, now), At: now}
	for _, l := range o.limits {
		counted := o.counted(l, now)
		st := Status{Limit: l, Remaining: max(l.Max-len(counted), 0)}
		if len(counted) > 0 {
			st.ResetAfter = counted[len(counted)-1].Add(l.Window).Sub(now)
		}
		r.Remaining = min(r.Remaining, st.Remaining)
		r.Limits = append(r.Limits, st)
	}
	return r
}

// allow returns the answer that Limiter.Allow must give.
func (o *naive) allow(cost int, now time.Time) Result {
	r := o.peek(cost, now)
	if !r.Allowed {
		return r
	}
	o.record(cost, now)
	after := o.peek(1, now)
	r.Remaining, r.Limits = after.Remaining, after.Limits
	return r
}

func (o *naive) record(cost int, now time.Time) {
	for range cost {
		o.events = append(o.events, o.latest(now))
	}
}

// check checks R1 for every window that ends with an event.
func (o *naive) check() error {
	for _, l := range o.limits {
		for _, end := range o.events {
			n := 0
			for _, e := range o.events {
				if e.After(end.Add(-l.Window)) && !e.After(end) {
					n++
				}
			}
			if n > l.Max {
				return fmt.Errorf("%d events in the window of %v that ends at %v", n, l, end)
			}
		}
	}
	return nil
}
