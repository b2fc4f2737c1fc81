package cluster

import (
	"errors"
	"fmt"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/state"
)

// reasons says why boards on a cluster have none of what Spec.Extras names.
var reasons = map[string]string{
	"rolling windows": "results leave a rolling window by themselves, and nothing here wakes up for them",
	"top":             "the best n move between two sets, which may be in two slots",
	"bestRanks":       "ranks are counted after the commit",
	"parts":           "the partitions take their place: see Options.Partitions",
	"journal":         "its rows are of one order over all members",
	"feed":            "its positions are of one order over all members",
	"awards":          "settlement is not there yet",
	"leagues":         "cohorts are of one order over all members",
	"derived":         "a group and its members are in several slots",
}

// refuse returns one error that wraps ErrUnsupported and names all that a spec has and this package does not have, or nil.
func refuse(s board.Spec) error {
	var all []error
	for _, name := range state.Extras(s) {
		all = append(all, fmt.Errorf("%w: %q: %s: %s", ErrUnsupported, s.Name, name, reasons[name]))
	}
	return errors.Join(all...)
}
