package board

import (
	"context"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board/internal/audit"
	"github.com/zrankdb/zrank/engine/board/internal/boardkey"
	"github.com/zrankdb/zrank/engine/board/internal/periods"
	"github.com/zrankdb/zrank/engine/board/internal/submit"
)

// Submission is one result of a member.
//
//	Member     string     1 to MaxMember bytes
//	Score      Score      the result; in Sum columns, the number to add
//	At         time.Time  when it happened, to the microsecond: it decides the period, and ties; zero: now, by the engine's clock
//	Once       string     the submission's Once key: a later submission with the same key does nothing, for retries; "" is none
//	Meta       []byte     metadata, at most Spec.MaxMeta bytes, stored with each entry that the submission changes; nil keeps the entry's
//	                      metadata, an empty slice removes it
//	Windows    []string   the names of the windows that it goes to, in any order; the others stay as they are; empty: all windows of the board
//	Skill      int64      what the member is put together with others by, if Leagues has Bands
//	If         Condition  when the submission counts
//	Near       int        asks for that many rows before the member's own and after it, in each window of the Change
//	Overtaken  int        asks for the rows of that many of the members passed, in each window of the Change: 0 to MaxOvertaken
type Submission = submit.Submission

// Condition says when a submission counts. It tests the member's entry in the first of the board's windows that it goes to. A submission that does not count changes
// nothing in any window.
type Condition = submit.Condition

const (
	// Always: it counts.
	Always = submit.Always
	// IfNew: the member is not ranked.
	IfNew = submit.IfNew
	// IfRanked: the member is ranked.
	IfRanked = submit.IfRanked
	// IfBetter: the member is not ranked, or the submitted score itself, before the operator is applied, is better than the member's.
	IfBetter = submit.IfBetter
)

const (
	// MaxMember is the length of the longest member, in bytes.
	MaxMember = submit.MaxMember
	// MaxOnce is the length of the longest Once key, in bytes.
	MaxOnce = submit.MaxOnce
	// MaxOvertaken is the largest number of members passed that a submission may ask for.
	MaxOvertaken = submit.MaxOvertaken
)

// Change says what a submission did: Move, to the ranking of the first of the board's windows that it goes to; Others, to the rankings of the
// others that it goes to, in the spec's order. Duplicate: a submission with the same Once key has been counted before. Skipped: the condition did not hold, or SubmitFunc
// submitted nothing. In both cases nothing has changed, and the moves show the rows as they are. Change.In returns the Move of a window.
type Change = submit.Change

// Move says what a submission did to one ranking. Rows have ordinal ranks, from 1, and no metadata.
//
//	Window     string
//	Period     string
//	Ranked     bool   the member was ranked before
//	Hidden     bool   the member is hidden: its score counts, and it has no row and no rank; see Board.Hide
//	Before     Row    its row before; zero if it was not ranked
//	After      Row    its row now; zero if it is not ranked
//	Changed    bool   the score, or when it was reached, is not what it was
//	Improved   bool   the score is better than before, or the first
//	Passed     int    the number of members that it has overtaken; a new member overtakes all that it is ranked before
//	Len        int    the number of members that are ranked now
//	Near       []Row  the member's row and those around it, as Ranking.Around; nil unless Submission.Near is set
//	Overtaken  []Row  the best of the Passed members, best first, with their present ranks; the first is ranked right behind the member;
//	                  nil unless Submission.Overtaken is set
type Move = submit.Move

// Removed is an entry that a member had: its Window, its Period, and its Row, with its ordinal rank, from 1, and without metadata. If it was Hidden, the rank is 0.
type Removed = submit.Removed

// Usage describes a period: its Info, its number of Members, how many awards of it are Waiting to be delivered or claimed, and the bytes that it takes: Memory,
// near 0 if the period is not resident, and Disk, an estimate as of the last snapshot.
type Usage = periods.Usage

// MaxBaseline is the length of the longest name of a baseline, in bytes.
const MaxBaseline = periods.MaxBaseline

// Key is the key of a set of a board, taken apart.
//
//	Board    string  its name
//	Kind     string  the name of a window, or .once, .best.WINDOW, .base.WINDOW or another that the package's doc lists
//	Period   string  the period's name, or the baseline's; "all" where there is none
//	Version  int     of the board, see Migrate
//
// String returns the key: board/<name>/<kind>/<period>/v<version>.
type Key = boardkey.Key

// Prefix begins the keys of all sets of boards.
const Prefix = boardkey.Prefix

// ParseKey is the inverse of Key.String, and false for another key. O(length).
func ParseKey(key string) (k Key, ok bool) { return boardkey.Parse(key) }

// Report says what a check has read, and what it found wrong: an engine.Report; Closed, the number of closed periods that have the entries
// that they had when they were closed; Unions, the number of stored unions that have the entries that they were stored with; Unrecorded, the number of closed periods that cannot be compared, because a version of this package
// that stored no digests closed them.
type Report = audit.Report

// CheckDir is engine.CheckDir, and compares closed periods as Boards.Check does. If Salvage could copy a closed ranking only in part, the check
// reports it until its board is migrated or the period is dropped. Errors: those of engine.CheckDir. O(bytes).
func CheckDir(ctx context.Context, dir string, o engine.Options, progress func(engine.Report)) (Report, error) {
	return audit.CheckDir(ctx, dir, o, progress)
}
