package place

import (
	"context"

	"github.com/zrankdb/zrank/engine"
)

// kind is a kind of ranking that a Place is in. Methods but those for keys and steps are called
// after open, in its transaction.
type kind interface {
	// appendKeys appends the keys of the sets that have the entry, or would have it; with all,
	// those that have the ranks too.
	appendKeys(dst []string, all bool) []string
	// open opens these sets. Errors: ErrMoved if the member has others by now, those of the engine.
	open(tx *engine.Tx) error
	// get returns the entry, and false if there is none. O(1).
	get() (score int64, tie []byte, ok bool)
	// put gives the member an entry, and returns its ranks before and after; -1 for one that there
	// is not, or that the sets do not tell. Errors: those of take.
	put(tie []byte, score int64) (before, after int, err error)
	// take removes the entry. Errors: tail.ErrShort, those of the engine.
	take() error
	// rank returns the rank of the entry as put does. O(log n).
	rank() int
	// version rises with every entry that arrives: it orders those that are reached at the same
	// time. 0 if that cannot be told.
	version() uint64
	// isStepDue reports whether put has made a step of the ranking due: entries that move between
	// sets. had says whether the member had an entry before.
	isStepDue(had bool) bool
	// maintain makes the steps that are due.
	maintain(ctx context.Context) error
}

// kind returns the kind of the ranking. Each is another view of the same Place.
func (p *Place) kind() kind {
	switch {
	case p.division != nil:
		return inParts{p}
	case p.T.Top != nil:
		return amongBest{p}
	case p.T.Roll != nil && !p.AsIs:
		return inRolling{oneSet{p}}
	}
	return oneSet{p}
}

// here is the kind of place that is open: that of the ranking, or the set beside it.
func (p *Place) here() kind {
	if p.isBeside {
		return beside{oneSet{p}}
	}
	return p.kind()
}
