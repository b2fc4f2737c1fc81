package measure

import (
	"runtime"
	"runtime/debug"
	"time"

	"github.com/zrankdb/zrank/bench/internal/peers"
	"github.com/zrankdb/zrank/bench/internal/workload"
)

// updateEvery is how many inserts there are to an update while a board grows.
const updateEvery = 4

// grow builds a board of fractional scores and looks for the slowest insert or update. What it has built serves the other
// figures of fractional scores.
func (r *run) grow(l *workload.Load) {
	before := LiveHeap()
	set := r.empty(l)
	r.got[Slowest] = slowest(set, &l.FractionBuild)
	r.got[BytesFraction] = perMember(before, LiveHeap(), l.N)
	if r.ordered {
		r.loop(updates(UpdateFraction, set.ordered(), &l.FractionUpdate))
	}
	runtime.KeepAlive(set)
}

// slowest inserts the stream, moves a random member after every few inserts if the board has an order, and returns the CPU
// time of the slowest of both in milliseconds, about 0.3 µs of asking for it included. The collector is off.
func slowest(set boards, s *workload.Stream) float64 {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	runtime.GC() // ends a collection that is under way
	_, moves := set[0].(peers.Ordered)
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
			set[s.Board(j)].(peers.Ordered).Set(s.Key(j), s.Score(s.Len()-1-i))
			lap()
		}
	}
	return worst.Seconds() * 1000
}

// earlier returns a number in [0, i] that looks random and takes no time.
func earlier(i int) int {
	return int(uint64(i) * 0x9e3779b97f4a7c15 >> 32 % uint64(i+1))
}
