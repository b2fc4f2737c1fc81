package resp

import (
	"encoding/binary"
	"fmt"
	"time"

	"github.com/zrankdb/zrank/server/resp/internal/wire"
)

// Strings and plain sets are here so that set operations can take plain sets, and sorted-set commands refuse what is none, as Redis
// does. Each is one private key of the engine and is written whole with every change: they are for a few small values.
//
//	+------+---------------------+------------------------------------------+
//	| kind | expiry, unix ms, BE | the string, or: uvarint length, member … |
//	| 1 B  | 8 B; 0: never       |                                          |
//	+------+---------------------+------------------------------------------+
//
// Two bits of the kind are marks of what Redis remembers of a value: see plainValue.

// kind says what a key holds.
type kind byte

const (
	none kind = iota
	aString
	aSet
)

const aSorted = aSet + 1 // a sorted set: no plain value

// typeNames are the kinds as TYPE calls them.
var typeNames = [...]string{none: "none", aString: "string", aSet: "set", aSorted: "zset"}

// plainValue is a plain value as it is stored.
type plainValue struct {
	kind    kind
	hashed  bool      // of a plain set: it once had a member that is no integer, or too many for an intset
	copied  bool      // of a string: COPY has made it
	expires time.Time // zero: never
	body    []byte
}

const (
	plainHeader = 1 + 8
	hashedBit   = 0x80 // of the kind, as the next
	copiedBit   = 0x40
)

func (v plainValue) encode() []byte {
	b := make([]byte, plainHeader, plainHeader+len(v.body))
	b[0] = byte(v.kind)
	if v.hashed {
		b[0] |= hashedBit
	}
	if v.copied {
		b[0] |= copiedBit
	}
	if !v.expires.IsZero() {
		binary.BigEndian.PutUint64(b[1:], uint64(v.expires.UnixMilli()))
	}
	return append(b, v.body...)
}

func decodePlain(b []byte) (v plainValue, err error) {
	if len(b) < plainHeader {
		return v, fmt.Errorf("resp: plain value of %d bytes that is none", len(b))
	}
	v.kind, v.hashed, v.copied = kind(b[0]&^(hashedBit|copiedBit)), b[0]&hashedBit != 0, b[0]&copiedBit != 0
	if v.kind != aSet && v.kind != aString || v.hashed && v.kind != aSet || v.copied && v.kind != aString {
		return plainValue{}, fmt.Errorf("resp: plain value of %d bytes that is none", len(b))
	}
	v.body = b[plainHeader:]
	if ms := binary.BigEndian.Uint64(b[1:]); ms != 0 {
		v.expires = time.UnixMilli(int64(ms))
	}
	return v, nil
}

// members returns the members of a plain set, in the order in which they were added. They alias the value. Bytes that are no member
// end the list.
func members(v plainValue) [][]byte {
	var list [][]byte
	for b := v.body; len(b) > 0; {
		n, width := binary.Uvarint(b)
		if width <= 0 || n > uint64(len(b)-width) {
			break
		}
		end := width + int(n)
		list, b = append(list, b[width:end:end]), b[end:]
	}
	return list
}

// setOf returns the value that a plain set with these members is stored as.
func setOf(list [][]byte) plainValue {
	v := plainValue{kind: aSet}
	for _, m := range list {
		v.body = append(binary.AppendUvarint(v.body, uint64(len(m))), m...)
	}
	return v
}

// intset returns the numbers that the members of a plain set are, and false if one of them is no integer.
func intset(list [][]byte) (numbers map[string]int64, ok bool) {
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
