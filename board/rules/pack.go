package rules

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"
)

const (
	signBit   = 1 << 63
	wordWidth = 8 // of a time, or of an arrival, in a tie
	// MaxTie is the width of the widest tie that Encode makes, in bytes.
	MaxTie = 40
	// maxWords is more than the number of words that columns and an incomplete last one take.
	maxWords = MaxTie/8 + 2
)

// More than plainColumns columns are packed: the codes of all columns follow each other bit by bit, the first column first, and fill words of
// 64 bits from the highest bit on. The last word is filled up with zeros. An int64 column with both bounds takes as many bits as
// its range needs, any other column 64. So the words order as the columns do.

// layOut decides how the columns are stored. Error: one that wraps ErrRules, if they do not fit.
func (r *Rules) layOut() error {
	if r.words = len(r.columns); len(r.columns) <= plainColumns {
		return nil
	}
	r.fields = make([]field, len(r.columns))
	total := 0
	for i := range r.columns {
		r.fields[i] = r.columns[i].field()
		total += int(r.fields[i].width)
	}
	r.words = max(1, (total+63)/64)
	most := 8 * (8 + MaxTie)
	if r.ties != ByMember {
		most -= 8 * 2 * wordWidth
	}
	if total > most {
		return fmt.Errorf("%w: %d columns take %d bits, want at most %d; an int64 column with min and max takes what its range needs, others 64: %s",
			ErrRules, len(r.columns), total, most, r.widest())
	}
	return nil
}

// widest lists the columns that take the most bits, at most five.
func (r *Rules) widest() string {
	order := make([]int, len(r.columns))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return int(r.fields[b].width) - int(r.fields[a].width) })
	var texts []string
	for _, i := range order[:min(5, len(order))] {
		texts = append(texts, fmt.Sprintf("%q takes %d", r.columns[i].Name, r.fields[i].width))
	}
	return strings.Join(texts, ", ")
}

// field returns how the column is stored if columns are packed.
func (c *Column) field() field {
	if c.Kind != Int64 || c.Min == nil || c.Max == nil {
		return field{width: 64}
	}
	most := c.Max.bits - c.Min.bits
	if c.Absent != "" && most < math.MaxUint64 {
		most++
	}
	f := field{width: uint8(bits.Len64(most)), kind: c.Min.kind, none: math.MaxUint64}
	if f.base = c.Min.bits - c.first(); c.Order == Desc {
		f.flip, f.base = math.MaxUint64, c.Max.bits+c.first()+1
	}
	if c.Absent != "" {
		f.none = c.absentCode(f.width)
	}
	return f
}

// absentCode returns the code of Absent in a column that may be absent: that before all others, or behind them.
func (c *Column) absentCode(width uint8) uint64 {
	switch {
	case c.Absent == AbsentFirst:
		return 0
	case width == 64:
		return math.MaxUint64
	}
	return c.Max.bits - c.Min.bits + 1
}

// first returns 1 if the code 0 is that of Absent, else 0.
func (c *Column) first() uint64 {
	if c.Absent == AbsentFirst {
		return 1
	}
	return 0
}

// isReserved reports whether the code of an int64 is that of Absent, in a column that may be absent.
func (c *Column) isReserved(v Value) bool {
	return c.Absent != "" && c.Kind == Int64 && !v.IsAbsent() && c.code(v) == c.absentCode(64)
}

// packed returns the code of a value in a packed column: the distance to the best value of its range, or the code of 64 bits.
func (f *field) packed(c *Column, v Value) uint64 {
	switch {
	case f.width == 64:
		return c.code(v)
	case v.IsAbsent():
		return f.none
	default:
		return (v.bits - f.base) ^ f.flip
	}
}

// unpacked is the inverse of packed.
func (f *field) unpacked(c *Column, code uint64) Value {
	switch {
	case f.width == 64:
		return c.decode(code)
	case code == f.none:
		return Absent
	default:
		return Value{f.base + (code ^ f.flip), f.kind}
	}
}

// word returns the first 8 bytes of a tie, and the rest.
func word(tie []byte) (uint64, []byte) {
	if len(tie) < 8 {
		return 0, nil
	}
	return binary.BigEndian.Uint64(tie), tie[8:]
}

// code returns 64 bits that sort as the column ranks, best first. Where higher is better it complements the bits: it cannot negate
// the value, since the least int64 has no negative.
func (c *Column) code(v Value) uint64 {
	if v.IsAbsent() {
		return c.absentCode(64)
	}
	bits := v.bits ^ signBit
	if v.IsFloat() && v.bits&signBit != 0 {
		bits = ^v.bits
	}
	if c.Order == Desc {
		return ^bits
	}
	return bits
}

// decode is the inverse of code.
func (c *Column) decode(code uint64) Value {
	if c.Absent != "" && code == c.absentCode(64) {
		return Absent
	}
	return c.decodeValue(code)
}

// decodeValue is decode of a value.
func (c *Column) decodeValue(code uint64) Value {
	if c.Order == Desc {
		code = ^code
	}
	if c.Kind == Int64 {
		return Value{code ^ signBit, uint8(c.Decimals)}
	}
	if code&signBit == 0 {
		return Float(math.Float64frombits(^code))
	}
	return Float(math.Float64frombits(code ^ signBit))
}

// pack is Prefix of packed columns.
func (r *Rules) pack(dst []byte, s Score) (score int64, tie []byte) {
	var w uint64
	begin, free := len(dst), uint8(64)
	for i := range r.fields {
		width := r.fields[i].width
		for code := r.fields[i].packed(&r.columns[i], s.At(i)); width > 0; {
			part := min(width, free)
			width, free = width-part, free-part
			if w |= code >> width & (1<<part - 1) << free; free == 0 {
				dst, w, free = binary.BigEndian.AppendUint64(dst, w), 0, 64
			}
		}
	}
	if free < 64 || len(dst) == begin {
		dst = binary.BigEndian.AppendUint64(dst, w)
	}
	score = int64(binary.BigEndian.Uint64(dst[begin:]) ^ signBit)
	return score, append(dst[:begin], dst[begin+8:]...)
}

// unpack is columnsOf of packed columns. It keeps the string that to has for the columns beyond plainColumns if they are the same.
func (r *Rules) unpack(to *Score, score int64, tie []byte) (times []byte) {
	words := [maxWords]uint64{uint64(score) ^ signBit}
	for i := 1; i < r.words; i++ {
		words[i], tie = word(tie)
	}
	var rest [restWidth * (MaxColumns - plainColumns)]byte
	at := 0
	for i := range r.fields {
		f := &r.fields[i]
		n, used := at/64, uint8(at%64)
		code := words[n] << used
		if free := 64 - used; f.width > free {
			code |= words[n+1] >> free
		}
		code >>= 64 - f.width
		v := Value{f.base + (code ^ f.flip), f.kind}
		if f.width == 64 || code == f.none {
			v = f.unpacked(&r.columns[i], code)
		}
		if at += int(f.width); i < plainColumns {
			to.bits[i], to.kinds[i] = v.bits, v.kind
		} else {
			v.put(rest[restWidth*(i-plainColumns):])
		}
	}
	to.n = uint8(len(r.fields))
	if b := rest[:restWidth*(len(r.fields)-plainColumns)]; to.rest != string(b) {
		to.rest = string(b)
	}
	return tie
}
