package moderation

import (
	"github.com/zrankdb/zrank/engine/board/internal/auditlog"
	"github.com/zrankdb/zrank/engine/board/internal/places"
	"github.com/zrankdb/zrank/engine/board/internal/state"
	"github.com/zrankdb/zrank/engine/board/internal/submit"
)

// removedPlaces returns the places of entries that have been removed from open periods.
func removedPlaces(removed []submit.Removed) (list []auditlog.Place) {
	for _, r := range removed {
		list = append(list, auditlog.Place{Window: r.Window, Period: r.Period, Rank: r.Row.Rank, Score: r.Row.Score})
	}
	return list
}

// placeOf returns a place in a closed period that the member is about to leave.
func placeOf(st *state.State, f *places.Found) auditlog.Place {
	place := f.Now()
	return auditlog.Place{Window: f.Window, Period: f.Period, Closed: true, Rank: place + 1, Members: f.Record.Members, Score: st.Rules.Decode(f.Score, f.Tie).Score,
		Moved: f.Record.Members - 1 - place}
}
