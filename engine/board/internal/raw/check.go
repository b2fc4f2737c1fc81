package raw

import (
	"fmt"

	"github.com/zrankdb/zrank/engine/board/internal/errs"
	"github.com/zrankdb/zrank/engine/board/internal/specs"
	"github.com/zrankdb/zrank/engine/board/window"
)

// step is how many entries are read or stored at a time.
const step = 500

// Check returns an error for a spec whose boards cannot move: ErrImmovable.
func Check(s specs.Spec) error {
	has := func(what string) error { return fmt.Errorf("%w: %q has %s", errs.ErrImmovable, s.Name, what) }
	for _, w := range s.Windows {
		if w.Kind == window.Rolling {
			return has("a rolling window, " + w.Name)
		}
	}
	switch {
	case s.Top != nil:
		return has("top")
	case s.Parts > 0 || s.PartMembers > 0:
		return has("parts")
	case s.BestRanks:
		return has("bestRanks")
	case s.Journal > 0:
		return has("a journal")
	case s.Feed != nil:
		return has("a feed")
	case s.Awards != nil:
		return has("awards")
	case s.Leagues != nil:
		return has("leagues")
	case s.Derived != nil:
		return has("groups that it is derived of")
	}
	return nil
}
