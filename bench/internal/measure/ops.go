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

// op is one operation, called count times. do makes the calls with numbers in [lo, hi).
type op struct {
	line  string
	count int
	step  int // calls between two clock reads
	do    func(lo, hi int)
}

// sink takes the results, so that the compiler cannot remove the calls.
var sink uint64

// batch is the default number of calls between two clock reads.
const batch = 256

func lookups(set []peers.Board, l *workload.Load) op {
	return op{Score, l.Lookup.Len(), batch, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			score, _ := set[l.Lookup.Board(i)].Score(l.Lookup.Key(i))
			sink += uint64(score)
		}
	}}
}

func updates(line string, set []peers.Board, s *workload.Stream) op {
	return op{line, s.Len(), batch, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			set[s.Board(i)].Set(s.Key(i), s.Score(i))
		}
	}}
}

// encode writes pages into one buffer.
func encode(line string, set []peers.Board, pages []workload.Page, step int, f peers.Format) op {
	var text []byte
	return op{line, len(pages), step, func(lo, hi int) {
		for _, p := range pages[lo:hi] {
			text = set[p.Board].Encode(text[:0], int(p.Lo), int(p.Hi), f)
			sink += uint64(len(text))
		}
	}}
}

// ops returns all operations except lookups, for peers that keep their members in order. The reads come first.
func (r *run) ops(set []peers.Board, l *workload.Load) []op {
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
			for i := lo; i < hi; i++ { // from the end: Page has just warmed the caches for the first pages
				p := l.Pages[len(l.Pages)-1-i]
				sink += set[p.Board].Walk(int(p.Lo), int(p.Hi))
			}
		}},
		encode(PageRESP, set, l.Pages[:pages], step, peers.RESP),
		encode(PageJSON, set, l.Pages[pages:], step, peers.JSON),
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

// loop makes the calls of an operation, and records the mean time and allocations per call. The first eighth is warm-up and does not count.
func (r *run) loop(o op) {
	i := 0
	until := func(end int, budget time.Duration) { // makes at least one step, even if the budget is spent
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
	objects, start := mallocs(), r.now()
	until(o.count, r.Budget)
	took := r.now() - start
	r.got[o.line] = float64(took) / float64(i-warm)
	r.got[allocs+o.line] = float64(mallocs()-objects) / float64(i-warm)
}

// garbageLen is the number of bytes that calls allocates before each call, as a request handler would.
const garbageLen = 1024

// garbage keeps the last allocation reachable, which puts it on the heap.
var garbage []byte

// calls times each call of an operation in a closed loop: it makes the next call only when the last one has returned. A stall therefore
// delays one call only. The garbage collector runs as in a real program. The first eighth is warm-up and does not count.
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
