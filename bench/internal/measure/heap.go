package measure

import (
	"runtime"
	"runtime/debug"
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

// liveHeap returns the bytes in live objects. The second collection frees what finalizers and pools held in the first.
func liveHeap() uint64 {
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
	before := liveHeap()
	for b := range boards {
		boards[b] = p.New()
		for i := b * smallBoard; i < (b+1)*smallBoard; i++ {
			boards[b].Insert(s.Key(i), s.Score(i))
		}
	}
	bytes := perMember(before, liveHeap(), len(boards)*smallBoard)
	runtime.KeepAlive(boards)
	return bytes
}

// slowestInsert builds a board with the collector off and returns the CPU time of the slowest insert, in milliseconds,
// about 0.3 µs of asking for it included.
func slowestInsert(p peers.Peer, s *workload.Stream) float64 {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	runtime.GC() // ends a collection that is under way
	board, worst := p.New(), time.Duration(0)
	last := threadTime()
	for i := range s.Len() {
		board.Insert(s.Key(i), s.Score(i))
		now := threadTime()
		worst = max(worst, now-last)
		last = now
	}
	runtime.KeepAlive(board)
	return worst.Seconds() * 1000
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
