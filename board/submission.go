package board

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/zrankdb/zrank/board/rules"
)

// Submission is one result of a member.
type Submission struct {
	Member string `json:"member,text"` // 1 to MaxMember bytes
	// Score is the result; in Sum columns, the number to add.
	Score rules.Score `json:"score"`
	// At is when it happened, to the microsecond: it decides the period, and ties. Zero means now, by the engine's clock.
	At time.Time `json:"at,omitzero"`
	// Once is the submission's Once key: a later submission with the same key does nothing, for retries. "" is none.
	Once string `json:"once,text,omitempty"`
	// Meta is metadata, at most Spec.MaxMeta bytes, stored with each entry that the submission changes. nil keeps the entry's metadata; an
	// empty slice removes it.
	Meta []byte `json:"meta,omitzero"`
	// Windows are the names of the windows that it goes to, in any order; the others stay as they are. Empty: all windows of the board. One that has no period
	// at the time, as between two seasons or after the last one, stays as it is, too, unless no other is left: then the submission gets ErrOutside.
	Windows []string `json:"windows,omitempty"`
	// Skill is what the member is put together with others by, if the leagues of the board have bands: see Leagues. It counts when the submission puts the
	// member into a cohort.
	Skill int64 `json:"skill,omitempty"`
	// If says when the submission counts.
	If Condition `json:"if,omitempty"`
	// Near asks for that many rows before the member's own and after it, as Ranking.Around, in each window of the Change.
	Near int `json:"near,omitempty"`
	// Overtaken asks for the rows of that many of the members passed, in each window of the Change: 0 to MaxOvertaken.
	Overtaken int `json:"overtaken,omitempty"`
}

// Validate checks what a submission to a board with a spec must have, without the score and the windows. Errors: ErrMember, ErrOnce, ErrMeta, ErrCount,
// ErrCondition.
func (s *Submission) Validate(spec Spec) error {
	switch {
	case s.Member == "" || len(s.Member) > MaxMember:
		return ErrMember
	case len(s.Once) > MaxOnce:
		return ErrOnce
	case len(s.Meta) > spec.MaxMeta:
		return fmt.Errorf("%w: %d bytes, want at most %d", ErrMeta, len(s.Meta), spec.MaxMeta)
	case s.Near < 0:
		return fmt.Errorf("%w: Near is %d", ErrCount, s.Near)
	case s.Overtaken < 0 || s.Overtaken > MaxOvertaken:
		return fmt.Errorf("%w: Overtaken is %d, want 0 to %d", ErrCount, s.Overtaken, MaxOvertaken)
	case s.If > IfBetter:
		return fmt.Errorf("%w, want new, ranked or better", ErrCondition)
	}
	return nil
}

// Condition says when a submission counts. It tests the member's entry in the first of the board's windows that it goes to. A submission that does not count changes
// nothing in any window.
type Condition uint8

const (
	// Always: it counts.
	Always Condition = iota
	// IfNew: the member is not ranked.
	IfNew
	// IfRanked: the member is ranked.
	IfRanked
	// IfBetter: the member is not ranked, or the submitted score itself, before the operator is applied, is better than the member's.
	IfBetter
)

// conditions are the texts of conditions.
var conditions = [...]string{Always: "", IfNew: "new", IfRanked: "ranked", IfBetter: "better"}

// MarshalText returns "new", "ranked" or "better", and "" for Always.
func (c Condition) MarshalText() ([]byte, error) {
	if int(c) < len(conditions) {
		return []byte(conditions[c]), nil
	}
	return strconv.AppendUint(nil, uint64(c), 10), nil // there is none: whoever reads it refuses it
}

// UnmarshalText reads what MarshalText writes. Any other text is a condition that boards refuse, with ErrCondition. It has no error.
func (c *Condition) UnmarshalText(text []byte) error {
	*c = Condition(slices.Index(conditions[:], string(text))) // -1 is none
	return nil
}

const (
	// MaxMember is the length of the longest member, in bytes.
	MaxMember = 1 << 10
	// MaxOnce is the length of the longest Once key, in bytes.
	MaxOnce = 256
	// MaxOvertaken is the largest number of members passed that a submission may ask for.
	MaxOvertaken = 1000
)
