package measure

import (
	"runtime"
	"time"

	"github.com/zrankdb/zrank/bench/internal/workload"
)

const (
	// Collections are repeated for gcTime, or the budget if that is less, since processTime is coarse.
	gcTime               = 200 * time.Millisecond
	minCycles, maxCycles = 5, 200
	// smallBoard is the number of members of a small board: the most that a listpack holds.
	smallBoard     = 128
	maxSmallBoards = 1000
)

// LiveHeap collects and returns the bytes in live objects. The second collection frees what finalizers and pools held in the first.
func LiveHeap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func perMember(before, after uint64, n int) float64 {
	return (float64(after) - float64(before)) / float64(n)
}

// fullGC returns the mean CPU time of a full collection, all threads together, in milliseconds.
func fullGC(budget time.Duration) float64 {
	runtime.GC()
	cycles, began, start := 0, time.Now(), processTime()
	for cycles < minCycles || cycles < maxCycles && time.Since(began) < min(budget, gcTime) {
		runtime.GC()
		cycles++
	}
	return (processTime() - start).Seconds() * 1000 / float64(cycles)
}

// small measures the bytes per member of boards with smallBoard members each, if there are so many members.
func (r *run) small(s *workload.Stream) {
	set := make(boards, min(maxSmallBoards, s.Len()/smallBoard))
	if len(set) == 0 {
		return
	}
	before := LiveHeap()
	for b := range set {
		set[b] = r.running.New()
		for i := b * smallBoard; i < (b+1)*smallBoard; i++ {
			set[b].Insert(s.Key(i), s.Score(i))
		}
	}
	r.got[BytesSmall] = perMember(before, LiveHeap(), len(set)*smallBoard)
	runtime.KeepAlive(set)
}

// removal takes out nine of ten members at random and compares what is left with fresh boards of the same entries.
func (r *run) removal(set boards, l *workload.Load) {
	full := LiveHeap()
	for _, i := range l.Gone {
		set[l.Build.Board(int(i))].Remove(l.Build.Key(int(i)))
	}
	left := LiveHeap()
	anew := r.empty(l)
	for _, i := range l.Rest {
		k, at := l.Build.Key(int(i)), l.Build.Board(int(i))
		score, _ := set[at].Score(k)
		anew[at].Insert(k, score)
	}
	r.got[BytesAnew] = perMember(left, LiveHeap(), len(l.Rest))
	held := r.got[Bytes] // per member, of the full boards
	if updated, ok := r.got[BytesUpdated]; ok {
		held = updated
	}
	r.got[BytesLeft] = (held*float64(l.N) - (float64(full) - float64(left))) / float64(len(l.Rest))
	runtime.KeepAlive(set)
	runtime.KeepAlive(anew)
}

// objectCount counts heap objects made since startCount.
type objectCount uint64

func startCount() objectCount {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return objectCount(m.Mallocs)
}

func (c objectCount) perOp(ops int) float64 {
	return float64(startCount()-c) / float64(ops)
}
