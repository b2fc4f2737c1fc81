package board

import (
	"time"

	"github.com/zrankdb/zrank/board/rules"
)

// JournalQuery says which rows of a journal to read.
type JournalQuery struct {
	Member string    // the rows of a member; "": of all
	Since  time.Time // those that arrived then or later; zero: all
}

// JournalRow is a submission in the journal of a board, or the removal of a member.
type JournalRow struct {
	Number   uint64      `json:"number"`   // from 1, in the order of arrival
	Arrived  time.Time   `json:"arrived"`  // when it arrived, by the engine's clock
	At       time.Time   `json:"at"`       // when it happened: Submission.At
	Member   string      `json:"member"`   // who submitted, or was removed
	Score    rules.Score `json:"score"`    // as it was submitted; without columns for a removal
	Windows  []string    `json:"windows"`  // the names of the windows that it went to; nil: all, or it is from before a migration
	Once     string      `json:"once"`     // its Once key
	Removal  bool        `json:"removal"`  // the member was removed then
	Reverted uint64      `json:"reverted"` // the number of the entry of the audit log that has reverted it; 0: it is not reverted
}

// Reversion says which submissions of a member to revert.
type Reversion struct {
	Row   uint64    // the one with this number in the journal; 0: all since a time
	Since time.Time // all that arrived then or later; zero: all
}

// Reverted is what a Revert has done, or would do in a dry run.
type Reverted struct {
	Entry  uint64   `json:"entry"`  // the number of its entry in the audit log, 0 in a dry run and if there was nothing to revert
	Rows   []uint64 `json:"rows"`   // the rows of the journal that are reverted, in order
	Places []Place  `json:"places"` // the places that have changed, in open and in closed periods: windows as in the spec, periods in order of time
}
