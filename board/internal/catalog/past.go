package catalog

import (
	"encoding/binary"
	"fmt"
	"slices"
)

// Moment is a moment in the history of a kind of groups: up to where the windows that boards of
// such groups follow took no results then.
type Moment []Through

// Through is the end of the last period of a window that took no results, in microseconds after
// 1970. Board is the number of the derived board: see Since.
type Through struct {
	Board  int64
	Window string
	End    int64
}

// Past is a period of a derived board, as a history of its kind knows it.
type Past struct {
	Board  int64
	Window string
	Middle int64 // see state.Slot.Middle
}

// IsAfter reports whether the period took no results any more at the moment. O(windows).
func (m Moment) IsAfter(p Past) bool {
	for _, t := range m {
		if t.Board == p.Board && t.Window == p.Window {
			return p.Middle < t.End
		}
	}
	return false
}

// Equal reports whether the same periods took results at both moments.
func (m Moment) Equal(other Moment) bool { return slices.Equal(m, other) }

// append appends the stored form:
//
//	count uvarint | for each: number of the board uvarint, length of the window uvarint, window, end varint
func (m Moment) append(b []byte) []byte {
	b = binary.AppendUvarint(b, uint64(len(m)))
	for _, t := range m {
		b = binary.AppendUvarint(b, uint64(t.Board))
		b = append(binary.AppendUvarint(b, uint64(len(t.Window))), t.Window...)
		b = binary.AppendVarint(b, t.End)
	}
	return b
}

// pastReader reads what a history stores. After bytes that cannot be read bad is true, and all else
// is zero.
type pastReader struct {
	b   []byte
	bad bool
}

func (r *pastReader) uvarint() uint64 {
	x, n := binary.Uvarint(r.b)
	if r.bad = r.bad || n <= 0; r.bad {
		return 0
	}
	r.b = r.b[n:]
	return x
}

func (r *pastReader) text() string {
	n := r.uvarint()
	if r.bad = r.bad || n > uint64(len(r.b)); r.bad {
		return ""
	}
	s := string(r.b[:n])
	r.b = r.b[n:]
	return s
}

func (r *pastReader) moment() (m Moment) {
	for n := r.uvarint(); n > 0 && !r.bad; n-- {
		t := Through{Board: int64(r.uvarint()), Window: r.text()}
		end, size := binary.Varint(r.b)
		if r.bad = r.bad || size <= 0; r.bad {
			return nil
		}
		t.End, r.b = end, r.b[size:]
		m = append(m, t)
	}
	return m
}

// err returns an error unless all could be read.
func (r *pastReader) err(what string, stored []byte) error {
	if r.bad || len(r.b) > 0 {
		return fmt.Errorf("board: stored %s of %d bytes cannot be read", what, len(stored))
	}
	return nil
}

// Stay is a group that a member was in until a moment.
type Stay struct {
	Group int64 // its number; 0: it was in none
	Until Moment
}

// Stays is the groups that a member has been in before the present one, in order.
type Stays []Stay

// In returns the number of the group that the member was in when a period closed; false if it is in
// that still. O(stays).
func (s Stays) In(p Past) (group int64, ok bool) {
	for _, x := range s {
		if x.Until.IsAfter(p) {
			return x.Group, true
		}
	}
	return 0, false
}

// Has reports whether the member has been in a group.
func (s Stays) Has(group int64) bool {
	return slices.ContainsFunc(s, func(x Stay) bool { return x.Group == group })
}

// Encode returns the stored form: for each the number of the group, and the moment.
func (s Stays) Encode() (b []byte) {
	for _, x := range s {
		b = x.Until.append(binary.AppendUvarint(b, uint64(x.Group)))
	}
	return b
}

// DecodeStays is the inverse of Encode.
func DecodeStays(stored []byte) (s Stays, err error) {
	r := pastReader{b: stored}
	for len(r.b) > 0 && !r.bad {
		s = append(s, Stay{Group: int64(r.uvarint()), Until: r.moment()})
	}
	return s, r.err("history of a member", stored)
}

// Dissolved is a group that has been dissolved.
type Dissolved struct {
	Name string
	At   Moment
}

// Encode returns the stored form: the length of the name, the name, and the moment.
func (d Dissolved) Encode() []byte {
	return d.At.append(append(binary.AppendUvarint(nil, uint64(len(d.Name))), d.Name...))
}

// DecodeDissolved is the inverse of Encode.
func DecodeDissolved(stored []byte) (Dissolved, error) {
	r := pastReader{b: stored}
	d := Dissolved{Name: r.text(), At: r.moment()}
	return d, r.err("dissolved group", stored)
}

// Since says from when on the history of its kind is known to a derived board. It does not change.
type Since struct {
	Number int64  // of the board among all that there have been of groups of the kind
	At     Moment // who was in which group is not known of the periods that took no results then
}

// Encode returns the stored form: the number, and the moment.
func (s Since) Encode() []byte { return s.At.append(binary.AppendUvarint(nil, uint64(s.Number))) }

// DecodeSince is the inverse of Encode.
func DecodeSince(stored []byte) (Since, error) {
	r := pastReader{b: stored}
	s := Since{Number: int64(r.uvarint()), At: r.moment()}
	return s, r.err("beginning of a history", stored)
}
