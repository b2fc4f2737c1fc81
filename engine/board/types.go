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
//	Score      Score      the result; in columns that add up, what is added
//	At         time.Time  when it happened, to the microsecond: it decides the period, and ties; zero: now, by the engine's clock
//	Once       string     names the submission, so that another one with the same name does nothing: for retries; "" is no name
//	Meta       []byte     metadata, at most Spec.MaxMeta bytes, shown with the entry wherever the submission changes it; nil leaves what
//	                      the entry has, an empty slice takes it away
//	If         Condition  when the submission counts
//	Near       int        asks for that many rows before the member's own and after it, in each window of the Change
//	Overtaken  int        asks for the rows of that many of the members passed, in each window of the Change: 0 to MaxOvertaken
type Submission = submit.Submission

// Condition says when a submission counts, by the member's entry in the board's first window. One that does not count changes nothing in
// any window.
type Condition = submit.Condition

const (
	// Always: it counts.
	Always = submit.Always
	// IfNew: the member is not ranked.
	IfNew = submit.IfNew
	// IfRanked: the member is ranked.
	IfRanked = submit.IfRanked
	// IfBetter: the member is not ranked, or the submitted score, as it is, is better than its own.
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

// Change is what a submission did: to the ranking of the board's first window, in Move, and to those of the others, in Others, in the
// spec's order. Duplicate: a submission with the same Once key has been counted before. Skipped: the condition did not hold, or SubmitFunc
// submitted nothing. Nothing has changed then, and the moves show the rows as they are. In returns the Move of a window.
type Change = submit.Change

// Move is what a submission did to one ranking. Rows have ordinal ranks, from 1, and no metadata.
//
//	Window     string
//	Period     string
//	Ranked     bool   the member was ranked before
//	Before     Row    zero if it was not
//	After      Row    zero if it is not now
//	Changed    bool   the score, or when it was reached, is not what it was
//	Improved   bool   the score is better than before, or the first
//	Passed     int    how many members it stood behind and now stands before; a new member stood behind all
//	Len        int    how many are ranked now
//	Near       []Row  the member's row among those around it, as Ranking.Around; nil unless Submission.Near asks for them
//	Overtaken  []Row  the best of the Passed members, best first, with the ranks that they have now; nil unless Submission.Overtaken asks
//	                  for them; the first stands right behind the member
type Move = submit.Move

// Removed is an entry that a member had: its Window, its Period, and its Row, with its ordinal rank, from 1, and without metadata.
type Removed = submit.Removed

// Usage describes a period, by its Info, with its number of Members and what it takes in bytes: Memory, near 0 if the period is not in
// memory, and about Disk, as of the last snapshot.
type Usage = periods.Usage

// MaxBaseline is the length of the longest name of a baseline, in bytes.
const MaxBaseline = periods.MaxBaseline

// Key is the key of a set of a board, taken apart.
//
//	Board    string  its name
//	Kind     string  the name of a window, or .once, .best.WINDOW or .base.WINDOW
//	Period   string  the period's name, or the baseline's; "all" where there is none
//	Version  int     of the board, see Migrate
//
// String returns the key: board/<name>/<kind>/<period>/v<version>.
type Key = boardkey.Key

// Prefix begins the keys of all sets of boards.
const Prefix = boardkey.Prefix

// ParseKey is the inverse of Key.String, and false for another key. O(length).
func ParseKey(key string) (k Key, ok bool) { return boardkey.Parse(key) }

// Report is what a check has read, and what it found wrong: an engine.Report; Closed, the number of closed periods that hold what they
// held when they were closed; Unrecorded, the number of closed periods of which that is not known, because a version that kept no digests
// closed them.
type Report = audit.Report

// CheckDir is engine.CheckDir, and compares closed periods as Boards.Check does. A ranking that Salvage could copy in part only is not what
// it was, and the check says so until its board is migrated or the period is dropped. Errors: those of engine.CheckDir. O(bytes).
func CheckDir(ctx context.Context, dir string, o engine.Options, progress func(engine.Report)) (Report, error) {
	return audit.CheckDir(ctx, dir, o, progress)
}
