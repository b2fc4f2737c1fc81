package audit

import (
	"errors"
	"fmt"
	"slices"
)

// ErrKind is returned for a kind of entry that does not exist.
var ErrKind = errors.New("board: no such kind of entry of the audit log")

// Kind is what an entry of the audit log is about: "ban", "unban", "hide", "show", "revert", "erase", "rename", "merge", "correct" or "tier".
type Kind string

// ParseKind returns the kind of a name. Error: ErrKind.
func ParseKind(name string) (Kind, error) {
	if !slices.Contains(kinds, Kind(name)) {
		return "", fmt.Errorf("%w: %q, want one of %v", ErrKind, name, kinds)
	}
	return Kind(name), nil
}

// kinds are all kinds.
var kinds = []Kind{Ban, Unban, Hide, Show, Revert, Erase, Rename, Merge, Correct, Tier}

// The kinds of entries.
const (
	Ban     Kind = "ban"
	Unban   Kind = "unban"
	Hide    Kind = "hide"
	Show    Kind = "show"
	Revert  Kind = "revert"
	Erase   Kind = "erase"
	Rename  Kind = "rename"
	Merge   Kind = "merge"
	Correct Kind = "correct"
	Tier    Kind = "tier"
)

// Kinds returns all kinds.
func Kinds() []Kind { return slices.Clone(kinds) }
