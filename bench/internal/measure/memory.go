package measure

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/zrankdb/zrank/bench/internal/peers"
	"github.com/zrankdb/zrank/bench/internal/workload"
)

// empty makes the boards of a load.
func (r *run) empty(l *workload.Load) []peers.Board {
	list := make([]peers.Board, l.Boards)
	for i := range list {
		list[i] = r.running.New()
	}
	return list
}

// fill inserts a stream.
func fill(set []peers.Board, s *workload.Stream) {
	for i := range s.Len() {
		set[s.Board(i)].Insert(s.Key(i), s.Score(i))
	}
}

// replay makes the changes of a file on fresh boards, in the order of the file, and returns the boards. All members then have the
// scores that they have in the build.
func (r *run) replay(l *workload.Load) ([]peers.Board, error) {
	set, e := r.empty(l), &l.Events
	start := r.now()
	for i := range e.Len() {
		switch b := set[e.Board(i)]; {
		case e.Fresh[i]:
			b.Insert(e.Key(i), e.Score(i))
		case e.Adds:
			b.Incr(e.Key(i), e.Score(i))
		default:
			b.Set(e.Key(i), e.Score(i))
		}
	}
	r.got[Replay] = float64(r.now()-start) / float64(e.Len())
	for i := range l.Build.Len() {
		k, want := l.Build.Key(i), l.Build.Score(i)
		if got, ok := set[l.Build.Board(i)].Score(k); !ok || got != want {
			return nil, fmt.Errorf("%s: after the replay %q has %v %v, want %v", r.peer.Name, k.Name, got, ok, want)
		}
	}
	return set, nil
}

// updateEvery is how many inserts there are to an update while a board grows.
const updateEvery = 4

// grow builds a board of fractional scores and finds the slowest insert or update. It then measures memory and updates of the same board.
func (r *run) grow(l *workload.Load) {
	before := LiveHeap()
	set := r.empty(l)
	r.got[Slowest] = slowest(set, &l.FractionBuild, r.ordered)
	r.got[BytesFraction] = perMember(before, LiveHeap(), l.N)
	if r.ordered {
		r.loop(updates(UpdateFraction, set, &l.FractionUpdate))
	}
	runtime.KeepAlive(set)
}

// slowest inserts the stream, moves a random member after every few inserts if moves, and returns the CPU
// time of the slowest of both in milliseconds, about 0.3 µs of asking for it included. The collector is off.
func slowest(set []peers.Board, s *workload.Stream, moves bool) float64 {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	runtime.GC() // ends a collection that is under way
	worst, last := time.Duration(0), threadTime()
	lap := func() {
		now := threadTime()
		worst = max(worst, now-last)
		last = now
	}
	for i := range s.Len() {
		set[s.Board(i)].Insert(s.Key(i), s.Score(i))
		lap()
		if moves && i%updateEvery == 0 {
			j := earlier(i)
			set[s.Board(j)].Set(s.Key(j), s.Score(s.Len()-1-i))
			lap()
		}
	}
	return worst.Seconds() * 1000
}

// earlier returns a pseudo-random number in [0, i], by one multiplication.
func earlier(i int) int {
	return int(uint64(i) * 0x9e3779b97f4a7c15 >> 32 % uint64(i+1))
}

const (
	// Collections are repeated for gcTime, or the budget if that is less, since ProcessTime is coarse.
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
	cycles, began, start := 0, time.Now(), ProcessTime()
	for cycles < minCycles || cycles < maxCycles && time.Since(began) < min(budget, gcTime) {
		runtime.GC()
		cycles++
	}
	return (ProcessTime() - start).Seconds() * 1000 / float64(cycles)
}

// small measures the bytes per member of boards with smallBoard members each. It needs smallBoard members in the stream.
func (r *run) small(s *workload.Stream) {
	set := make([]peers.Board, min(maxSmallBoards, s.Len()/smallBoard))
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

// removal removes nine of ten members at random and compares the rest with fresh boards of the same entries.
func (r *run) removal(set []peers.Board, l *workload.Load) {
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

// mallocs returns the number of heap objects that were allocated so far.
func mallocs() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.Mallocs
}
