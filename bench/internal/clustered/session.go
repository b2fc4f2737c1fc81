package clustered

import (
	"context"
	"errors"
	"math/rand/v2"

	"github.com/zrankdb/zrank/bench/internal/bench"
	"github.com/zrankdb/zrank/bench/internal/figure"
	"github.com/zrankdb/zrank/bench/internal/workload"
)

const (
	// maxOps is the length of the stream of calls, which callers read again and again.
	maxOps = 1 << 18
	// startSpan is below how many points a player begins, and maxPoints how many a submission adds at most.
	startSpan, maxPoints = 1_000_000, 1000
)

// start opens a system, inserts all players and connects the callers.
func start(_ context.Context, o bench.Options) (bench.Session, error) {
	sys, err := open(o)
	if err != nil {
		return nil, err
	}
	before, used := 0.0, 0.0
	if sys.servers != nil {
		before, err = sys.servers.memory()
	}
	r := rand.New(rand.NewPCG(o.Seed, 0x636c7573746572))
	if err == nil {
		players := workload.NewStream(o.N, func(i int) int { return i }, func() float64 { return float64(r.Int64N(startSpan)) })
		err = sys.fill(o.N, func(i int) (string, int64) { return players.Key(i).Name, int64(players.Score(i)) })
	}
	if err == nil && sys.servers != nil {
		used, err = sys.servers.memory()
	}
	if err != nil {
		return nil, errors.Join(err, sys.close())
	}
	s := newSession(sys, o, r)
	if sys.servers != nil {
		s.More = []bench.Sample{{Line: memoryLine(o.Case), Figures: figure.Figures{figure.Live: (used - before) / float64(len(spec.Windows)*o.N)}}}
	}
	return s, nil
}

// newSession returns a spot for each call and number of callers.
func newSession(sys *system, o bench.Options, r *rand.Rand) *bench.Turns {
	s := &bench.Turns{For: o.For, Finish: func(int) error {
		n, err := sys.len()
		return errors.Join(err, bench.Want("players", n, o.N), sys.close())
	}}
	calls := workload.NewStream(maxOps, func(int) int { return r.IntN(o.N) }, func() float64 { return float64(1 + r.IntN(maxPoints)) })
	cursors := make([]workload.Cursor, o.Callers)
	for i := range cursors {
		cursors[i] = workload.NewCursor(&calls, i, len(cursors), 1)
	}
	for _, c := range callsOf(o.Case) {
		for _, many := range callersOf(o.Case) {
			spot := bench.Spot{Line: line(o.Case, c, many), Callers: 1, Clocked: true, Call: func(id int) (int, error) {
				i, _ := cursors[id].Next()
				return 1, sys.do(c, calls.Key(i).Name, int64(calls.Score(i)))
			}}
			if many {
				spot.Callers = o.Callers
			}
			if sys.servers != nil {
				spot.CPU = sys.servers.cpu
			}
			s.Spots = append(s.Spots, spot)
		}
	}
	return s
}
