package board

import (
	"context"
	"iter"
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
	Number   uint64      `json:"number"`              // from 1, in the order of arrival
	Arrived  time.Time   `json:"arrived"`             // when it arrived, by the engine's clock
	At       time.Time   `json:"at,omitzero"`         // when it happened: Submission.At
	Member   string      `json:"member,text"`         // who submitted, or was removed
	Score    rules.Score `json:"score,omitempty"`     // as it was submitted; without columns for a removal
	Windows  []string    `json:"windows,omitempty"`   // the names of the windows that it went to; nil: all, or it is from before a migration
	Once     string      `json:"once,text,omitempty"` // its Once key
	Removal  bool        `json:"removal,omitempty"`   // the member was removed then
	Reverted uint64      `json:"reverted,omitempty"`  // the number of the entry of the audit log that has reverted it; 0: it is not reverted
}

// Reversion says which submissions of a member to revert.
type Reversion struct {
	Row   uint64    `json:"row,omitempty"`  // the one with this number in the journal; 0: all since a time
	Since time.Time `json:"since,omitzero"` // all that arrived then or later; zero: all
}

// Reverted is what a Revert has done, or would do in a dry run.
type Reverted struct {
	Entry  uint64   `json:"entry,omitempty"` // the number of its entry in the audit log, 0 in a dry run and if there was nothing to revert
	Rows   []uint64 `json:"rows,omitempty"`  // the rows of the journal that are reverted, in order
	Places []Place  `json:"places"`          // the places that have changed, in open and in closed periods: windows as in the spec, periods in order of time
}

// Journaler has the last submissions, and takes them back.
type Journaler interface {
	// Journal iterates over the journal of the board, newest first: what was submitted, as far as
	// Spec.Journal says. Submissions that were skipped or duplicates are not there. O(rows of the
	// journal). It yields at most one error, at the end:
	Journal(ctx context.Context, q JournalQuery) iter.Seq2[JournalRow, error]
	// Revert takes submissions of a member back, in one commit: in every period, open or closed, the
	// member gets the entry that it would have without them. Rows stay in the journal, marked with the
	// number of the entry of the audit log.
	Revert(ctx context.Context, member string, r Reversion, a Action) (Reverted, error)
	// AsOf returns the ranking of the period of a window that contains a moment, as it was then: a
	// copy of it in memory, which does not change. The moment is by the engine's clock: the ranking
	// has the submissions that have arrived until then.
	AsOf(ctx context.Context, window string, at time.Time) (Ranking, error)
	// AsOfRow returns the ranking of a period as it was after a row of the journal had come, like
	// AsOf. The row may be one before the oldest of the journal: then it is the ranking as it was
	// before that one. Errors: those of AsOf; ErrPeriodName; ErrNotInJournal for a row that has not
	// come yet.
	AsOfRow(ctx context.Context, window, period string, row uint64) (Ranking, error)
}
