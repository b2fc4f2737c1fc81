package report

import (
	"github.com/zrankdb/zrank/bench/internal/measure"
	"github.com/zrankdb/zrank/bench/internal/peers"
)

// latencyLayout is a row for each operation and peer, and one for the clock that timed them.
func latencyLayout() layout {
	l := layout{callers: []callerLine{{measure.LineClock, "two looks at the clock", []string{measure.LineClock}}},
		notes: `Wall time of single calls, the two looks at the clock included. Closed loop: one caller makes its next call when the last has returned, so
a stall counts once, however many callers would have waited (coordinated omission); pauses and recover have open loops. 1 KiB of
garbage is made between calls, as a handler of requests does: collections, counted for all calls of the row, run as they do in a
program. p99 of 100 calls at least, p99.9 of 1,000; worst: of all rounds.`}
	for _, m := range measure.Timed {
		d, _ := measure.Describe(m)
		l.callers = append(l.callers, callerLine{string(m), d.Title, peers.Names()})
	}
	return l
}
