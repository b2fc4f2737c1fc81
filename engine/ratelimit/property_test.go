package ratelimit

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/internal/testclock"
)

// player runs random calls on two limiters and on the oracle.
type player struct {
	t      *testing.T
	rng    *rand.Rand
	w      *testclock.Clock
	fs     *memfs.FS // nil: memory only
	e      *engine.Engine
	specs  []Spec
	l      []*Limiter
	oracle map[string]*naive // by set
	calls  int
	yes    int // calls allowed
}

func newPlayer(t *testing.T, seed uint64, durable bool) *player {
	p := &player{t: t, rng: rand.New(rand.NewPCG(seed, 1)), w: testclock.New(), oracle: map[string]*naive{}}
	for i := range 2 {
		spec := Spec{Name: fmt.Sprintf("l/%d", i)}
		for range 1 + p.rng.IntN(3) {
			spec.Limits = append(spec.Limits, Limit{1 + p.rng.IntN(12), time.Duration(1+p.rng.IntN(300)) * time.Microsecond})
		}
		p.specs = append(p.specs, spec)
	}
	if durable {
		p.fs = memfs.New()
	}
	p.open()
	return p
}

func (p *player) open() {
	if p.fs != nil {
		p.e = mustOpen(p.t, p.fs, p.w)
	} else {
		p.e = newMemory(p.t, p.w)
	}
	p.l = nil
	for _, spec := range p.specs {
		p.l = append(p.l, mustNew(p.t, p.e, spec.Name, spec.Limits...))
	}
}

// ask returns a random ask that is not always refused, and the oracle of its set.
func (p *player) ask() (Ask, *naive) {
	i := p.rng.IntN(len(p.l))
	most := MaxEvents
	for _, limit := range p.specs[i].Limits {
		most = min(most, limit.Max)
	}
	a := Ask{p.l[i], fmt.Sprintf("k%d", p.rng.IntN(3)), 1 + p.rng.IntN(min(most, 1+p.rng.IntN(4)))}
	key := a.Limiter.SetKey(a.Key)
	if p.oracle[key] == nil {
		p.oracle[key] = &naive{limits: p.specs[i].Limits}
	}
	return a, p.oracle[key]
}

// tick lets the clock go on, or back.
func (p *player) tick() {
	switch d := time.Duration(p.rng.IntN(40)) * time.Microsecond; p.rng.IntN(20) {
	case 0:
		p.w.Add(-10 * d)
	case 1:
		p.w.Add(20 * d)
	case 2, 3, 4, 5, 6, 7, 8, 9, 10:
		p.w.Add(d)
	}
}

func (p *player) step() {
	p.tick()
	now := p.w.Now()
	switch a, o := p.ask(); p.rng.IntN(20) {
	case 0, 1:
		require.Equal(p.t, o.peek(a.Cost, now), utc(mustPeek(p.t, a.Limiter, a.Key, a.Cost)))
	case 2, 3, 4:
		p.together()
	case 5:
		if p.rng.IntN(10) == 0 {
			require.NoError(p.t, a.Limiter.Reset(context.Background(), a.Key))
			o.events = nil
		}
	case 6:
		if p.fs != nil && p.rng.IntN(10) == 0 {
			require.NoError(p.t, p.e.Close())
			p.open()
		}
	default:
		got := utc(mustAllow(p.t, a.Limiter, a.Key, a.Cost))
		require.Equal(p.t, o.allow(a.Cost, now), got)
		p.retry(a, o, got)
	}
	p.calls++
}

// retry checks that RetryAfter is exact (R3).
func (p *player) retry(a Ask, o *naive, r Result) {
	if r.Allowed {
		p.yes++
		return
	}
	now := p.w.Now()
	p.w.Set(r.At.Add(r.RetryAfter - time.Microsecond))
	require.False(p.t, mustPeek(p.t, a.Limiter, a.Key, a.Cost).Allowed)
	p.w.Add(time.Microsecond)
	require.True(p.t, mustPeek(p.t, a.Limiter, a.Key, a.Cost).Allowed)
	p.w.Set(now)
}

// together compares AllowAll for up to three random asks with the oracles.
func (p *player) together() {
	var asks []Ask
	var oracles []*naive
	total := map[*naive]int{}
	for range 1 + p.rng.IntN(3) {
		a, o := p.ask()
		asks, oracles = append(asks, a), append(oracles, o)
		total[o] += a.Cost
	}
	now, never, want := p.w.Now(), false, Verdict{Allowed: true}
	for i, o := range oracles {
		never = never || asks[i].Limiter.validate(asks[i].Key, total[o]) != nil
	}
	got, err := AllowAll(context.Background(), asks...)
	if never {
		require.ErrorIs(p.t, err, ErrNever)
		return
	}
	require.NoError(p.t, err)
	for _, o := range oracles {
		want.Allowed = want.Allowed && o.allows(total[o], now)
		want.RetryAfter = max(want.RetryAfter, o.retryAfter(total[o], now))
	}
	for _, o := range oracles {
		want.Results = append(want.Results, o.peek(total[o], now))
	}
	if want.Allowed {
		for o, cost := range total {
			o.record(cost, now)
		}
		for i, o := range oracles {
			after := o.peek(1, now)
			want.Results[i].Remaining, want.Results[i].Limits = after.Remaining, after.Limits
		}
	}
	for i := range got.Results {
		got.Results[i] = utc(got.Results[i])
	}
	require.Equal(p.t, want, got)
}

func utc(r Result) Result {
	r.At = r.At.UTC()
	return r
}

// TestAgainstOracle makes random calls of Allow and AllowAll, with a clock that stands, goes on, leaps and goes back, in memory and on a disk that is
// closed and opened again. Every answer is the oracle's.
func TestAgainstOracle(t *testing.T) {
	calls, yes, kept := 0, 0, 0
	for seed := range uint64(times(60)) {
		p := newPlayer(t, seed, seed%3 == 0)
		for range 400 {
			p.step()
		}
		for key, o := range p.oracle {
			require.NoError(t, o.check(), "seed %d, %s", seed, key)
			kept += len(o.events)
		}
		if p.fs != nil {
			require.NoError(t, p.e.Close())
		}
		calls, yes = calls+p.calls, yes+p.yes
	}
	t.Logf("%d calls, %d single ones allowed, %d events in windows that hold no more than they may: 0 differences", calls, yes, kept)
}
