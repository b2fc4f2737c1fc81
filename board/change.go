package board

import (
	"slices"

	"github.com/zrankdb/zrank/board/rules"
)

// Change says what a submission did: Move, to the ranking of the first of the board's windows that it goes to; Others, to the rankings of the
// others that it goes to, in the spec's order. Duplicate: a submission with the same Once key has been counted before. Skipped: the condition did not hold, or SubmitFunc
// submitted nothing. In both cases nothing has changed, and the moves show the rows as they are. Change.In returns the Move of a window.
// In JSON all moves are one list, "moves", that of the first window first.
type Change struct {
	Move
	Others []Move // the board's other windows, in the spec's order
	// Duplicate: a submission with the same Once key has been counted before. Nothing has changed; the moves show the rows as they are.
	Duplicate bool
	// Skipped: the condition did not hold, or SubmitFunc submitted nothing. Nothing has changed.
	Skipped bool
}

// In returns what the submission did to a window, and false if it did not go there, or the board does not have it. O(windows).
func (c *Change) In(window string) (Move, bool) {
	if c.Window == window {
		return c.Move, true
	}
	i := slices.IndexFunc(c.Others, func(m Move) bool { return m.Window == window })
	if i < 0 {
		return Move{}, false
	}
	return c.Others[i], true
}

// Move says what a submission did to one ranking. Rows have ordinal ranks, from 1, and no metadata.
type Move struct {
	Window  string `json:"window"`           // the window's name
	Period  string `json:"period,omitempty"` // the name of the period that the submission went to
	Hidden  bool   `json:"hidden,omitempty"` // the member is hidden: its score counts, and it has no row and no rank; see Board.Hide
	Ranked  bool   `json:"ranked,omitempty"` // the member was ranked before
	Before  Row    `json:"before,omitzero"`  // its row before; zero if it was not ranked
	After   Row    `json:"after,omitzero"`   // its row now; zero if it is not ranked
	Changed bool   `json:"changed"`          // the score, or when it was reached, is not what it was
	// Ignored: why the submission does not count in this ranking; "" if it counts, also without a change, and of a Change that is a Duplicate or Skipped.
	Ignored  rules.Ignored `json:"ignored,omitempty"`
	Improved bool          `json:"improved"` // the score is better than before, or the first
	Passed   int           `json:"passed"`   // the number of members that it has overtaken; a new member overtakes all that it is ranked before
	Len      int           `json:"members"`  // the number of members that are ranked now
	// Near has the member's row and those around it, as Ranking.Around; nil unless Submission.Near is set.
	Near []Row `json:"near,omitzero"`
	// Overtaken has the best of the Passed members, best first, with their present ranks. The first is ranked right behind the member. nil if
	// there are none, and unless Submission.Overtaken is set.
	Overtaken []Row `json:"overtaken,omitzero"`
}

// Ignored says why a submission has not counted in a ranking. It is "" if it has counted, also if the score is as it was, as after a sum with 0, and in a
// Change that is a Duplicate or Skipped. A submission that counts nowhere because the member is banned or a period closed has an error: ErrBanned, ErrPeriodClosed.
type Ignored = rules.Ignored

const (
	// IgnoredOlder: the operator is Last or LastOf, and newer results count.
	IgnoredOlder = rules.Older
	// IgnoredLater: the operator is First, and an earlier result counts.
	IgnoredLater = rules.Later
	// IgnoredNotBetter: the operator is Best, Min, Max or BestOf, and results that are as good or better count. In a rolling window it may count when these leave.
	IgnoredNotBetter = rules.NotBetter
)

// Removed is an entry that a member had: its Window, its Period, and its Row, with its ordinal rank, from 1, and without metadata. If it was Hidden, the rank is 0.
type Removed struct {
	Window string `json:"window"`           // the window's name
	Period string `json:"period"`           // the period's name
	Row    Row    `json:"row"`              // with its ordinal rank, from 1, and without metadata; the rank of a hidden member is 0
	Hidden bool   `json:"hidden,omitempty"` // the member is hidden
}
