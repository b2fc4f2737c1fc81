package rdb

import (
	"encoding/binary"
	"fmt"
)

const (
	zipmapLong  = 0xfe // a length of 4 bytes follows
	zipmapEnd   = 0xff
	zipmapCount = 0xfe // the least first byte that does not count the fields
)

// walkZipmap calls each with the fields of a zipmap, the hash of Redis before 2.6. Texts alias b.
//
//	+--------+---------------------------------------------------------------+----+
//	| fields | length, field, length of the value, unused bytes, value, unused | FF |
//	| 1 B    | ...                                                           |    |
//	+--------+---------------------------------------------------------------+----+
func walkZipmap(b []byte, each func(field, value []byte) error) (at int, err error) {
	if len(b) < 2 || b[len(b)-1] != zipmapEnd {
		return 0, fmt.Errorf("a zipmap of %d bytes with a wrong frame", len(b))
	}
	pos, n := 1, 0
	for b[pos] != zipmapEnd {
		field, next, ok := zipmapText(b, pos, 0)
		if !ok {
			return pos, fmt.Errorf("a zipmap whose field %d ends early", n)
		}
		value, next, ok := zipmapText(b, next, 1)
		if !ok {
			return pos, fmt.Errorf("a zipmap whose value %d ends early", n)
		}
		if err := each(field, value); err != nil {
			return pos, err
		}
		pos = next
		n++
	}
	if pos != len(b)-1 || b[0] < zipmapCount && int(b[0]) != n {
		return pos, fmt.Errorf("a zipmap of %d fields and %d bytes that claims to have %d and %d", n, pos+1, b[0], len(b))
	}
	return pos, nil
}

// zipmapText returns the text at a position and the position behind it. Between a length and a value, extra is 1, is a byte that counts the unused
// bytes behind it. ok is false if they reach the last byte.
func zipmapText(b []byte, pos, extra int) (text []byte, next int, ok bool) {
	end := len(b) - 1
	if pos >= end || b[pos] == zipmapEnd {
		return nil, 0, false
	}
	size, header := uint64(b[pos]), 1
	if size == zipmapLong {
		if end-pos < 5 {
			return nil, 0, false
		}
		size, header = uint64(binary.LittleEndian.Uint32(b[pos+1:])), 5
	}
	if pos+header+extra > end {
		return nil, 0, false
	}
	unused := 0
	if extra > 0 {
		unused = int(b[pos+header])
	}
	from := pos + header + extra
	if size > uint64(end-from) || unused > end-from-int(size) {
		return nil, 0, false
	}
	to := from + int(size)
	return b[from:to:to], to + unused, true
}
