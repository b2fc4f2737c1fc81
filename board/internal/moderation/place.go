package moderation

import (
	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/entry"
	"github.com/zrankdb/zrank/board/internal/places"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/board/internal/submit"
)

// removedPlaces returns the places of entries that have been removed from open periods.
func removedPlaces(removed []board.Removed) (list []board.Place) {
	for _, r := range removed {
		list = append(list, board.Place{Window: r.Window, Period: r.Period, Rank: r.Row.Rank, Score: r.Row.Score, Hidden: r.Hidden})
	}
	return list
}

// placeOf returns a place in a closed period that the member is about to leave, so that the ranks of others close up.
func placeOf(st *state.State, f *places.Found) board.Place {
	p := board.Place{Window: f.Window, Period: f.Period, Closed: true, Members: f.Record.Members, Score: st.Rules.Decode(f.Score, f.Tie).Score, Hidden: f.Hidden}
	if !f.Hidden {
		p.Rank, p.Moved = f.Rank(st.Version), f.Record.Members-1-f.Now()
	}
	return p
}

// keptPlace is placeOf where the others keep their ranks.
func keptPlace(st *state.State, f *places.Found) board.Place {
	p := placeOf(st, f)
	p.Moved = 0
	return p
}

// movedPlaces returns the places of entries that have been hidden or shown in open periods.
func movedPlaces(moved []submit.Moved, hide bool) (list []board.Place) {
	for _, m := range moved {
		p := board.Place{Window: m.Window, Period: m.Period, Score: m.Row.Score, NewScore: m.Row.Score, Hidden: hide}
		if hide {
			p.Rank = m.Row.Rank
		} else {
			p.NewRank = m.Row.Rank
		}
		list = append(list, p)
	}
	return list
}

// hiddenPlace returns a place in a closed period in which the member is about to be hidden.
func hiddenPlace(st *state.State, f *places.Found) board.Place {
	p := placeOf(st, f)
	p.NewScore, p.Hidden = p.Score, true
	return p
}

// shownPlace returns a place, from 0, in a closed period in which the member is about to be shown.
func shownPlace(st *state.State, f *places.Found, place int) board.Place {
	p := placeOf(st, f)
	p.NewRank, p.NewScore, p.Hidden, p.Moved = f.RankAt(st.Version, place), p.Score, false, f.Record.Members-place
	return p
}

// rankAt returns the rank of an entry of a closed period by the rank that it would have if others had closed up; 0, without an entry, stays 0.
func rankAt(st *state.State, r *state.Record, closedUp int, s entry.Entry) int {
	if closedUp == 0 {
		return 0
	}
	return closedUp + r.VacantBefore(st.Version, s.Score, s.Tie)
}
