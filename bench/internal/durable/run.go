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
	For    time.Duration // how long calls are counted, and timed, in all turns
}

// Turns is how many turns a session has. The systems of a case take turns, so that what the machine does meanwhile hits
// them alike.
const Turns = 10

const (
	// maxOps is the length of the stream of updates, which is read again and again.
	maxOps = 1 << 20
	// buildSize is how many members a commit of the build has.
	buildSize = 10_000
	// scores are whole numbers below scoreSpan, so that adding 1 makes another score.
	scoreSpan = 1 << 40
)

// Session is one system in one case, with its members in, measured in turns.
type Session struct {
	line    string // the name of the case
	sys     system
	callers []*caller
	turn    time.Duration // how long calls are counted, and then timed, in one turn
	before  uint64        // commits that the build made
	all     int           // calls
	counted int
	took    time.Duration
}

// Start opens the system, puts all members in and warms up.
func Start(o Options) (*Session, error) {
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
	s := &Session{line: c.Name, sys: sys, turn: o.For / Turns}
	if err := build(sys, o.N, r, score); err != nil {
		return nil, errors.Join(err, sys.Close())
	}
	s.before, _ = sys.commits()
	updates := workload.NewStream(min(maxOps, 4*o.N), func(int) int { return r.IntN(o.N) }, score)
	for i := range c.callers {
		// Each begins at another place in the stream.
		at := updates.Len() / c.callers * i
		s.callers = append(s.callers, &caller{sys: sys, stream: &updates, size: c.size, id: i, of: c.callers, at: at, times: latency.New()})
	}
	if s.all, _, err = drive(s.callers, o.For/4, false); err != nil {
		return nil, errors.Join(err, sys.Close())
	}
	return s, nil
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

// Turn measures for a while.
func (s *Session) Turn() error {
	counted, took, err := drive(s.callers, s.turn, false)
	if err != nil {
		return err
	}
	timed, _, err := drive(s.callers, s.turn, true)
	s.counted += counted
	s.took += took
	s.all += counted + timed
	return err
}

// End closes the system and returns what the turns found.
func (s *Session) End() (figure.Lines, error) {
	after, tells := s.sys.commits()
	if err := s.sys.Close(); err != nil {
		return nil, err
	}
	if made := after - s.before; tells && made != uint64(s.all) {
		return nil, fmt.Errorf("%d calls made %d commits", s.all, made)
	}
	f := figure.Figures{figure.Rate: float64(s.counted*s.callers[0].size) / s.took.Seconds()}
	times := latency.New()
	for _, c := range s.callers {
		times.Add(c.times)
	}
	times.Into(f)
	return figure.Lines{s.line: f}, nil
}

// drive lets the callers go for a while, times their calls if asked to, and returns how many calls they made and how long that took.
func drive(callers []*caller, long time.Duration, timed bool) (calls int, took time.Duration, err error) {
	var stop atomic.Bool
	var all sync.WaitGroup
	timer := time.AfterFunc(long, func() { stop.Store(true) })
	defer timer.Stop()
	start := time.Now()
	for _, c := range callers {
		all.Go(func() { c.run(&stop, timed) })
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
	id, of int // this one, of so many
	at     int // the next update
	pass   int // over the stream
	times  *latency.Recorder
	calls  int // of the last run
	err    error
}

// run calls until it is told to stop.
func (c *caller) run(stop *atomic.Bool, timed bool) {
	c.calls = 0
	last := time.Now()
	for !stop.Load() {
		if c.err = c.next(); c.err != nil {
			return
		}
		c.calls++
		if timed {
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
