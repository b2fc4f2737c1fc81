package cluster

import (
	"fmt"

	"github.com/zrankdb/zrank/engine/board/internal/specs"
	"github.com/zrankdb/zrank/engine/board/window"
)

// refuse returns ErrUnsupported if a spec has what this package does not have.
func refuse(s specs.Spec) error {
	no := func(field, why string) error { return fmt.Errorf("%w: %q: %s: %s", ErrUnsupported, s.Name, field, why) }
	for _, w := range s.Windows {
		if w.Kind == window.Rolling {
			return no("window "+w.Label(), "results leave a rolling window by themselves, and nothing here wakes up for them")
		}
	}
	switch {
	case s.Top != nil:
		return no("top", "the best n move between two sets, which may be in two slots")
	case s.Parts > 0 || s.PartMembers > 0:
		return no("parts", "the partitions take their place: see Options.Partitions")
	case s.BestRanks:
		return no("bestRanks", "ranks are counted after the commit")
	case s.Journal > 0:
		return no("journal", "its rows are of one order over all members")
	case s.Feed != nil:
		return no("feed", "its positions are of one order over all members")
	case s.Awards != nil:
		return no("awards", "settlement is not there yet")
	case s.Leagues != nil:
		return no("leagues", "cohorts are of one order over all members")
	case s.Derived != nil:
		return no("derived", "a group and its members are in several slots")
	}
	return nil
}
