package served

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"time"

	"github.com/zrankdb/zrank/bench/internal/bench"
	"github.com/zrankdb/zrank/bench/internal/crew"
	"github.com/zrankdb/zrank/bench/internal/figure"
	system "github.com/zrankdb/zrank/bench/internal/process"
	"github.com/zrankdb/zrank/bench/internal/redis"
	"github.com/zrankdb/zrank/bench/internal/subject"
	"github.com/zrankdb/zrank/bench/internal/workload"
)

// maxCalls is the length of the stream of calls, which connections read again and again.
const maxCalls = 1 << 19

// session is one server with its members in, measured in turns.
type session struct {
	bench.Turns
	o       bench.Options
	server  *redis.Server
	conns   []redis.Conn
	cursors []workload.Cursor
	calls   workload.Stream // members and numbers for the arguments of all commands
	memory  figure.Figures
}

// start starts the server and inserts all members.
func start(ctx context.Context, o bench.Options) (bench.Session, error) {
	i := slices.IndexFunc(levels, func(l subject.Level) bool { return l.Name == o.Case })
	if i < 0 {
		return nil, fmt.Errorf("no level %q", o.Case)
	}
	server, err := launch(ctx, o, levels[i])
	if err != nil {
		return nil, err
	}
	s := &session{o: o, server: server, memory: figure.Figures{}}
	s.For, s.Halt, s.Resume, s.Finish = o.For, server.Halt, server.Resume, func(int) error { return s.finish() }
	for _, x := range spots(o.Benchmark != "") {
		spot := bench.Spot{
			Line: line(o.Case, x), Callers: connectionCount, Clocked: true,
			Call: func(id int) (int, error) { return x.depth, s.pipeline(id, x) },
			CPU:  func() (time.Duration, error) { return system.CPU(server.PID()) },
		}
		if x.client == redisBenchmark {
			var turns []figure.Figures
			spot.Figures = func() figure.Figures { return medians(turns) }
			spot.Run = func(calls int) error {
				f, err := benchmark(ctx, o.Benchmark, server.Addr, x, o.N, max(connectionCount*x.depth, calls))
				turns = append(turns, f)
				return err
			}
		}
		s.Spots = append(s.Spots, spot)
	}
	if err := s.prepare(); err != nil {
		return nil, errors.Join(err, server.Close())
	}
	return s, nil
}

// launch starts the server of a system, empty.
func launch(ctx context.Context, o bench.Options, l subject.Level) (*redis.Server, error) {
	if o.System == bench.Redis {
		return redis.Start(ctx, o.Redis, o.Dir, l.Redis...)
	}
	addr, err := redis.FreeAddr()
	if err != nil {
		return nil, err
	}
	args := append([]string{"serve", "--resp", addr, "--api", ""}, l.Serve...)
	if l.Disk {
		args = append(args, "--dir", filepath.Join(o.Dir, "data"))
	}
	return redis.Launch(ctx, o.Dir, addr, o.Program, append(args, o.Serve...)...)
}

func (s *session) prepare() (err error) {
	s.weigh(figure.Empty)
	r := rand.New(rand.NewPCG(s.o.Seed, 0x66696c6c))
	order := r.Perm(s.o.N)
	all := workload.NewStream(s.o.N, func(i int) int { return order[i] }, func() float64 { return subject.WholeScore(r) })
	if err := s.server.Add(&all, subject.Arena); err != nil {
		return fmt.Errorf("insert the members: %w", err)
	}
	crew.Pause(s.o.Pause)
	s.weigh(figure.Filled)
	s.memory[figure.Member] = (s.memory[figure.Filled] - s.memory[figure.Empty]) / float64(s.o.N)
	s.calls = workload.NewStream(min(maxCalls, 4*s.o.N), func(int) int { return r.IntN(s.o.N) }, func() float64 { return subject.WholeScore(r) })
	for i := range connectionCount {
		c, err := s.server.Connect()
		if err != nil {
			return err
		}
		s.conns = append(s.conns, c)
		s.cursors = append(s.cursors, workload.NewCursor(&s.calls, i, connectionCount, 1))
	}
	return s.server.Halt()
}

// weigh records the memory of the server's process.
func (s *session) weigh(m figure.Metric) {
	s.memory[m], s.memory[figure.MemoryPeak], _ = system.Resident(s.server.PID())
}

// pipeline sends the next commands of a connection, and waits for their replies.
func (s *session) pipeline(id int, x spot) error {
	for range x.depth {
		i, shift := s.cursors[id].Next()
		s.conns[id].Queue(x.command.name, x.command.args(s.calls.Key(i).Name, s.calls.Score(i)+shift, s.o.N)...)
	}
	_, err := s.conns[id].Finish()
	return err
}

// finish reads the memory, counts the members and ends the server.
func (s *session) finish() error {
	s.weigh(figure.Loaded)
	s.More = []bench.Sample{{Line: process(s.o.Case), Figures: s.memory}}
	n, err := s.server.Number("ZCARD", subject.Arena)
	return errors.Join(err, bench.Want("members", n, s.o.N), s.server.Close())
}

// medians returns the median of each figure over the turns.
func medians(turns []figure.Figures) figure.Figures {
	f := figure.Figures{}
	for m := range turns[0] {
		var values []float64
		for _, turn := range turns {
			values = append(values, turn[m])
		}
		slices.Sort(values)
		f[m] = values[len(values)/2]
	}
	return f
}
