package ratelimit

import (
	"context"
	"fmt"
	"time"

	"github.com/zrankdb/zrank/engine"
)

// Result is the answer to a call about one key.
type Result struct {
	// Allowed reports whether all limits of the key allow the call.
	Allowed bool
	// Remaining is the least Remaining of the limits.
	Remaining int
	// RetryAfter is the time until the same call would be allowed, if nothing more is recorded; 0 if it is allowed.
	RetryAfter time.Duration
	// At is the time by the engine's clock, to the microsecond, that the answer is for.
	At time.Time
	// Limits has the status of each limit, in the order of Spec.Limits.
	Limits []Status
}

// Allow decides whether cost events may happen now for a key. If so, it records them, all or none (R2), and returns when they are as durable
// as the engine makes them (R6). O(limits log events + cost log events). Errors: ErrKey, ErrCost, ErrNever, ErrTime, those of
// engine.Engine.Update; after an error nothing is recorded, but see there for ErrStalled and ErrPersistence.
func (l *Limiter) Allow(ctx context.Context, key string, cost int) (r Result, err error) {
	if err := l.validate(key, cost); err != nil {
		return Result{}, err
	}
	set := l.SetKey(key)
	err = l.e.Update(ctx, func(tx *engine.Tx) error {
		r, err = l.allow(tx, set, cost)
		return err
	}, set)
	if err != nil {
		return Result{}, err
	}
	return r, nil
}

// AllowTx is Allow as part of a transaction on the limiter's engine: the events commit with the transaction. After
// a call that is refused, and after ErrKey, ErrCost, ErrNever and ErrTime, nothing has changed, and the transaction may go on. After any
// other error the transaction must not be committed.
func (l *Limiter) AllowTx(tx *engine.Tx, key string, cost int) (Result, error) {
	if err := l.validate(key, cost); err != nil {
		return Result{}, err
	}
	return l.allow(tx, l.SetKey(key), cost)
}

// allow is AllowTx for the set of a key, with valid arguments.
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

// Peek answers as Allow would, but records nothing: Remaining does not count the call's events. O(limits log events). Errors:
// ErrKey, ErrCost, ErrNever, ErrTime, those of engine.Engine.View.
func (l *Limiter) Peek(ctx context.Context, key string, cost int) (r Result, err error) {
	if err := l.validate(key, cost); err != nil {
		return Result{}, err
	}
	set := l.SetKey(key)
	err = l.e.View(ctx, func(tx *engine.Tx) error {
		log, err := tx.Set(set)
		if err != nil {
			return err
		}
		now, err := micros(tx.Now())
		if err == nil {
			r = l.judge(log, now, cost)
		}
		return err
	}, set)
	return r, err
}

// Reset forgets the events of a key. O(1). Errors: ErrKey, those of engine.Engine.Update.
func (l *Limiter) Reset(ctx context.Context, key string) error {
	if len(key) > MaxKey {
		return fmt.Errorf("%w: %d bytes, %q…", ErrKey, len(key), key[:16])
	}
	set := l.SetKey(key)
	return l.e.Update(ctx, func(tx *engine.Tx) error {
		_, err := tx.Drop(set)
		return err
	}, set)
}

// judge returns whether a call is allowed, and the status of the limits before it. O(limits log events).
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

// spend changes r from the state before a call to the state after it.
func (r *Result) spend(cost int) {
	r.Remaining -= cost
	for i := range r.Limits {
		st := &r.Limits[i]
		st.Remaining -= cost
		st.ResetAfter = max(st.ResetAfter, st.Limit.Window) // it is more already while the clock is behind
	}
}
