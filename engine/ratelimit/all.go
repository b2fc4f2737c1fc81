package ratelimit

import (
	"context"
	"fmt"
	"time"

	"github.com/zrankdb/zrank/engine"
)

// Ask is one part of a call that several limiters or keys must allow.
type Ask struct {
	Limiter *Limiter // of the same engine as the others
	Key     string   // up to 1 KiB
	Cost    int      // events, at least 1
}

// Verdict is the answer to AllowAll.
type Verdict struct {
	// Allowed reports whether every ask is allowed.
	Allowed bool
	// RetryAfter is the time until the same asks would be allowed together, if nothing more is recorded; 0 if they are allowed.
	RetryAfter time.Duration
	// Results has the answer to each ask. If Verdict.Allowed is false, no ask has been recorded, not even one that is Allowed.
	Results []Result
}

// AllowAll asks several limiters on one engine, or one limiter for several keys, in one transaction: for example for a user and for the user's
// address. Either all asks are allowed and recorded, or none is recorded (R2). The costs of asks for the same key of a limiter are added. An
// empty list is allowed. It costs Allow for each ask. Errors: ErrEngines, those of Limiter.Allow.
func AllowAll(ctx context.Context, asks ...Ask) (v Verdict, err error) {
	if len(asks) == 0 {
		return Verdict{Allowed: true}, nil
	}
	keys, costs, err := together(asks)
	if err != nil {
		return Verdict{}, err
	}
	err = asks[0].Limiter.e.Update(ctx, func(tx *engine.Tx) error {
		now, err := micros(tx.Now())
		if err != nil {
			return err
		}
		if v, err = judgeAll(tx, now, asks, costs); err != nil || !v.Allowed {
			return err
		}
		return recordAll(tx, now, asks)
	}, keys...)
	if err != nil {
		return Verdict{}, err
	}
	return v, nil
}

// together returns the key of the set of each ask, and the sum of the costs for each set.
func together(asks []Ask) (keys []string, costs map[string]int, err error) {
	costs = make(map[string]int, len(asks))
	for i, a := range asks {
		if a.Limiter == nil || a.Limiter.e != asks[0].Limiter.e {
			return nil, nil, fmt.Errorf("%w: asks 0 and %d", ErrEngines, i)
		}
		if err := a.Limiter.validate(a.Key, a.Cost); err != nil {
			return nil, nil, err
		}
		key := a.Limiter.SetKey(a.Key)
		keys = append(keys, key)
		costs[key] += a.Cost
	}
	for i, a := range asks {
		if err := a.Limiter.validate(a.Key, costs[keys[i]]); err != nil {
			return nil, nil, err
		}
	}
	return keys, costs, nil
}

// judgeAll returns the answer to every ask. If all are allowed, the answers show the state after the asks.
func judgeAll(tx *engine.Tx, now int64, asks []Ask, costs map[string]int) (Verdict, error) {
	v := Verdict{Allowed: true, Results: make([]Result, len(asks))}
	for i, a := range asks {
		key := a.Limiter.SetKey(a.Key)
		log, err := tx.Set(key)
		if err != nil {
			return Verdict{}, err
		}
		r := a.Limiter.judge(log, now, costs[key])
		v.Results[i], v.Allowed, v.RetryAfter = r, v.Allowed && r.Allowed, max(v.RetryAfter, r.RetryAfter)
	}
	for i, a := range asks {
		if v.Allowed {
			v.Results[i].spend(costs[a.Limiter.SetKey(a.Key)])
		}
	}
	return v, nil
}

// recordAll records every ask.
func recordAll(tx *engine.Tx, now int64, asks []Ask) error {
	for _, a := range asks {
		log, err := tx.Set(a.Limiter.SetKey(a.Key))
		if err == nil {
			err = a.Limiter.record(log, now, a.Cost)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
