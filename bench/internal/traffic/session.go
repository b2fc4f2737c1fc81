package traffic

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/zrankdb/zrank/bench/internal/crew"
	"github.com/zrankdb/zrank/bench/internal/figure"
)

// Options say what a run does.
type Options struct {
	Case   string
	System string
	Dir    string        // empty, on the disk that is measured
	Server string        // the redis-server to start
	N      int           // members of the hot set
	Sets   int           // number of small sets
	Seed   uint64        // of the load
	For    time.Duration // how long the calls of a spot are counted, in all turns
}

// warmup is which part of For a spot runs before its first turn counts.
const warmup = 4

// Session is one system in one case, with its members in, measured in turns.
type Session struct {
	c     Case
	o     Options
	load  *load
	sys   system
	crew  []*goroutine // as many as the greatest of Callers
	turn  int
	calls []int // of each spot
	took  []time.Duration
}

// Start opens the system and puts all members in.
func Start(ctx context.Context, o Options) (*Session, error) {
	c, err := Named(o.Case)
	if err != nil {
		return nil, err
	}
	s := &Session{c: c, o: o, load: newLoad(c, o.N, o.Sets, o.Seed), calls: make([]int, Spots), took: make([]time.Duration, Spots)}
	if s.sys, err = open(ctx, o, c, s.load); err != nil {
		return nil, err
	}
	if err := s.prepare(); err != nil {
		return nil, errors.Join(err, s.sys.Close())
	}
	return s, nil
}

func (s *Session) prepare() error {
	if err := s.load.fill(s.sys, s.o.Seed); err != nil {
		return err
	}
	of := slices.Max(Callers)
	for i := range of {
		c, err := s.sys.caller()
		if err != nil {
			return err
		}
		// Each begins at another place in the stream.
		s.crew = append(s.crew, &goroutine{client: c, load: s.load, id: i, of: of, at: s.load.calls.Len() / of * i})
	}
	return s.sys.halt()
}

// Turn measures the next spot for a while. After the last one comes the first.
func (s *Session) Turn() error {
	if err := s.sys.resume(); err != nil {
		return err
	}
	spot := s.turn % Spots
	mix, callers := Mixes[spot/len(Callers)], Callers[spot%len(Callers)]
	if s.turn < Spots {
		if _, _, err := drive(s.crew[:callers], mix, s.o.For/warmup); err != nil {
			return err
		}
	}
	calls, took, err := drive(s.crew[:callers], mix, s.o.For/passes)
	s.calls[spot] += calls
	s.took[spot] += took
	s.turn++
	return errors.Join(err, s.sys.halt())
}

// End closes the system and returns what the turns found.
func (s *Session) End() (figure.Lines, error) {
	found, err := s.end()
	if err = errors.Join(err, s.sys.Close()); err != nil {
		return nil, err
	}
	if want := len(s.load.keys) * s.load.members; found != want {
		return nil, fmt.Errorf("%d members are there at the end, and %d were put in", found, want)
	}
	lines := figure.Lines{}
	for spot := range min(s.turn, Spots) {
		line := s.c.Line(Mixes[spot/len(Callers)], Callers[spot%len(Callers)])
		lines[line] = figure.Figures{figure.Rate: float64(s.calls[spot]) / s.took[spot].Seconds()}
	}
	return lines, nil
}

// end counts the members.
func (s *Session) end() (int, error) {
	if err := s.sys.resume(); err != nil {
		return 0, err
	}
	return s.sys.members()
}

// drive lets goroutines call for a while, and returns how many calls were answered and how long that took.
func drive(all []*goroutine, mix Mix, long time.Duration) (calls int, took time.Duration, err error) {
	return crew.Loop(len(all), long, func(id int) (int, error) { return all[id].turn(mix) })
}

// goroutine makes one call after the other.
type goroutine struct {
	client client
	load   *load
	id, of int      // this one, of so many
	at     int      // the next call
	pass   int      // over the stream
	_      [64]byte // so that no two of them share a cache line
}

// turn makes the calls that are answered together.
func (g *goroutine) turn(mix Mix) (calls int, err error) {
	depth := g.client.depth()
	for range depth {
		if err := g.next(mix.writes); err != nil {
			return 0, err
		}
	}
	return depth, g.client.answered()
}

// next makes the next call. No two visits to a write of the stream, by whichever goroutine, give it the same score.
func (g *goroutine) next(writes int) error {
	l := g.load
	if g.at == l.calls.Len() {
		g.at = 0
		g.pass++
	}
	i := g.at
	g.at++
	if int(l.dice[i]) < writes {
		return g.client.write(int(l.sets[i]), l.calls.Key(i), l.calls.Score(i)+float64(g.pass*g.of+g.id))
	}
	return g.client.read(int(l.sets[i]), l.calls.Key(i))
}
