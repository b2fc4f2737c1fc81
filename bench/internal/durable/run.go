package durable

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/zrankdb/zrank/bench/internal/figure"
	"github.com/zrankdb/zrank/bench/internal/latency"
	"github.com/zrankdb/zrank/bench/internal/workload"
)

// Options say what a run does.
type Options struct {
	Case   string
	System string
	Dir    string        // empty, on the disk that is measured
	N      int           // members
	Seed   uint64        // of the load
	For    time.Duration // how long calls are counted, and timed
}

const (
	// maxOps is the length of the stream of updates, which is read again and again.
	maxOps = 1 << 20
	// buildSize is how many members a commit of the build has.
	buildSize = 10_000
	// scores are whole numbers below scoreSpan, so that adding 1 makes another score.
	scoreSpan = 1 << 40
)

// Run measures one system in one case.
func Run(o Options) (figure.Figures, error) {
	c, err := Named(o.Case)
	if err != nil {
		return nil, err
	}
	r := rand.New(rand.NewPCG(o.Seed, 0x6475726162))
	score := func() float64 { return float64(r.Int64N(scoreSpan)) }
	sys, err := open(o, c)
	if err != nil {
		return nil, err
	}
	if err := build(sys, o.N, r, score); err != nil {
		return nil, errors.Join(err, sys.Close())
	}
	updates := workload.NewStream(min(maxOps, 4*o.N), func(int) int { return r.IntN(o.N) }, score)
	f, err := measure(sys, c, &updates, o.For)
	return f, errors.Join(err, sys.Close())
}

// build puts all members in, in random order.
func build(sys system, n int, r *rand.Rand, score func() float64) error {
	order := r.Perm(n)
	all := workload.NewStream(n, func(i int) int { return order[i] }, score)
	for lo := 0; lo < n; lo += buildSize {
		if err := sys.apply(&all, lo, min(lo+buildSize, n), 0); err != nil {
			return fmt.Errorf("put the members in: %w", err)
		}
	}
	return sys.settle()
}

// measure warms up, counts, and times.
func measure(sys system, c Case, s *workload.Stream, long time.Duration) (figure.Figures, error) {
	callers := make([]*caller, c.callers)
	for i := range callers {
		// Each begins at another place in the stream.
		callers[i] = &caller{sys: sys, stream: s, size: c.size, id: i, of: c.callers, at: s.Len() / c.callers * i}
	}
	before, tells := sys.commits()
	warm, _, err := drive(callers, long/4)
	if err != nil {
		return nil, err
	}
	counted, took, err := drive(callers, long)
	if err != nil {
		return nil, err
	}
	for _, c := range callers {
		c.times = latency.New()
	}
	timed, _, err := drive(callers, long)
	if err != nil {
		return nil, err
	}
	if after, _ := sys.commits(); tells && after-before != uint64(warm+counted+timed) {
		return nil, fmt.Errorf("%d calls made %d commits", warm+counted+timed, after-before)
	}
	f := figure.Figures{figure.Rate: float64(counted*c.size) / took.Seconds()}
	all := latency.New()
	for _, c := range callers {
		all.Add(c.times)
	}
	all.Into(f)
	return f, nil
}

// drive lets the callers go for a while, and returns how many calls they made and how long that took.
func drive(callers []*caller, long time.Duration) (calls int, took time.Duration, err error) {
	var stop atomic.Bool
	var all sync.WaitGroup
	timer := time.AfterFunc(long, func() { stop.Store(true) })
	defer timer.Stop()
	start := time.Now()
	for _, c := range callers {
		all.Go(func() { c.run(&stop) })
	}
	all.Wait()
	took = time.Since(start)
	for _, c := range callers {
		calls += c.calls
		err = errors.Join(err, c.err)
	}
	return calls, took, err
}

// caller makes one commit after the other.
type caller struct {
	sys    system
	stream *workload.Stream
	size   int
	id, of int               // this one, of so many
	at     int               // the next update
	pass   int               // over the stream
	times  *latency.Recorder // nil: calls are not timed
	calls  int               // of the last run
	err    error
}

// run calls until it is told to stop.
func (c *caller) run(stop *atomic.Bool) {
	c.calls = 0
	last := time.Now()
	for !stop.Load() {
		if c.err = c.next(); c.err != nil {
			return
		}
		c.calls++
		if c.times != nil {
			now := time.Now()
			c.times.Record(now.Sub(last))
			last = now
		}
	}
}

// next makes the next commit. No two visits to an update of the stream, by whichever caller, give it the same score.
func (c *caller) next() error {
	if c.at+c.size > c.stream.Len() {
		c.at = 0
		c.pass++
	}
	lo := c.at
	c.at += c.size
	return c.sys.apply(c.stream, lo, c.at, float64(c.pass*c.of+c.id))
}
