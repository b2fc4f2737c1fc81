package feed

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
)

// Position is a place between two events of a feed. The zero Position is before the oldest event that is there. As text, and in JSON, it is String.
type Position struct {
	Store  uint64 // which store it is of; 0 in the zero Position
	Commit uint64 // a commit, from 1
	Index  int    // the number of the notes of Commit that are before the position; not all of them: then it is before the next commit
}

// String returns the position as text, "" for the zero Position.
func (p Position) String() string {
	if p == (Position{}) {
		return ""
	}
	return fmt.Sprintf("%016x-%d-%d", p.Store, p.Commit, p.Index)
}

// Compare returns which of two positions of a store comes first, as cmp.Compare.
func (p Position) Compare(q Position) int {
	return cmp.Or(cmp.Compare(p.Commit, q.Commit), cmp.Compare(p.Index, q.Index))
}

// MarshalText returns String.
func (p Position) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText is ParsePosition.
func (p *Position) UnmarshalText(text []byte) (err error) {
	*p, err = ParsePosition(string(text))
	return err
}

// ParsePosition is the inverse of Position.String. Error: ErrPosition.
func ParsePosition(text string) (p Position, err error) {
	if text == "" {
		return p, nil
	}
	fail := fmt.Errorf("%w: %.64q", ErrPosition, text)
	list := strings.Split(text, "-")
	if len(list) != 3 {
		return Position{}, fail
	}
	var bad [3]error
	p.Store, bad[0] = strconv.ParseUint(list[0], 16, 64)
	p.Commit, bad[1] = strconv.ParseUint(list[1], 10, 64)
	p.Index, bad[2] = strconv.Atoi(list[2])
	if cmp.Or(bad[:]...) != nil || p.String() != text || p.Commit == 0 || p.Index < 0 {
		return Position{}, fail
	}
	return p, nil
}

// BehindError says that a feed asks for events that are not there any more. A feed after Oldest has all that are. errors.Is(err, ErrBehind) holds.
type BehindError struct {
	After  Position `json:"after"`  // the position that was asked for, or that the feed has come to
	Oldest Position `json:"oldest"` // before the oldest events that are there
}

// Error says from where to where.
func (e *BehindError) Error() string {
	return fmt.Sprintf("%v: it is at %v, and the oldest events are after %v", ErrBehind, e.After, e.Oldest)
}

// Unwrap returns ErrBehind.
func (e *BehindError) Unwrap() error { return ErrBehind }
