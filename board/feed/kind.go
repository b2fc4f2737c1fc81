package feed

import (
	"fmt"
	"slices"
)

// Kind says what has happened: see the package.
type Kind uint8

// Validate returns ErrKind for a number that no kind has.
func (k Kind) Validate() error {
	if !k.isKnown() {
		return fmt.Errorf("%w: %v", ErrKind, k)
	}
	return nil
}

func (k Kind) isKnown() bool { return k >= Submitted && int(k) < len(kindNames) }

// String returns the name of a kind, such as "overtaken".
func (k Kind) String() string {
	if k.isKnown() {
		return kindNames[k]
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

// MarshalText returns the name of a kind.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText is the inverse. Error: ErrKind.
func (k *Kind) UnmarshalText(text []byte) (err error) {
	*k, err = ParseKind(string(text))
	return err
}

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

// Kinds returns all kinds of events.
func Kinds() []Kind {
	kinds := make([]Kind, 0, len(kindNames)-1)
	for k := Submitted; k.isKnown(); k++ {
		kinds = append(kinds, k)
	}
	return kinds
}

// ParseKind returns the kind with a name, such as "overtaken". Error: ErrKind.
func ParseKind(name string) (Kind, error) {
	if i := slices.Index(kindNames[:], name); i > 0 {
		return Kind(i), nil
	}
	return 0, fmt.Errorf("%w: %.64q", ErrKind, name)
}

var kindNames = [...]string{Submitted: "submitted", Overtaken: "overtaken", EnteredTop: "entered", LeftTop: "left-top", NewLeader: "leader",
	PersonalRecord: "record", PeriodOpened: "opened", PeriodClosed: "closed", Settled: "settled", Granted: "granted", Claimed: "claimed",
	Banned: "banned", Unbanned: "unbanned", Hidden: "hidden", Shown: "shown", Erased: "erased", Renamed: "renamed", Merged: "merged",
	Removed: "removed", Reverted: "reverted", Corrected: "corrected", Joined: "joined", Left: "left", Promoted: "promoted", Relegated: "relegated"}
