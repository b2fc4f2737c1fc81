package figures

import (
	"sync"
	"time"
)

const (
	rateSpan   = 2 * time.Second  // the least time that a rate is over
	rateMemory = time.Minute      // how long a count is of use
	rateSweep  = 30 * time.Second // how often old counts are forgotten
)

// Rates says how fast counts rise, by looking at them now and then. Any goroutine may use it.
type Rates struct {
	clock func() time.Time
	mu    sync.Mutex
	all   map[string]*rising
	swept time.Time
}

// rising is a count at two moments.
type rising struct {
	count, before uint64
	at, atBefore  time.Time
}

// NewRates returns rates by a clock.
func NewRates(clock func() time.Time) *Rates {
	return &Rates{clock: clock, all: map[string]*rising{}, swept: clock()}
}

// Of returns by how much a count rises in a second, over the last seconds in which somebody has looked; ok is false at first.
func (r *Rates) Of(key string, count uint64) (rate float64, ok bool) {
	now := r.clock()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sweep(now)
	x := r.all[key]
	if x == nil || count < x.count || now.Sub(x.at) > rateMemory { // the count is of something new
		r.all[key] = &rising{count: count, at: now}
		return 0, false
	}
	if now.Sub(x.at) >= rateSpan {
		x.before, x.atBefore, x.count, x.at = x.count, x.at, count, now
	}
	if x.atBefore.IsZero() {
		return 0, false
	}
	return float64(x.count-x.before) / x.at.Sub(x.atBefore).Seconds(), true
}

// sweep forgets counts that nobody looks at any more. The caller holds mu.
func (r *Rates) sweep(now time.Time) {
	if now.Sub(r.swept) < rateSweep {
		return
	}
	for key, x := range r.all {
		if now.Sub(x.at) > rateMemory {
			delete(r.all, key)
		}
	}
	r.swept = now
}
