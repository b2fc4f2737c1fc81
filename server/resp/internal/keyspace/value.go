package keyspace

import (
	"encoding/binary"
	"fmt"
	"time"

	"github.com/zrankdb/zrank/server/resp/internal/wire"
)

// A plain value is one private key of the engine, and is written whole with every change.
//
//	+------+---------------------+------------------------------------------+
//	| kind | expiry, unix ms, BE | the string, or: uvarint length, member … |
//	| 1 B  | 8 B; 0: never       |                                          |
//	+------+---------------------+------------------------------------------+
//
// Two bits of the kind are Plain.Hashed and Plain.Copied.

// Kind is the type of a key's value.
type Kind byte

// The kinds of values. The stored byte of a plain value is one of these.
const (
	None Kind = iota
	String
	PlainSet
	SortedSet // of the engine; never stored as a plain value
)

// TypeNames are the kinds as TYPE answers them.
var TypeNames = [...]string{None: "none", String: "string", PlainSet: "set", SortedSet: "zset"}

// Plain is a plain value as it is stored.
type Plain struct {
	Kind    Kind
	Hashed  bool      // of a plain set: it once had a member that is not an integer, or too many for an intset
	Copied  bool      // of a string: made by COPY
	Expires time.Time // zero: never
	Body    []byte
}

const (
	plainHeader = 1 + 8
	hashedBit   = 0x80 // of the kind, as the next
	copiedBit   = 0x40
)

// Encode returns the bytes that are stored.
func (v Plain) Encode() []byte {
	b := make([]byte, plainHeader, plainHeader+len(v.Body))
	b[0] = byte(v.Kind)
	if v.Hashed {
		b[0] |= hashedBit
	}
	if v.Copied {
		b[0] |= copiedBit
	}
	if !v.Expires.IsZero() {
		binary.BigEndian.PutUint64(b[1:], uint64(v.Expires.UnixMilli()))
	}
	return append(b, v.Body...)
}

// DecodePlain is the inverse of Encode. Its body aliases b.
func DecodePlain(b []byte) (v Plain, err error) {
	if len(b) < plainHeader {
		return v, fmt.Errorf("resp: plain value of %d bytes that is none", len(b))
	}
	v.Kind, v.Hashed, v.Copied = Kind(b[0]&^(hashedBit|copiedBit)), b[0]&hashedBit != 0, b[0]&copiedBit != 0
	if v.Kind != PlainSet && v.Kind != String || v.Hashed && v.Kind != PlainSet || v.Copied && v.Kind != String {
		return Plain{}, fmt.Errorf("resp: plain value of %d bytes that is none", len(b))
	}
	v.Body = b[plainHeader:]
	if ms := binary.BigEndian.Uint64(b[1:]); ms != 0 {
		v.Expires = time.UnixMilli(int64(ms))
	}
	return v, nil
}

// Members returns the members of a plain set, in the order in which they were added. They alias the value. Invalid bytes end the list.
func Members(v Plain) [][]byte {
	var list [][]byte
	for b := v.Body; len(b) > 0; {
		n, width := binary.Uvarint(b)
		if width <= 0 || n > uint64(len(b)-width) {
			break
		}
		end := width + int(n)
		list, b = append(list, b[width:end:end]), b[end:]
	}
	return list
}

// EncodeSet returns a plain set with these members.
func EncodeSet(list [][]byte) Plain {
	v := Plain{Kind: PlainSet}
	for _, m := range list {
		v.Body = append(binary.AppendUvarint(v.Body, uint64(len(m))), m...)
	}
	return v
}

// Integers returns the integers that the members of a plain set are; ok is false if one is not an integer.
func Integers(list [][]byte) (numbers map[string]int64, ok bool) {
	numbers = make(map[string]int64, len(list))
	for _, m := range list {
		n, ok := wire.ParseInt(m)
		if !ok {
			return nil, false
		}
		numbers[string(m)] = n
	}
	return numbers, true
}
