package cluster

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/zrankdb/zrank/engine/board/cluster/internal/sets"
	"github.com/zrankdb/zrank/engine/board/internal/combine"
	"github.com/zrankdb/zrank/engine/board/rules"
)

// value is what is stored of a member in a period.
//
//	entry: score 8, tie | length of kept << 1 | hidden, uvarint | kept | metadata
type value struct {
	score     int64
	tie       []byte
	kept      []byte // results that the operator keeps, or the times of those that count
	meta      []byte // nil: none
	hasMember bool   // false: the period has nothing of the member
	hidden    bool   // the member is hidden: the sorted set does not have it
}

// isRanked reports whether the sorted set has the member.
func (v *value) isRanked() bool { return v.hasMember && !v.hidden }

// encode returns the stored form; "" for a member that the period does not have.
func (v *value) encode() string {
	if !v.hasMember {
		return ""
	}
	head := uint64(len(v.kept)) << 1
	if v.hidden {
		head |= 1
	}
	b := sets.AppendEntry(nil, v.score, v.tie)
	b = append(binary.AppendUvarint(b, head), v.kept...)
	return string(append(b, v.meta...))
}

// decodeValue reads the stored form. Error: ErrCorrupt.
func decodeValue(stored string, tieWidth int) (v value, err error) {
	if stored == "" {
		return v, nil
	}
	e, err := sets.DecodeText(stored, tieWidth)
	if err != nil {
		return v, err
	}
	b := e.Member // what is behind the entry
	v.hasMember, v.score, v.tie = true, e.Score, e.Tie
	head, width := binary.Uvarint(b)
	n := head >> 1
	if width <= 0 || n > uint64(len(b)-width) {
		return value{}, fmt.Errorf("%w: a value without its results", ErrCorrupt)
	}
	v.hidden = head&1 != 0
	if v.kept = b[width : width+int(n)]; len(b) > width+int(n) {
		v.meta = b[width+int(n):]
	}
	return v, nil
}

// text returns what the sorted set has of a member with the value; "" if it is not ranked.
func (v *value) text(member []byte) string {
	if !v.isRanked() {
		return ""
	}
	return v.place(member)
}

// place returns what the sorted set has of a member with the value, or would have if it were not hidden.
func (v *value) place(member []byte) string {
	return string(append(sets.AppendEntry(nil, v.score, v.tie), member...))
}

// entryOf returns the entry as the rules change it, with what is kept beside it.
func (v *value) entryOf() combine.Entry {
	return combine.Entry{Score: v.score, Tie: v.tie, OK: v.hasMember, Kept: v.kept}
}

// with returns the value with another entry.
func (v value) with(e combine.Entry) value {
	v.score, v.tie, v.hasMember, v.kept = e.Score, e.Tie, e.OK, e.Kept
	return v
}

// corrupt returns an error of the rules, ErrCorrupt if stored results cannot be read.
func corrupt(err error) error {
	if errors.Is(err, combine.ErrKept) {
		return fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	return err
}

// entry returns the entry of a value.
func (v *value) entry(r *rules.Rules) (e rules.Entry) {
	if v.hasMember {
		e = r.Decode(v.score, v.tie)
	}
	return e
}
