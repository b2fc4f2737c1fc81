package served

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/zrankdb/zrank/bench/internal/crew"
	"github.com/zrankdb/zrank/bench/internal/figure"
	"github.com/zrankdb/zrank/bench/internal/latency"
	"github.com/zrankdb/zrank/bench/internal/process"
	"github.com/zrankdb/zrank/bench/internal/redis"
)

// Options say what a run does.
type Options struct {
	Level     string
	System    string
	Dir       string        // empty, on the disk that is measured
	Program   string        // of the server
	Flags     []string      // of zrank serve, besides those of the level
	Benchmark string        // the redis-benchmark; empty: its turns are left out
	N         int           // members
	Seed      uint64        // of the load
	For       time.Duration // how long the calls of a spot are counted, in all turns
	Pause     time.Duration // after the members are in, before the memory is read
}

// Supported says whether this system can be measured on.
func Supported() bool { return supported }

// warmup is which part of For a spot runs before its first turn counts.
const warmup = 10

// Session is one server with its members in, measured in turns.
type Session struct {
	ctx    context.Context
	o      Options
	level  Level
	server *redis.Server
	conns  *connections
	spots  []Spot
	found  []tally // of each spot
	turn   int
	memory figure.Figures
}

// tally is what the turns of a spot found.
type tally struct {
	calls int
	took  time.Duration
	cpu   time.Duration
	times *latency.Recorder
	rows  []row // of redis-benchmark
}

// Start starts the server and puts all members in.
func Start(ctx context.Context, o Options) (*Session, error) {
	level, err := LevelNamed(o.Level)
	if err != nil {
		return nil, err
	}
	s := &Session{ctx: ctx, o: o, level: level, spots: Spots(o.Benchmark != ""), memory: figure.Figures{}}
	for range s.spots {
		s.found = append(s.found, tally{times: latency.New()})
	}
	if s.server, err = launch(ctx, o, level); err != nil {
		return nil, err
	}
	if err := s.prepare(); err != nil {
		return nil, errors.Join(err, s.server.Close())
	}
	return s, nil
}

func (s *Session) prepare() (err error) {
	s.weigh(figure.Empty)
	if err := fill(s.server, s.o.N, s.o.Seed); err != nil {
		return err
	}
	crew.Pause(s.o.Pause)
	s.weigh(figure.Filled)
	s.memory[figure.Member] = (s.memory[figure.Filled] - s.memory[figure.Empty]) / float64(s.o.N)
	if s.conns, err = dial(s.server.Addr(), Connections); err != nil {
		return err
	}
	return s.server.Halt()
}

// weigh notes the memory of the server's process now.
func (s *Session) weigh(m figure.Metric) {
	now, peak, _ := process.Resident(s.server.PID())
	s.memory[m], s.memory[figure.MemoryPeak] = now, peak
}

// Turn measures the next spot for a while. After the last one comes the first.
func (s *Session) Turn() error {
	if err := s.server.Resume(); err != nil {
		return err
	}
	at := s.turn % len(s.spots)
	err := s.measure(s.spots[at], &s.found[at], s.found[max(0, at-1)])
	s.turn++
	return errors.Join(err, s.server.Halt())
}

// measure makes one turn of a spot. before is what the spot before it found: for redis-benchmark the same with the other client.
func (s *Session) measure(spot Spot, t *tally, before tally) error {
	if spot.Client == Benchmark {
		share := float64(s.o.For/passes) / float64(before.took)
		calls := max(Connections*spot.Depth, int(float64(before.calls)*share))
		r, err := benchmark(s.ctx, s.o.Benchmark, s.server.Addr(), spot, s.o.N, calls)
		t.rows = append(t.rows, r)
		return err
	}
	load := draw(spot, s.o.N, s.o.Seed+uint64(s.turn)<<32)
	if s.turn < len(s.spots) {
		if _, _, err := s.conns.drive(load, s.o.For/warmup, latency.New()); err != nil {
			return err
		}
	}
	cpu, err := process.CPU(s.server.PID())
	if err != nil {
		return err
	}
	calls, took, err := s.conns.drive(load, s.o.For/passes, t.times)
	if err != nil {
		return err
	}
	t.calls += calls
	t.took += took
	spent, err := process.CPU(s.server.PID())
	t.cpu += spent - cpu
	return err
}

// End ends the server and returns what the turns found.
func (s *Session) End() (figure.Lines, error) {
	err := s.server.Resume()
	if err == nil {
		s.weigh(figure.Loaded)
		err = holds(s.server, s.o.N)
	}
	if err = errors.Join(err, s.conns.Close(), s.server.Close()); err != nil {
		return nil, err
	}
	lines := figure.Lines{s.level.Process(): s.memory}
	for i, spot := range s.spots[:min(s.turn, len(s.spots))] {
		lines[s.level.Line(spot)] = s.found[i].figures()
	}
	return lines, nil
}

func (t *tally) figures() figure.Figures {
	f := figure.Figures{}
	if len(t.rows) > 0 {
		f[figure.Rate] = t.middle(func(r row) float64 { return r.rate })
		f[figure.P50] = t.middle(func(r row) float64 { return r.p50 })
		f[figure.P99] = t.middle(func(r row) float64 { return r.p99 })
		f[figure.Max] = t.middle(func(r row) float64 { return r.max })
		return f
	}
	f[figure.Rate] = float64(t.calls) / t.took.Seconds()
	f[figure.CPUCall] = float64(t.cpu) / float64(t.calls)
	t.times.Into(f)
	return f
}

// middle is the median of what redis-benchmark found in the turns.
func (t *tally) middle(of func(row) float64) float64 {
	var list []float64
	for _, r := range t.rows {
		list = append(list, of(r))
	}
	slices.Sort(list)
	return list[len(list)/2]
}
