package measure

import (
	"runtime"
	"time"

	"github.com/zrankdb/zrank/bench/internal/peers"
	"github.com/zrankdb/zrank/bench/internal/workload"
)

const (
	minOps = 20_000
	maxOps = 250_000
	// minInserts is how many inserts a build takes at least, in boards one after the other.
	minInserts = 8000
	// batch is the number of operations between two looks at the clock.
	batch = 256
	// smallN is the size of the board that Update1k is measured on.
	smallN = 1000
)

// Options say what a run does.
type Options struct {
	N      int           // members, at least 2*workload.PageLen
	Seed   uint64        // of the load
	Budget time.Duration // the longest that one operation's loop may take
}

// run is one peer under measurement.
type run struct {
	Options
	peer peers.Peer
	got  Figures
}

// sink keeps results alive, so that no call is optimized away.
var sink uint64

// Run measures the peer.
func Run(p peers.Peer, o Options) Figures {
	runtime.LockOSThread() // threadTime is this thread's
	defer runtime.UnlockOSThread()
	r := &run{Options: o, peer: p, got: Figures{}}
	load := workload.New(o.N, min(max(o.N, minOps), maxOps), o.Seed)

	r.grow(load)
	r.got[BytesSmall] = smallBoards(p, &load.Build)
	r.update1k()
	r.got[GCEmpty] = fullGC(r.Budget)
	board := r.build(&load.Build)
	r.got[GC] = fullGC(r.Budget)

	r.score(board, load)
	if ordered, ok := board.(peers.Ordered); ok {
		r.reads(ordered, load)
		before := LiveHeap() // with what the board keeps for its pages
		r.writes(ordered, load)
		r.got[BytesUpdated] = r.got[Bytes] + perMember(before, LiveHeap(), o.N)
	}
	r.removal(board, load)
	runtime.KeepAlive(load)
	return r.got
}

// build makes the board, without a warm-up or a budget. A small one it makes several times, and takes the mean.
func (r *run) build(s *workload.Stream) peers.Board {
	boards := make([]peers.Board, max(1, minInserts/s.Len()))
	inserts := len(boards) * s.Len()
	before := LiveHeap()
	count, start := startCount(), threadTime()
	for b := range boards {
		boards[b] = r.peer.New()
		for i := range s.Len() {
			boards[b].Insert(s.Key(i), s.Score(i))
		}
	}
	r.got[Build] = float64(threadTime()-start) / float64(inserts)
	r.got[AllocsBuild] = count.perOp(inserts)
	r.got[Bytes] = perMember(before, LiveHeap(), inserts)
	board := boards[0]
	runtime.KeepAlive(boards)
	return board
}

func (r *run) score(b peers.Board, l *workload.Load) {
	r.loop(Score, AllocsScore, l.Lookup.Len(), batch, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			score, _ := b.Score(l.Lookup.Key(i))
			sink += uint64(score)
		}
	})
}

func (r *run) reads(b peers.Ordered, l *workload.Load) {
	step := batch
	if r.peer.Linear {
		step = 1
	}
	r.loop(Rank, AllocsRank, l.Rank.Len(), step, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			rank, _ := b.Rank(l.Rank.Key(i))
			sink += uint64(rank)
		}
	})
	// From the end, so that walks do not begin where pages have just warmed the caches.
	last := len(l.Pages) - 1
	r.loop(Page, AllocsPage, len(l.Pages)/2, step, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			at := int(l.Pages[i])
			sink += uint64(b.Page(at, at+workload.PageLen))
		}
	})
	r.loop(Walk, AllocsWalk, len(l.Pages)/2, step, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			at := int(l.Pages[last-i])
			sink += b.Walk(at, at+workload.PageLen)
		}
	})
}

func (r *run) writes(b peers.Ordered, l *workload.Load) {
	r.updates(Update, AllocsUpdate, b, &l.Update)
	r.loop(Incr, AllocsIncr, l.Incr.Len(), batch, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			b.Incr(l.Incr.Key(i), l.Incr.Score(i))
		}
	})
	r.loop(Churn, "", l.Churn.Len(), batch, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			b.Remove(l.Churn.Key(i))
			b.Insert(l.Churn.Key(i), l.Churn.Score(i))
		}
	})
}

func (r *run) updates(ns, allocs Metric, b peers.Ordered, s *workload.Stream) {
	r.loop(ns, allocs, s.Len(), batch, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			b.Set(s.Key(i), s.Score(i))
		}
	})
}

// update1k measures updates on a board of smallN members.
func (r *run) update1k() {
	b, ok := r.peer.New().(peers.Ordered)
	if !ok {
		return
	}
	load := workload.New(smallN, minOps, r.Seed)
	for i := range smallN {
		b.Insert(load.Build.Key(i), load.Build.Score(i))
	}
	r.updates(Update1k, "", b, &load.Update)
}

// loop calls do for [0, count) in steps, and records time and allocations per operation.
func (r *run) loop(ns, allocs Metric, count, step int, do func(lo, hi int)) {
	i := 0
	until := func(end int, budget time.Duration) { // at least one step, however late it is
		for start := threadTime(); ; {
			next := min(i+step, end)
			do(i, next)
			if i = next; i == end || threadTime()-start >= budget {
				return
			}
		}
	}
	until(count/8, r.Budget/8)
	warm := i
	objects, start := startCount(), threadTime()
	until(count, r.Budget)
	took := threadTime() - start
	r.got[ns] = float64(took) / float64(i-warm)
	if allocs != "" {
		r.got[allocs] = objects.perOp(i - warm)
	}
}
