package state

import (
	"fmt"
	"slices"
	"strings"

	"github.com/zrankdb/zrank/board"
)

// CheckComplete returns an error unless the spec of a derived board is one that Complete has returned. Error: ErrSpec, with the differences.
func CheckComplete(s, complete board.Spec) error {
	if diff := complete.Differences(s); diff != nil {
		return fmt.Errorf("%w: %q follows %q: %s", board.ErrSpec, s.Name, s.Derived.From, strings.Join(diff, "; "))
	}
	return nil
}

// FollowSource returns the stored spec of a derived board with the windows as its source has them from now on, each with its own Keep. Error: ErrSpec if the source does not
// have what the board follows any more.
func FollowSource(s, source board.Spec) (board.Spec, error) {
	bare := s
	bare.Columns, bare.Op, bare.Windows = nil, "", slices.Clone(s.Windows)
	for i, w := range bare.Windows {
		for _, of := range source.Windows {
			if of.Label() == w.Name {
				bare.Windows[i] = of
				bare.Windows[i].Name, bare.Windows[i].Keep = w.Name, w.Keep
			}
		}
	}
	next, err := bare.Complete(source)
	if err != nil {
		return s, err
	}
	bare.Columns, bare.Op, bare.Windows = s.Columns, s.Op, next.Windows
	if diff := next.Differences(bare); diff != nil {
		return s, fmt.Errorf("%w %.64q: derived: %s", board.ErrSpec, s.Name, diff[0])
	}
	return next, nil
}
