package boards

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/zrankdb/zrank/bench/internal/crew"
	"github.com/zrankdb/zrank/bench/internal/figure"
	"github.com/zrankdb/zrank/bench/internal/workload"
)

// Options say what a run does.
type Options struct {
	Level  string
	System string
	Dir    string        // empty, on the disk that is measured
	Server string        // the redis-server to start
	N      int           // players
	Seed   uint64        // of the load
	For    time.Duration // how long the calls of a spot are counted, in all turns
}

const (
	// warmup is which part of For a spot runs before its first turn counts.
	warmup = 4
	// maxOps is the length of the stream of calls, which is read again and again.
	maxOps = 1 << 18
	// zipfExponent is the skew of the hot tail: the hottest of 1 M players makes about 12 % of the submissions.
	zipfExponent = 1.1
)

// Session is one system at one level, with its players in, measured in turns.
type Session struct {
	level Level
	o     Options
	sys   system
	crew  []*goroutine // as many as the greatest of Callers
	spots []spot
	turn  int
	calls []int // of each spot
	took  []time.Duration
}

// Start opens the system and puts all players in.
func Start(ctx context.Context, o Options) (*Session, error) {
	l, err := LevelNamed(o.Level)
	if err != nil {
		return nil, err
	}
	s := &Session{level: l, o: o, spots: l.spots()}
	s.calls, s.took = make([]int, len(s.spots)), make([]time.Duration, len(s.spots))
	if s.sys, err = open(ctx, o, l); err != nil {
		return nil, err
	}
	if err := s.prepare(); err != nil {
		return nil, errors.Join(err, s.sys.Close())
	}
	return s, nil
}

func (s *Session) prepare() error {
	if err := Fill(s.o.N, s.o.Seed, s.sys.put); err != nil {
		return fmt.Errorf("put the players in: %w", err)
	}
	if err := s.sys.settle(); err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(s.o.Seed, 0x626f617264))
	zipf := rand.NewZipf(r, zipfExponent, 1, uint64(s.o.N-1))
	points := func() float64 { return float64(1 + r.IntN(maxPoints)) }
	ops := min(maxOps, 4*s.o.N)
	uniform := workload.NewStream(ops, func(int) int { return r.IntN(s.o.N) }, points)
	hot := workload.NewStream(ops, func(int) int { return int(zipf.Uint64()) }, points)
	for i := range slices.Max(Callers) {
		c, err := s.sys.caller()
		if err != nil {
			return err
		}
		// Each begins at another place in the stream.
		s.crew = append(s.crew, &goroutine{client: c, uniform: &uniform, zipf: &hot, at: ops / slices.Max(Callers) * i})
	}
	return s.sys.halt()
}

// Turn measures the next spot for a while, unless the system does not have it. After the last one comes the first.
func (s *Session) Turn() error {
	at, first := s.turn%len(s.spots), s.turn < len(s.spots)
	s.turn++
	spot := s.spots[at]
	if !s.level.Has(s.o.System, spot.kind) {
		return nil
	}
	if err := s.sys.resume(); err != nil {
		return err
	}
	call := func(id int) (int, error) { return s.crew[id].turn(spot.kind) }
	if first {
		if _, _, err := crew.Loop(spot.callers, s.o.For/warmup, call); err != nil {
			return err
		}
	}
	calls, took, err := crew.Loop(spot.callers, s.o.For/passes, call)
	s.calls[at] += calls
	s.took[at] += took
	return errors.Join(err, s.sys.halt())
}

// End closes the system and returns what the turns found.
func (s *Session) End() (figure.Lines, error) {
	if err := errors.Join(s.sys.resume(), s.check(), s.sys.Close()); err != nil {
		return nil, err
	}
	lines := figure.Lines{}
	for at, spot := range s.spots {
		if s.calls[at] > 0 {
			lines[s.level.Line(spot.kind, spot.callers)] = figure.Figures{figure.Rate: float64(s.calls[at]) / s.took[at].Seconds()}
		}
	}
	return lines, nil
}

// check returns an error unless all players are in every window.
func (s *Session) check() error {
	found, err := s.sys.players()
	if err != nil {
		return err
	}
	for _, n := range found {
		if n != s.o.N {
			return fmt.Errorf("%d players are there at the end, and %d were put in", found, s.o.N)
		}
	}
	return nil
}

// goroutine makes one call after the other.
type goroutine struct {
	client        client
	uniform, zipf *workload.Stream
	at            int      // the next call
	_             [64]byte // so that no two of them share a cache line
}

// turn makes the calls that are answered together.
func (g *goroutine) turn(k Kind) (calls int, err error) {
	if k.Card {
		return 1, g.client.card(g.uniform.Key(g.next()), k.mode)
	}
	players := g.uniform
	if k.zipf {
		players = g.zipf
	}
	depth := g.client.depth()
	for range depth {
		i := g.next()
		if err := g.client.submit(players.Key(i), players.Score(i)); err != nil {
			return 0, err
		}
	}
	return depth, g.client.answered()
}

func (g *goroutine) next() int {
	i := g.at
	g.at = (i + 1) % g.uniform.Len()
	return i
}
