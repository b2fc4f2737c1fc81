package boardoracle

import (
	"cmp"
	"iter"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/zrankdb/zrank/engine/board"
	"github.com/zrankdb/zrank/fuzz/internal/apply"
)

// settle makes the awards of the closed periods that have none yet, as the plans of the present spec say.
func (b boardAt) settle() {
	for _, plan := range b.spec.Awards {
		win, _ := b.window(plan.Window)
		settled := b.windows[win.Name].settled
		for _, p := range b.periods(win) {
			if _, ok := settled[p.Name]; ok || len(p.entries) == 0 || !b.closed(win, p.Period, b.now) {
				continue
			}
			rows, _ := b.ranking(p.entries, board.Info{}).By(plan.Mode).Places(1, -1)
			settled[p.Name] = settledPeriod{p.Period, awardsOf(plan, rows)}
		}
	}
}

// awardsOf returns what a plan awards the members of a ranking, whose ranks are in the mode of the plan.
func awardsOf(plan board.AwardPlan, rows []board.Row) map[string]award {
	awards := map[string]award{}
	for i, row := range rows {
		var tiers []board.Tier
		for _, t := range plan.Tiers {
			if isIn(t, row.Rank, len(rows)) && (plan.Stack || len(tiers) == 0) {
				tiers = append(tiers, t)
			}
		}
		if len(tiers) > 0 {
			awards[row.Member] = award{place: i, rank: row.Rank, tiers: tiers}
		}
	}
	return awards
}

// isIn reports whether a tier has a rank among some members.
func isIn(t board.Tier, rank, members int) bool {
	switch {
	case t.Everyone:
		return true
	case t.Percent > 0:
		return rank <= int(t.Percent*float64(members)/100)
	}
	return t.From <= rank && rank <= max(t.From, t.To)
}

// Settlements returns the settlements of a window in order of time.
func (b boardAt) Settlements(name string) (list []board.Settlement, err error) {
	_, err = b.window(name)
	settled := b.windows[name].settled
	for _, p := range slices.SortedFunc(maps.Values(settled), func(a, b settledPeriod) int { return a.Start.Compare(b.Start) }) {
		s := board.Settlement{Period: p.Name, Settled: true, Revision: 1, Awards: len(p.awards)}
		for _, a := range p.awards {
			if !a.granted {
				s.Waiting++
			}
		}
		list = append(list, s)
	}
	return list, err
}

// Awards iterates over the awards of a period, by place.
func (b boardAt) Awards(name, period string) iter.Seq2[board.Award, error] {
	return func(yield func(board.Award, error) bool) {
		awards := b.windows[name].settled[period].awards
		for _, member := range slices.SortedFunc(maps.Keys(awards), func(a, b string) int { return cmp.Compare(awards[a].place, awards[b].place) }) {
			if !yield(b.award(name, period, member), nil) {
				return
			}
		}
	}
}

func (b boardAt) award(name, period, member string) board.Award {
	a := b.windows[name].settled[period].awards[member]
	state := board.Waiting
	if a.granted {
		state = board.Granted
	}
	return board.Award{ID: apply.AwardID(b.spec.Name, name, period, 1, member), Rank: a.rank, Tiers: a.tiers, State: state}
}

// Claim grants an award of the board to its member.
func (b boardAt) Claim(member, id string) (board.Award, error) {
	parts := strings.Split(id, "/") // board, window, period, revision, member
	for i := range parts {
		parts[i], _ = url.PathUnescape(parts[i])
	}
	name, period, owner := parts[1], parts[2], parts[4]
	awards := b.windows[name].settled[period].awards
	a, ok := awards[owner]
	switch {
	case owner != member:
		return board.Award{}, board.ErrNotYours
	case !ok:
		return board.Award{}, board.ErrAward
	case a.granted:
		return board.Award{}, board.ErrGranted
	}
	a.granted = true
	awards[owner] = a
	return b.award(name, period, owner), nil
}
