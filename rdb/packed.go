package rdb

import (
	"encoding/binary"
	"fmt"
	"strconv"
)

// item is an element of a listpack or a ziplist: a text, or a number.
type item struct {
	text   []byte
	number int64
	isText bool
}

// bytes returns the text of an item. The text of a number is written to buf, which has 20 bytes.
func (i item) bytes(buf []byte) []byte {
	if i.isText {
		return i.text
	}
	return strconv.AppendInt(buf[:0], i.number, 10)
}

// walker walks the items of a listpack or a ziplist.
type walker interface {
	// next returns the next item; ok is false after the last. The error has no offset. Texts alias the blob.
	next() (i item, ok bool, err error)
	// at is the position in the blob of what next reads.
	at() int
}

// listpack walks a listpack from its first item.
//
//	+-------+-------+-----------------------------+----+
//	| bytes | items | encoding, data, back length | FF |
//	| 4 B   | 2 B   | ...                         |    |
//	+-------+-------+-----------------------------+----+
type listpack struct {
	b      []byte
	pos    int
	count  int // what the header says
	walked int
}

const (
	listpackHeader = 6
	packedEnd      = 0xff
	unknownCount   = 0xffff // items in the header of a listpack or ziplist that has more
)

// newListpack checks the frame of a listpack.
func newListpack(b []byte) (*listpack, error) {
	if len(b) < listpackHeader+1 || uint64(binary.LittleEndian.Uint32(b)) != uint64(len(b)) || b[len(b)-1] != packedEnd {
		return nil, fmt.Errorf("a listpack of %d bytes with a wrong frame", len(b))
	}
	return &listpack{b: b, pos: listpackHeader, count: int(binary.LittleEndian.Uint16(b[4:]))}, nil
}

func (l *listpack) at() int { return l.pos }

func (l *listpack) next() (i item, ok bool, err error) {
	rest := l.b[l.pos : len(l.b)-1]
	if len(rest) == 0 {
		if l.count != unknownCount && l.count != l.walked {
			return i, false, fmt.Errorf("a listpack of %d items that claims to have %d", l.walked, l.count)
		}
		return i, false, nil
	}
	i, n := listpackItem(rest)
	if n == 0 {
		return i, false, fmt.Errorf("a listpack whose item %d begins with the byte %#x", l.walked, rest[0])
	}
	back := listpackBack(rest[n:], n)
	if back == 0 {
		return i, false, fmt.Errorf("a listpack whose item %d has a wrong length behind it", l.walked)
	}
	l.pos += n + back
	l.walked++
	return i, true, nil
}

// listpackItem returns the first item of b and the bytes of its encoding and data; 0: b has no whole item.
func listpackItem(b []byte) (i item, n int) {
	c := b[0]
	switch {
	case c < 0x80:
		return item{number: int64(c)}, 1
	case c < 0xc0:
		return textItem(b, 1, uint64(c&0x3f))
	case c < 0xe0 && len(b) >= 2:
		return item{number: (int64(c&0x1f)<<8 | int64(b[1])) << 51 >> 51}, 2
	case c < 0xf0 && c >= 0xe0 && len(b) >= 2:
		return textItem(b, 2, uint64(c&0xf)<<8|uint64(b[1]))
	case c == 0xf0 && len(b) >= 5:
		return textItem(b, 5, uint64(binary.LittleEndian.Uint32(b[1:])))
	case c >= 0xf1 && c <= 0xf4:
		width := [...]int{2, 3, 4, 8}[c-0xf1]
		if len(b) > width {
			return item{number: littleEndian(b[1 : 1+width])}, 1 + width
		}
	}
	return i, 0
}

// textItem returns a text of size bytes behind a header, and the bytes of both; 0: b is shorter.
func textItem(b []byte, header int, size uint64) (i item, n int) {
	if size > uint64(len(b)-header) {
		return i, 0
	}
	n = header + int(size)
	return item{text: b[header:n:n], isText: true}, n
}

// littleEndian returns the signed integer of at most 8 bytes.
func littleEndian(b []byte) int64 {
	var n uint64
	for i, c := range b {
		n |= uint64(c) << (8 * i)
	}
	unused := 64 - 8*len(b)
	return int64(n<<unused) >> unused
}

// listpackBack returns the bytes of the back length of an item of n bytes, with which b begins; 0: it does not. Redis before 8.8 writes the lengths that
// just fit into 2, 3 or 4 bytes with one byte more.
func listpackBack(b []byte, n int) int {
	width := backWidth(n)
	for w := width; w <= width+1 && w <= len(b); w++ {
		v := int(b[0])
		marked := v < 0x80
		for _, c := range b[1:w] {
			v = v<<7 | int(c&0x7f)
			marked = marked && c >= 0x80
		}
		if marked && v == n && (w == width || tightBack(n)) {
			return w
		}
	}
	return 0
}

// backWidth returns the bytes that the back length of an item of n bytes needs.
func backWidth(n int) int {
	width := 1
	for n >>= 7; n > 0; n >>= 7 {
		width++
	}
	return width
}

// tightBack reports whether a back length just fits, so that Redis writes it with one byte more.
func tightBack(n int) bool { return n == 1<<14-1 || n == 1<<21-1 || n == 1<<28-1 }
