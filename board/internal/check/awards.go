package check

import (
	"strconv"

	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/settlement"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/zset"
)

// foreign is the number of awards that wait in a set which has some of another plan.
const foreign = -1

// noteAwards counts the awards of a set that wait.
func (a *audit) noteAwards(s *set, entries *zset.IntView) {
	x, err := state.DecodeSettling(a.values[boardkey.SettlementPrefix()][s.path])
	if err != nil || !x.Settled { // reported by awards, or about to be replaced
		return
	}
	n, ok := settlement.CountWaiting(entries, x)
	if !ok {
		n = foreign
	}
	s.waits = &n
}

// awards compares the settlements with their sets of awards.
func (a *audit) awards() {
	for path, text := range a.each(boardkey.SettlementPrefix()) {
		t, period := a.at(path)
		if t == nil {
			continue // it is being dropped
		}
		s, err := state.DecodeSettling(text)
		if err != nil {
			a.problem(where(path), "stored settlement: %v", err)
			continue
		}
		if !s.Settled {
			continue
		}
		set := a.have(state.NewSettlement(t.Board, t.Window.Name, period, s).Key)
		waiting, err := strconv.Atoi(string(a.values[boardkey.WaitingPrefix()][path]))
		switch {
		case set.Doubtful: // the engine's report has the reason
		case err != nil:
			a.fault(path, "stored number of awards that wait: %v", err)
		case set.waits != nil && *set.waits == foreign:
			a.fault(path, "has awards that its plan does not have")
		case set.Members != s.Awards:
			a.fault(path, "has %d awards, and had %d when it was settled", set.Members, s.Awards)
		case set.waits != nil && *set.waits != waiting:
			a.fault(path, "%d awards wait, and %d are counted", *set.waits, waiting)
		}
	}
}
