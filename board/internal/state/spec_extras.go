package state

import (
	"slices"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/window"
)

// Extras returns the names of what a board has beside the plain rankings of its periods, in the order of the spec's fields. Boards on a cluster have none of it, and boards with any of
// it stay where they are. A field of Spec that is added is named here, or is one of every board: a test asks.
func Extras(s board.Spec) (names []string) {
	for _, x := range []struct {
		name string
		has  bool
	}{
		{"rolling windows", slices.ContainsFunc(s.Windows, func(w window.Window) bool { return w.Kind == window.Rolling })},
		{"top", s.Top != nil},
		{"bestRanks", s.BestRanks},
		{"parts", s.Parts > 0 || s.PartMembers > 0},
		{"journal", s.Journal > 0},
		{"feed", s.Feed != nil},
		{"awards", s.Awards != nil},
		{"leagues", s.Leagues != nil},
		{"derived", s.Derived != nil},
	} {
		if x.has {
			names = append(names, x.name)
		}
	}
	return names
}
