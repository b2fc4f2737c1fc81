package board

import (
	"iter"

	"github.com/zrankdb/zrank/engine/board/internal/journal"
)

// JournalQuery says which rows of a journal to read.
//
//	Member  string     the rows of a member; "": of all
//	Since   time.Time  those that arrived then or later; zero: all
type JournalQuery = journal.Query

// JournalRow is a submission in the journal of a board, or the removal of a member.
//
//	Number    uint64     from 1, in the order of arrival
//	Arrived   time.Time  when it arrived, by the engine's clock
//	At        time.Time  when it happened: Submission.At
//	Member    string
//	Score     Score      as it was submitted; without columns for a removal
//	Once      string     its Once key
//	Removal   bool       the member was removed then
//	Reverted  uint64     the number of the entry of the audit log that has reverted it; 0: it is not reverted
type JournalRow = journal.Entry

// Journal iterates over the journal of the board, newest first: what was submitted, as far as Spec.Journal says. Submissions that were skipped or duplicates
// are not there. O(rows of the journal). It yields at most one error, at the end: ErrNoJournal, ErrClosed, ErrNoBoard, those of the engine.
func (b *Board) Journal(q JournalQuery) iter.Seq2[JournalRow, error] {
	return journal.All(b.core(), q)
}
