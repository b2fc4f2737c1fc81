package cluster

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/zrankdb/zrank/engine/board/internal/combine"
	"github.com/zrankdb/zrank/engine/board/rules"
	"github.com/zrankdb/zrank/zset"
)

const signBit = 1 << 63

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

func appendEntry(dst []byte, score int64, tie []byte) []byte {
	return append(binary.BigEndian.AppendUint64(dst, uint64(score)^signBit), tie...)
}

// encode returns the stored form; "" for a member that the period does not have.
func (v *value) encode() string {
	if !v.hasMember {
		return ""
	}
	head := uint64(len(v.kept)) << 1
	if v.hidden {
		head |= 1
	}
	b := appendEntry(nil, v.score, v.tie)
	b = append(binary.AppendUvarint(b, head), v.kept...)
	return string(append(b, v.meta...))
}

// decodeValue reads the stored form. Error: ErrCorrupt.
func decodeValue(stored string, tieWidth int) (v value, err error) {
	if stored == "" {
		return v, nil
	}
	b := []byte(stored)
	if len(b) < 8+tieWidth {
		return v, fmt.Errorf("%w: a value of %d bytes", ErrCorrupt, len(b))
	}
	v.hasMember, v.score, v.tie = true, int64(binary.BigEndian.Uint64(b)^signBit), b[8:8+tieWidth:8+tieWidth]
	head, width := binary.Uvarint(b[8+tieWidth:])
	n := head >> 1
	if b = b[8+tieWidth:]; width <= 0 || n > uint64(len(b)-width) {
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
	return string(append(appendEntry(nil, v.score, v.tie), member...))
}

// decodeText reads a text of the sorted set. Error: ErrCorrupt.
func decodeText(text string, tieWidth int) (e zset.IntEntry, err error) {
	b := []byte(text)
	if len(b) < 8+tieWidth {
		return e, fmt.Errorf("%w: a text of %d bytes", ErrCorrupt, len(b))
	}
	e.Score, e.Tie, e.Member = int64(binary.BigEndian.Uint64(b)^signBit), b[8:8+tieWidth:8+tieWidth], b[8+tieWidth:]
	return e, nil
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
