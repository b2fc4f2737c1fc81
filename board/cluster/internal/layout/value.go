package layout

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/zrankdb/zrank/board/internal/entry"
	"github.com/zrankdb/zrank/board/rules"
)

// Value is what is stored of a member in a period.
//
//	entry: score 8, tie | length of kept << 1 | hidden, uvarint | kept | metadata
type Value struct {
	Score     int64
	Tie       []byte
	Kept      []byte // results that the operator keeps, or the times of those that count
	Meta      []byte // nil: none
	HasMember bool   // false: the period has nothing of the member
	Hidden    bool   // the member is hidden: the sorted set does not have it
}

// IsRanked reports whether the sorted set has the member.
func (v *Value) IsRanked() bool { return v.HasMember && !v.Hidden }

// Encode returns the stored form; "" for a member that the period does not have.
func (v *Value) Encode() string {
	if !v.HasMember {
		return ""
	}
	head := uint64(len(v.Kept)) << 1
	if v.Hidden {
		head |= 1
	}
	b := AppendEntry(nil, v.Score, v.Tie)
	b = append(binary.AppendUvarint(b, head), v.Kept...)
	return string(append(b, v.Meta...))
}

// DecodeValue reads the stored form. Error: ErrCorrupt.
func DecodeValue(stored string, tieWidth int) (v Value, err error) {
	if stored == "" {
		return v, nil
	}
	e, err := DecodeText(stored, tieWidth)
	if err != nil {
		return v, err
	}
	b := e.Member // what is behind the entry
	v.HasMember, v.Score, v.Tie = true, e.Score, e.Tie
	head, width := binary.Uvarint(b)
	n := head >> 1
	if width <= 0 || n > uint64(len(b)-width) {
		return Value{}, fmt.Errorf("%w: a value without its results", ErrCorrupt)
	}
	v.Hidden = head&1 != 0
	if v.Kept = b[width : width+int(n)]; len(b) > width+int(n) {
		v.Meta = b[width+int(n):]
	}
	return v, nil
}

// Text returns what the sorted set has of a member with the value; "" if it is not ranked.
func (v *Value) Text(member []byte) string {
	if !v.IsRanked() {
		return ""
	}
	return v.Place(member)
}

// Place returns what the sorted set has of a member with the value, or would have if it were not hidden.
func (v *Value) Place(member []byte) string {
	return string(append(AppendEntry(nil, v.Score, v.Tie), member...))
}

// Entry returns the entry as the rules read it; it is zero without the member.
func (v *Value) Entry(r *rules.Rules) (e rules.Entry) {
	if v.HasMember {
		e = r.Decode(v.Score, v.Tie)
	}
	return e
}

// WithKept returns the entry as the rules change it, with what is kept beside it.
func (v *Value) WithKept() entry.Entry {
	return entry.Entry{Score: v.Score, Tie: v.Tie, OK: v.HasMember, Kept: v.Kept}
}

// With returns the value with another entry.
func (v Value) With(e entry.Entry) Value {
	v.Score, v.Tie, v.HasMember, v.Kept = e.Score, e.Tie, e.OK, e.Kept
	return v
}

// Corrupt returns an error of the rules, ErrCorrupt if stored results cannot be read.
func Corrupt(err error) error {
	if errors.Is(err, entry.ErrKept) {
		return fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	return err
}
