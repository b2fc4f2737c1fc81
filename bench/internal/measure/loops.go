package measure

import (
	"time"

	"github.com/zrankdb/zrank/bench/internal/peers"
	"github.com/zrankdb/zrank/bench/internal/workload"
)

func (r *run) score(set boards, l *workload.Load) {
	r.loop(Score, AllocsScore, l.Lookup.Len(), batch, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			score, _ := set[l.Lookup.Board(i)].Score(l.Lookup.Key(i))
			sink += uint64(score)
		}
	})
}

// step is the number of ranked operations between two looks at the clock.
func (r *run) step() int {
	if r.Peer.Linear {
		return 1
	}
	return batch
}

func (r *run) reads(set []peers.Ordered, l *workload.Load) {
	r.loop(Rank, AllocsRank, l.Rank.Len(), r.step(), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			rank, _ := set[l.Rank.Board(i)].Rank(l.Rank.Key(i))
			sink += uint64(rank)
		}
	})
	// From the end, so that walks do not begin where pages have just warmed the caches.
	last := len(l.Pages) - 1
	r.loop(Page, AllocsPage, len(l.Pages)/2, r.step(), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			p := l.Pages[i]
			sink += uint64(set[p.Board].Page(int(p.Lo), int(p.Hi)))
		}
	})
	if r.Core {
		return
	}
	r.loop(Walk, AllocsWalk, len(l.Pages)/2, r.step(), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			p := l.Pages[last-i]
			sink += set[p.Board].Walk(int(p.Lo), int(p.Hi))
		}
	})
}

func (r *run) writes(set []peers.Ordered, l *workload.Load) {
	r.updates(Update, AllocsUpdate, set, &l.Update)
	if r.Core {
		return
	}
	r.loop(Incr, AllocsIncr, l.Incr.Len(), batch, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			set[l.Incr.Board(i)].Incr(l.Incr.Key(i), l.Incr.Score(i))
		}
	})
	r.loop(Churn, "", l.Churn.Len(), batch, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			b := set[l.Churn.Board(i)]
			b.Remove(l.Churn.Key(i))
			b.Insert(l.Churn.Key(i), l.Churn.Score(i))
		}
	})
}

func (r *run) updates(ns, allocs Metric, set []peers.Ordered, s *workload.Stream) {
	r.loop(ns, allocs, s.Len(), batch, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			set[s.Board(i)].Set(s.Key(i), s.Score(i))
		}
	})
}

// loop calls do for [0, count) in steps, and records time and allocations per operation.
func (r *run) loop(ns, allocs Metric, count, step int, do func(lo, hi int)) {
	i := 0
	until := func(end int, budget time.Duration) { // at least one step, however late it is
		for start := r.now(); ; {
			next := min(i+step, end)
			do(i, next)
			if i = next; i == end || r.now()-start >= budget {
				return
			}
		}
	}
	until(count/8, r.Budget/8)
	warm := i
	objects, start := startCount(), r.now()
	until(count, r.Budget)
	took := r.now() - start
	r.got[ns] = float64(took) / float64(i-warm)
	if allocs != "" {
		r.got[allocs] = objects.perOp(i - warm)
	}
}
