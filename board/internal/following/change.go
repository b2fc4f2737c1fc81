package following

import (
	"github.com/zrankdb/zrank/board/internal/membership"
	"github.com/zrankdb/zrank/board/rules"
)

// Change is what a transaction does to the entry of a member in the ranking of one period.
type Change struct {
	Member  []byte
	Had     bool        // the member was ranked
	Before  rules.Score // valid if Had
	Has     bool        // it is ranked now
	After   rules.Score // valid if Has
	Reached int64       // when the scores of groups are reached by it, in microseconds after 1970
	Hides   bool        // the member is hidden or shown by it
	To      []byte      // the member that has the entry from now on, and had none; nil: the entry is removed, or stays
}

// Moves is the changes of members that one transaction makes together. The groups of the kind do not have them before it is committed.
type Moves struct {
	changes []*membership.Change
	scored  map[scored]bool // what has its score from all of them already
}

// scored is a group in the ranking with a key.
type scored struct {
	key   string
	group int64
}

// Together returns the Moves of a transaction.
func Together(changes []*membership.Change) *Moves { return &Moves{changes, map[scored]bool{}} }
