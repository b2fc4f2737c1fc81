package feed

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/zrankdb/zrank/engine/board/internal/errs"
)

// Position is a place between two events of a store. The zero Position is before the oldest event that is there.
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

// ParsePosition is the inverse of String. Error: ErrPosition.
func ParsePosition(text string) (p Position, err error) {
	if text == "" {
		return p, nil
	}
	fail := fmt.Errorf("%w: %.64q", errs.ErrPosition, text)
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
