package submit

import (
	"time"

	"github.com/zrankdb/zrank/engine/board/rules"
)

const (
	// MaxMember is the length of the longest member, in bytes.
	MaxMember = 1 << 10
	// MaxOnce is the length of the longest Once key, in bytes.
	MaxOnce = 256
	// MaxOvertaken is the largest number of members passed that a submission may ask for.
	MaxOvertaken = 1000
)

// Submission is one result of a member.
type Submission struct {
	Member string // 1 to MaxMember bytes
	// Score is the result; in columns that add up, what is added.
	Score rules.Score
	// At is when it happened, to the microsecond: it decides the period, and ties. Zero means now, by the engine's clock.
	At time.Time
	// Once names the submission, so that another one with the same name does nothing: for retries. "" is no name.
	Once string
	// Meta is metadata, at most Spec.MaxMeta bytes, that is shown with the entry wherever the submission changes it. nil leaves what
	// the entry has; an empty slice takes it away.
	Meta []byte
	// If says when the submission counts.
	If Condition
	// Near asks for that many rows before the member's own and after it, as Ranking.Around, in each window of the Change.
	Near int
	// Overtaken asks for the rows of that many of the members passed, in each window of the Change: 0 to MaxOvertaken.
	Overtaken int
}

// Condition says when a submission counts, by the member's entry in the board's first window. One that does not count changes nothing in
// any window.
type Condition uint8

const (
	// Always: it counts.
	Always Condition = iota
	// IfNew: the member is not ranked.
	IfNew
	// IfRanked: the member is ranked.
	IfRanked
	// IfBetter: the member is not ranked, or the submitted score, as it is, is better than its own.
	IfBetter
)
