package measure

import (
	"runtime"
	"time"

	"github.com/zrankdb/zrank/bench/internal/peers"
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

// smallBoards returns the bytes per member of boards with smallBoard members each.
func smallBoards(p peers.Peer, s *workload.Stream) float64 {
	boards := make([]peers.Board, min(maxSmallBoards, s.Len()/smallBoard))
	if len(boards) == 0 {
		return 0
	}
	before := LiveHeap()
	for b := range boards {
		boards[b] = p.New()
		for i := b * smallBoard; i < (b+1)*smallBoard; i++ {
			boards[b].Insert(s.Key(i), s.Score(i))
		}
	}
	bytes := perMember(before, LiveHeap(), len(boards)*smallBoard)
	runtime.KeepAlive(boards)
	return bytes
}

// removal takes out nine of ten members at random and compares what is left with a fresh board of the same entries.
func (r *run) removal(b peers.Board, l *workload.Load) {
	full := LiveHeap()
	for _, i := range l.Gone {
		b.Remove(l.Build.Key(int(i)))
	}
	left := LiveHeap()
	anew := r.peer.New()
	for _, i := range l.Rest {
		k := l.Build.Key(int(i))
		score, _ := b.Score(k)
		anew.Insert(k, score)
	}
	r.got[BytesAnew] = perMember(left, LiveHeap(), len(l.Rest))
	held := r.got[Bytes] // per member, of the full board
	if updated, ok := r.got[BytesUpdated]; ok {
		held = updated
	}
	r.got[BytesLeft] = (held*float64(r.N) - (float64(full) - float64(left))) / float64(len(l.Rest))
	runtime.KeepAlive(b)
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
