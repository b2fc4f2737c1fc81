package boards

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/zrankdb/zrank/bench/internal/bench"
	"github.com/zrankdb/zrank/bench/internal/crew"
	"github.com/zrankdb/zrank/bench/internal/figure"
	"github.com/zrankdb/zrank/bench/internal/measure"
	"github.com/zrankdb/zrank/bench/internal/workload"
	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/engine"
)

// rolling is the case of a rolling window beside the window all, in memory, with a result of each of n players in it. Single calls come from
// one goroutine, and the clock moves on by a microsecond with each submission. In full nothing leaves; in steady a result leaves for each that
// comes; in buckets those of a hundredth of the window leave together. leaves is the case of all n results leaving within a second, while a
// crew submits to other players.
const rolling, leaves = "rolling", "leaves"

// rollingBoards are the boards of the case, by the prefix of their lines.
var rollingBoards = []variant{
	{name: "plain", title: "window all", spec: func(int) board.Spec { return spec(board.All) }},
	{name: "full", title: "rolling, nothing leaves", spec: func(int) board.Spec { return spec(board.Rolling("w", time.Hour)) }},
	{name: "steady", title: "rolling, one leaves for each", spec: func(n int) board.Spec { return spec(board.Rolling("w", time.Duration(n)*time.Microsecond)) }},
	{name: "buckets", title: "rolling, by 100 buckets", spec: func(n int) board.Spec {
		w := board.Rolling("w", time.Duration(n)*time.Microsecond)
		w.Bucket = w.Span / 100 / 1000 * 1000
		return spec(w)
	}},
}

// roller is a board of the case, with a clock that counts.
type roller struct {
	arena
	ticks atomic.Int64 // microseconds since noon
	live  board.Ranking
	bytes float64 // of memory, of each player

	values []board.Value // of the columns of a submission
}

func openRoller(o bench.Options, spec board.Spec) (r *roller, err error) {
	ctx := context.Background()
	r = &roller{values: make([]board.Value, max(1, len(spec.Columns)))}
	before := measure.LiveHeap()
	clock := func() time.Time { return noon.Add(time.Duration(r.ticks.Load()) * time.Microsecond) }
	if r.engine, err = engine.New(engine.Options{Clock: clock}); err != nil {
		return nil, err
	}
	if r.boards, err = local.Open(r.engine, local.Options{}); err != nil {
		return nil, err
	}
	if r.Board, err = r.boards.Define(ctx, spec); err != nil {
		return nil, err
	}
	err = fill(o.N, o.Seed, func(s *workload.Stream) error {
		for i := range s.Len() {
			if err := r.submit(s.Key(i).Name, int64(s.Score(i))); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		err = r.boards.CountDue(ctx) // of a coarse tail, so that no count of the fill is measured
	}
	r.bytes = (float64(measure.LiveHeap()) - float64(before)) / float64(o.N)
	if err == nil {
		r.live, err = r.Live(ctx, spec.Windows[0].Label())
	}
	return r, err
}

// submit submits points, in each further column half of those before, a microsecond after the last submission.
func (r *roller) submit(player string, points int64) error {
	r.ticks.Add(1)
	for i := range r.values {
		r.values[i] = board.Int(points >> i)
	}
	_, err := r.Submit(context.Background(), board.Submission{Member: player, Score: board.Values(r.values...)})
	return err
}

// calls returns the calls of a board by name, about random players.
func (r *roller) calls(o bench.Options) map[string]func() error {
	random := rand.New(rand.NewPCG(o.Seed, drawSeed))
	players := workload.NewStream(maxOps, func(int) int { return random.IntN(o.N) }, func() float64 { return 0 })
	at := 0
	next := func() string { at = (at + 1) % maxOps; return players.Key(at).Name }
	var rows []board.Row
	return map[string]func() error{
		"submit": func() error { return r.submit(next(), random.Int64N(maxPoints)) },
		"rank":   func() error { _, _, err := r.live.Rank(context.Background(), next()); return err },
		"top":    func() (err error) { rows, err = r.live.AppendTop(context.Background(), rows[:0], top); return err },
	}
}

// runLeaves lets all results leave a window of an hour within a second, in which a crew submits.
func runLeaves(o bench.Options, f figure.Figures) error {
	c := newClock()
	w := board.Rolling("w", time.Hour)
	a, err := openArena(o.Dir, quiet, c, w)
	if err != nil {
		return err
	}
	at, step := c.now(), time.Second/time.Duration(o.N)
	begin := at.Add(time.Hour)
	err = fill(o.N, o.Seed, func(s *workload.Stream) error {
		subs := make([]board.Submission, s.Len())
		for i := range subs {
			at = at.Add(step)
			subs[i] = board.Submission{Member: "old:" + s.Key(i).Name, Score: board.Ints(int64(s.Score(i))), At: at}
		}
		_, err := a.SubmitAll(context.Background(), subs)
		return err
	})
	if err == nil {
		runtime.GC() // the garbage of the fill must not slow the event
		err = watchLeaves(a, c, begin, o, f)
	}
	return errors.Join(err, a.close())
}

func watchLeaves(a *arena, c *clock, begin time.Time, o bench.Options, f figure.Figures) error {
	live, err := a.Live(context.Background(), "w")
	if err != nil {
		return err
	}
	calls, err := crew.Watch(settled, o.After+time.Second, func(id int) func(int) error { return submitter(a, o, id) }, func() error {
		c.ahead.Add(int64(begin.Sub(c.now())))
		return nil
	})
	if err != nil {
		return err
	}
	for name, value := range calls.Figures(0, 1) {
		f[name] = value
	}
	n, err := live.Len(context.Background())
	if n > o.N {
		err = errors.Join(err, fmt.Errorf("%d players are ranked: some of the %d that have left are among them", n, o.N))
	}
	return err
}
