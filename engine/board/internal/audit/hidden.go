package audit

import (
	"github.com/zrankdb/zrank/engine/board/internal/boardkey"
	"github.com/zrankdb/zrank/engine/board/internal/state"
	"github.com/zrankdb/zrank/zset"
)

// noteHidden counts the hidden members that a set of the ranking of a period has. The entries are nil if they are not known. O(hidden members).
func (a *audit) noteHidden(key string, entries *zset.IntView) {
	k, ok := boardkey.Parse(key)
	if !ok || entries == nil || !k.IsOfPeriod() || k.IsHidden() {
		return
	}
	for _, member := range a.hides[k.Board] {
		if _, has := entries.Score([]byte(member)); has {
			a.ranked[key]++
		}
	}
}

// hiddenMembers reports hidden members that are in the rankings of open periods. Those of closed ones may be, until the job that hides them is done.
func (a *audit) hiddenMembers() {
	for key, n := range a.ranked {
		k, _ := boardkey.Parse(key)
		st := a.boards[k.Board]
		if st == nil || st.Version != k.Version || a.sets[key].Doubtful {
			continue
		}
		if t, slot := st.SlotOf(k); slot != nil && !t.IsClosed(slot) {
			a.problem(Where(k.Board, t.Window.Name, slot.Name), "ranks %d members that are hidden", n)
		}
	}
}

// hiddenOf compares the number of hidden members of a closed period with its record.
func (a *audit) hiddenOf(t *state.Timeline, period string, r *state.Record) {
	if set := a.sets[t.HiddenKey(period)]; !set.Doubtful && set.Members != r.Hidden {
		a.problem(Where(t.Board, t.Window.Name, period), "has %d hidden members, and its record says %d", set.Members, r.Hidden)
	}
}
