package ratelimit

import (
	"fmt"
	"time"

	"github.com/zrankdb/zrank/engine"
)

// Result is the answer to a call about one key.
type Result struct {
	// Allowed says whether all limits of the key allow the call.
	Allowed bool
	// Remaining is the least of the limits' own.
	Remaining int
	// RetryAfter is how long until the same call would be allowed, if nothing more is recorded; 0 if it is.
	RetryAfter time.Duration
	// At is the time by the engine's clock, to the microsecond, that the answer is for.
	At time.Time
	// Limits has how each limit stands, in the order of Spec.Limits.
	Limits []Status
}

// Allow asks whether something of a cost may happen now for a key, and records it if so: all of it or nothing (R2). It
// returns when that is as durable as the engine makes it (R6). O(limits log events + cost log events). Errors: ErrKey, ErrCost,
// ErrNever, ErrTime, those of engine.Engine.Update; nothing is recorded then, but see there for ErrStalled and ErrPersistence.
func (l *Limiter) Allow(key string, cost int) (r Result, err error) {
	if err := l.validate(key, cost); err != nil {
		return Result{}, err
	}
	set := l.SetKey(key)
	err = l.e.Update([]string{set}, func(tx *engine.Tx) error {
		r, err = l.allow(tx, set, cost)
		return err
	})
	if err != nil {
		return Result{}, err
	}
	return r, nil
}

// AllowTx is Allow as part of a transaction on the limiter's engine that has named SetKey(key): what it records commits with
// the transaction. If the call is refused nothing has changed, and the transaction may go on. Errors: ErrKey, ErrCost,
// ErrNever, ErrTime, and likewise; those of the engine: the transaction must not be committed then.
func (l *Limiter) AllowTx(tx *engine.Tx, key string, cost int) (Result, error) {
	if err := l.validate(key, cost); err != nil {
		return Result{}, err
	}
	return l.allow(tx, l.SetKey(key), cost)
}

// allow is Allow for the set of a key.
func (l *Limiter) allow(tx *engine.Tx, set string, cost int) (Result, error) {
	log, err := tx.Set(set)
	if err != nil {
		return Result{}, err
	}
	now, err := micros(tx.Now())
	if err != nil {
		return Result{}, err
	}
	r := l.judge(log, now, cost)
	if !r.Allowed {
		return r, nil
	}
	r.spend(cost)
	return r, l.record(log, now, cost)
}

// Peek answers as Allow would, and records nothing: Remaining is without the call's own events. O(limits log events). Errors:
// ErrKey, ErrCost, ErrNever, ErrTime, those of engine.Engine.View.
func (l *Limiter) Peek(key string, cost int) (r Result, err error) {
	if err := l.validate(key, cost); err != nil {
		return Result{}, err
	}
	set := l.SetKey(key)
	err = l.e.View([]string{set}, func(tx *engine.Tx) error {
		log, err := tx.Set(set)
		if err != nil {
			return err
		}
		now, err := micros(tx.Now())
		if err == nil {
			r = l.judge(log, now, cost)
		}
		return err
	})
	return r, err
}

// Reset forgets the events of a key. O(1). Errors: ErrKey, those of engine.Engine.Update.
func (l *Limiter) Reset(key string) error {
	if len(key) > MaxKey {
		return fmt.Errorf("%w: %d bytes, %q…", ErrKey, len(key), key[:16])
	}
	set := l.SetKey(key)
	return l.e.Update([]string{set}, func(tx *engine.Tx) error {
		_, err := tx.Drop(set)
		return err
	})
}

// judge says whether a call is allowed, and how things stand before it. O(limits log events).
func (l *Limiter) judge(log *engine.Set, now int64, cost int) Result {
	r := Result{At: time.UnixMicro(now), Remaining: MaxEvents, Limits: make([]Status, len(l.limits))}
	var wait int64
	for i, limit := range l.limits {
		st, w := limit.status(log.View, now, cost)
		r.Limits[i], r.Remaining, wait = st, min(r.Remaining, st.Remaining), max(wait, w)
	}
	r.Allowed, r.RetryAfter = wait == 0, duration(wait)
	return r
}

// spend makes of how things stand before a call how they stand after it.
func (r *Result) spend(cost int) {
	r.Remaining -= cost
	for i := range r.Limits {
		st := &r.Limits[i]
		st.Remaining -= cost
		st.ResetAfter = max(st.ResetAfter, st.Limit.Window) // more while the clock is behind
	}
}
