package measure

import (
	"errors"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/zrankdb/zrank/bench/internal/figure"
	"github.com/zrankdb/zrank/bench/internal/latency"
	"github.com/zrankdb/zrank/bench/internal/peers"
	"github.com/zrankdb/zrank/bench/internal/workload"
)

// garbageLen is what is allocated between two calls, and dropped, as a handler that reads a request and writes a reply does.
const garbageLen = 1024

// Calls is what the calls of one operation took.
type Calls struct {
	Figures figure.Figures
	Points  [][2]float64 // percentile, and ns that so many took at most
}

// garbage keeps the last piece reachable, so that it is allocated on the heap.
var garbage []byte

// Single times single calls of the operations of Timed, and of a clock alone, with collections running as they do in a program: 1 KiB
// of garbage is made between the calls, for every peer alike. It is a closed loop: the next call is made when the last one has
// returned, so what would have queued up behind a stall is not counted. Budget ends an operation, at the latest when each of
// 250,000 drawn calls was made. The first eighth warms up.
func Single(o Options) (found map[string]Calls, err error) {
	runtime.LockOSThread() // as in Run
	defer runtime.UnlockOSThread()
	r, err := start(o)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.peer.Close()) }()
	l := r.draw(maxOps)
	set, err := r.build(l)
	if err != nil {
		return nil, err
	}
	found = map[string]Calls{LineClock: r.calls(maxOps, func(int) {})}
	if r.ordered {
		list := set.ordered()
		for _, m := range Timed { // reads come first: writes change what there is
			count, do := single(m, list, l)
			found[string(m)] = r.calls(count, do)
		}
	} else {
		found[string(Score)] = r.calls(l.Lookup.Len(), func(i int) {
			score, _ := set[l.Lookup.Board(i)].Score(l.Lookup.Key(i))
			sink += uint64(score)
		})
	}
	runtime.KeepAlive(l)
	runtime.KeepAlive(set)
	return found, nil
}

// single returns the calls of an operation, and how many there are.
func single(m Metric, set []peers.Ordered, l *workload.Load) (count int, do func(i int)) {
	switch m {
	case Score:
		return l.Lookup.Len(), func(i int) {
			score, _ := set[l.Lookup.Board(i)].Score(l.Lookup.Key(i))
			sink += uint64(score)
		}
	case Rank:
		return l.Rank.Len(), func(i int) {
			rank, _ := set[l.Rank.Board(i)].Rank(l.Rank.Key(i))
			sink += uint64(rank)
		}
	case Page:
		return len(l.Pages), func(i int) {
			p := l.Pages[i]
			sink += uint64(set[p.Board].Page(int(p.Lo), int(p.Hi)))
		}
	case Incr:
		return l.Incr.Len(), func(i int) { set[l.Incr.Board(i)].Incr(l.Incr.Key(i), l.Incr.Score(i)) }
	}
	return l.Update.Len(), func(i int) { set[l.Update.Board(i)].Set(l.Update.Key(i), l.Update.Score(i)) }
}

// calls times them, each by itself.
func (r *run) calls(count int, do func(i int)) Calls {
	times, warm := latency.New(), count/8
	var stats debug.GCStats
	collections := func() int64 { debug.ReadGCStats(&stats); return stats.NumGC }
	before := collections()
	from := time.Now()
	i := 0
	for ; i < warm && time.Since(from) < r.Budget/8; i++ {
		garbage = make([]byte, garbageLen)
		do(i)
	}
	for from = time.Now(); i < count; i++ {
		garbage = make([]byte, garbageLen)
		start := time.Now()
		do(i)
		end := time.Now()
		times.Record(end.Sub(start))
		if end.Sub(from) >= r.Budget {
			break
		}
	}
	c := Calls{Figures: figure.Figures{figure.Collections: float64(collections() - before)}, Points: times.Points()}
	times.Into(c.Figures)
	for m, enough := range map[figure.Metric]int{figure.P99: 100, figure.P999: 1000} {
		if times.Count() < enough {
			delete(c.Figures, m)
		}
	}
	return c
}
