package measure

import (
	"runtime/debug"
	"time"

	"github.com/zrankdb/zrank/bench/internal/bench"
	"github.com/zrankdb/zrank/bench/internal/crew"
	"github.com/zrankdb/zrank/bench/internal/figure"
	"github.com/zrankdb/zrank/bench/internal/peers"
	"github.com/zrankdb/zrank/bench/internal/workload"
)

// op is the calls of one operation: do makes those in [lo, hi) of count.
type op struct {
	line  string
	count int
	step  int // calls between two looks at the clock
	do    func(lo, hi int)
}

// sink keeps results alive: the compiler cannot remove the calls.
var sink uint64

// batch is the number of operations between two looks at the clock.
const batch = 256

func lookups(set boards, l *workload.Load) op {
	return op{Score, l.Lookup.Len(), batch, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			score, _ := set[l.Lookup.Board(i)].Score(l.Lookup.Key(i))
			sink += uint64(score)
		}
	}}
}

func updates(line string, set []peers.Ordered, s *workload.Stream) op {
	return op{line, s.Len(), batch, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			set[s.Board(i)].Set(s.Key(i), s.Score(i))
		}
	}}
}

// ops returns the other operations on boards that know order, reads first.
func (r *run) ops(set []peers.Ordered, l *workload.Load) []op {
	step, pages := batch, len(l.Pages)/2
	if r.peer.Linear {
		step = 1
	}
	return []op{
		{Rank, l.Rank.Len(), step, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				rank, _ := set[l.Rank.Board(i)].Rank(l.Rank.Key(i))
				sink += uint64(rank)
			}
		}},
		{Page, pages, step, func(lo, hi int) {
			for _, p := range l.Pages[lo:hi] {
				sink += uint64(set[p.Board].Page(int(p.Lo), int(p.Hi)))
			}
		}},
		{Walk, pages, step, func(lo, hi int) {
			for i := lo; i < hi; i++ { // from the end: walks must not begin where pages have just warmed the caches
				p := l.Pages[len(l.Pages)-1-i]
				sink += set[p.Board].Walk(int(p.Lo), int(p.Hi))
			}
		}},
		updates(Update, set, &l.Update),
		{Incr, l.Incr.Len(), batch, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				set[l.Incr.Board(i)].Incr(l.Incr.Key(i), l.Incr.Score(i))
			}
		}},
		{Churn, l.Churn.Len(), batch, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				b := set[l.Churn.Board(i)]
				b.Remove(l.Churn.Key(i))
				b.Insert(l.Churn.Key(i), l.Churn.Score(i))
			}
		}},
	}
}

// loop makes the calls of an operation, and records the mean time and allocations. The first eighth warms up.
func (r *run) loop(o op) {
	i := 0
	until := func(end int, budget time.Duration) { // at least one step, however late it is
		for start := r.now(); ; {
			next := min(i+o.step, end)
			o.do(i, next)
			if i = next; i == end || r.now()-start >= budget {
				return
			}
		}
	}
	until(o.count/8, r.Budget/8)
	warm := i
	objects, start := startCount(), r.now()
	until(o.count, r.Budget)
	took := r.now() - start
	r.got[o.line] = float64(took) / float64(i-warm)
	r.got[allocs+o.line] = objects.perOp(i - warm)
}

// garbageLen is the number of bytes allocated between two timed calls, as a request handler would.
const garbageLen = 1024

// garbage keeps the last allocation reachable, which puts it on the heap.
var garbage []byte

// calls times single calls of an operation, in a closed loop: calls that would queue up behind a stall do not count. The collector runs as
// in a program. The first eighth warms up.
func (r *run) calls(o op) bench.Sample {
	times, warm := crew.NewRecorder(), o.count/8
	var stats debug.GCStats
	collections := func() int64 { debug.ReadGCStats(&stats); return stats.NumGC }
	before, from := collections(), time.Now()
	i := 0
	for ; i < warm && time.Since(from) < r.Budget/8; i++ {
		garbage = make([]byte, garbageLen)
		o.do(i, i+1)
	}
	for from = time.Now(); i < o.count; i++ {
		garbage = make([]byte, garbageLen)
		start := time.Now()
		o.do(i, i+1)
		end := time.Now()
		times.Record(end.Sub(start))
		if end.Sub(from) >= r.Budget {
			break
		}
	}
	f := figure.Figures{figure.Collections: float64(collections() - before)}
	times.Into(f)
	for m, enough := range map[figure.Metric]int{figure.P99: 100, figure.P999: 1000} {
		if times.Count() < enough {
			delete(f, m)
		}
	}
	return bench.Sample{Line: o.line, Figures: f, Points: times.Points()}
}
