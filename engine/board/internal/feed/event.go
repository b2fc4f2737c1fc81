package feed

import (
	"fmt"
	"slices"
	"time"

	"github.com/zrankdb/zrank/engine/board/internal/errs"
	"github.com/zrankdb/zrank/engine/board/rules"
)

// Kind says what has happened. The numbers are stored: they are never reused.
type Kind uint8

// The kinds of events.
const (
	Submitted Kind = 1 + iota
	Overtaken
	EnteredTop
	LeftTop
	NewLeader
	PersonalRecord
	PeriodOpened
	PeriodClosed
	Settled
	Granted
	Claimed
	Banned
	Unbanned
	Hidden
	Shown
	Erased
	Renamed
	Merged
	Removed
	Reverted
	Corrected
	Joined
	Left
	Promoted
	Relegated
)

var kindNames = [...]string{Submitted: "submitted", Overtaken: "overtaken", EnteredTop: "entered", LeftTop: "left-top", NewLeader: "leader",
	PersonalRecord: "record", PeriodOpened: "opened", PeriodClosed: "closed", Settled: "settled", Granted: "granted", Claimed: "claimed",
	Banned: "banned", Unbanned: "unbanned", Hidden: "hidden", Shown: "shown", Erased: "erased", Renamed: "renamed", Merged: "merged",
	Removed: "removed", Reverted: "reverted", Corrected: "corrected", Joined: "joined", Left: "left", Promoted: "promoted", Relegated: "relegated"}

// Kinds returns all kinds in the order of their numbers.
func Kinds() []Kind {
	kinds := make([]Kind, 0, len(kindNames)-1)
	for k := Submitted; k.isKnown(); k++ {
		kinds = append(kinds, k)
	}
	return kinds
}

func (k Kind) isKnown() bool { return k >= Submitted && int(k) < len(kindNames) }

// String returns the name of a kind, such as "overtaken".
func (k Kind) String() string {
	if k.isKnown() {
		return kindNames[k]
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

// ParseKind returns the kind with a name. Error: ErrEventKind.
func ParseKind(name string) (Kind, error) {
	if i := slices.Index(kindNames[:], name); i > 0 {
		return Kind(i), nil
	}
	return 0, fmt.Errorf("%w: %.64q", errs.ErrEventKind, name)
}

// MarshalText returns the name of a kind.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText is the inverse. Error: ErrEventKind.
func (k *Kind) UnmarshalText(text []byte) (err error) {
	*k, err = ParseKind(string(text))
	return err
}

// Event is something that has happened on a board. Which fields it has depends on its kind: see "Feed" in package board.
type Event struct {
	Position Position    `json:"position"` // behind this event: a feed after it goes on with the next one
	Kind     Kind        `json:"kind"`
	Board    string      `json:"board"`
	Window   string      `json:"window,omitempty"`
	Period   string      `json:"period,omitempty"`
	Member   string      `json:"member,omitempty"`
	At       time.Time   `json:"at"`               // when it happened by the engine's clock, to the microsecond
	By       string      `json:"by,omitempty"`     // the member that has caused it, or the operator
	Other    string      `json:"other,omitempty"`  // another member: the leader before, the new name
	Rank     int         `json:"rank,omitempty"`   // of the member now, from 1; 0: none
	Before   int         `json:"before,omitempty"` // its rank before
	Score    rules.Score `json:"score,omitzero"`   // of the member now
	Was      rules.Score `json:"was,omitzero"`     // its score before
	Groups   string      `json:"groups,omitempty"` // a kind of groups
	Group    string      `json:"group,omitempty"`  // one of them
	Award    string      `json:"award,omitempty"`  // an award's id
	Count    int         `json:"count,omitempty"`  // of members or awards
	Audit    uint64      `json:"audit,omitempty"`  // the number of an entry in the audit log
}
