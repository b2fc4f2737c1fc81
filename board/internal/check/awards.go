package check

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/settlement"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/zset"
)

// foreign is the number of awards that wait in a set which has some of another plan.
const foreign = -1

// noteAwards counts the awards of a set that wait. The entries are nil if they are not known.
func (a *audit) noteAwards(key string, entries *zset.IntView) {
	k, _ := boardkey.Parse(key)
	if entries == nil || !k.IsAwards() {
		return
	}
	s, err := state.DecodeSettling(a.settlements[boardkey.Join([]string{k.Board, k.WindowOf()})+k.Period])
	if err != nil || !s.Settled { // reported by awards, or about to be replaced
		return
	}
	n, ok := settlement.CountWaiting(entries, s)
	if !ok {
		n = foreign
	}
	a.awarded[key] = n
}

// awards compares the settlements with their sets of awards.
func (a *audit) awards() {
	for _, rest := range slices.Sorted(maps.Keys(a.settlements)) {
		t := a.timeline(rest)
		if t == nil {
			continue // it is being dropped
		}
		period := rest[strings.LastIndexByte(rest, 0)+1:]
		at := Where(t.Board, t.Window.Name, period)
		s, err := state.DecodeSettling(a.settlements[rest])
		if err != nil {
			a.problem(at, "stored settlement: %v", err)
			continue
		}
		if !s.Settled || a.isBeingDeleted(t.Board, t.Window.Name, period) {
			continue
		}
		key := state.NewSettlement(t.Board, t.Window.Name, period, s).Key
		waiting, err := strconv.Atoi(string(a.waiting[rest]))
		set := a.sets[key]
		found, known := a.awarded[key]
		switch {
		case set.Doubtful: // the engine's report has the reason
		case err != nil:
			a.problem(at, "stored number of awards that wait: %v", err)
		case found == foreign:
			a.problem(at, "has awards that its plan does not have")
		case set.Members != s.Awards:
			a.problem(at, "has %d awards, and had %d when it was settled", set.Members, s.Awards)
		case known && found != waiting:
			a.problem(at, "%d awards wait, and %d are counted", found, waiting)
		}
	}
}
