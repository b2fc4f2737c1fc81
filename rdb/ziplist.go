package rdb

import (
	"encoding/binary"
	"fmt"
)

// ziplist walks a ziplist from its first item.
//
//	+-------+-----------+-------+---------------------------------+----+
//	| bytes | last item | items | length of the item before, data | FF |
//	| 4 B   | 4 B       | 2 B   | ...                             |    |
//	+-------+-----------+-------+---------------------------------+----+
type ziplist struct {
	b      []byte
	pos    int
	count  int // what the header says
	walked int
	last   int // position of the item before pos
}

const (
	ziplistHeader = 10
	ziplistLong   = 0xfe // a length of 4 bytes follows
)

// newZiplist checks the frame of a ziplist.
func newZiplist(b []byte) (*ziplist, error) {
	if len(b) < ziplistHeader+1 || uint64(binary.LittleEndian.Uint32(b)) != uint64(len(b)) || b[len(b)-1] != packedEnd {
		return nil, fmt.Errorf("a ziplist of %d bytes with a wrong frame", len(b))
	}
	return &ziplist{b: b, pos: ziplistHeader, last: ziplistHeader, count: int(binary.LittleEndian.Uint16(b[8:]))}, nil
}

func (z *ziplist) at() int { return z.pos }

func (z *ziplist) next() (i item, ok bool, err error) {
	rest := z.b[z.pos : len(z.b)-1]
	if len(rest) == 0 {
		if z.count != unknownCount && z.count != z.walked {
			return i, false, fmt.Errorf("a ziplist of %d items that claims to have %d", z.walked, z.count)
		}
		if tail := binary.LittleEndian.Uint32(z.b[4:]); uint64(tail) != uint64(z.last) {
			return i, false, fmt.Errorf("a ziplist whose last item is at byte %d, and not at %d", z.last, tail)
		}
		return i, false, nil
	}
	before, width := uint64(rest[0]), 1
	if before == ziplistLong {
		if len(rest) < 5 {
			return i, false, fmt.Errorf("a ziplist whose item %d ends early", z.walked)
		}
		before, width = uint64(binary.LittleEndian.Uint32(rest[1:])), 5
	}
	if before != uint64(z.pos-z.last) {
		return i, false, fmt.Errorf("a ziplist whose item %d has a wrong length before it", z.walked)
	}
	i, n := item{}, 0
	if len(rest) > width {
		i, n = ziplistItem(rest[width:])
	}
	if n == 0 {
		return i, false, fmt.Errorf("a ziplist whose item %d is none", z.walked)
	}
	z.last = z.pos
	z.pos += width + n
	z.walked++
	return i, true, nil
}

// ziplistItem returns the item that b begins with, and the bytes of its encoding and data; 0: b has no whole item.
func ziplistItem(b []byte) (i item, n int) {
	c := b[0]
	switch {
	case c < 0x40:
		return textItem(b, 1, uint64(c))
	case c < 0x80 && len(b) >= 2:
		return textItem(b, 2, uint64(c&0x3f)<<8|uint64(b[1]))
	case c == 0x80 && len(b) >= 5:
		return textItem(b, 5, uint64(binary.BigEndian.Uint32(b[1:])))
	case c >= 0xf1 && c <= 0xfd:
		return item{number: int64(c&0xf) - 1}, 1
	}
	width := 0
	switch c {
	case 0xc0:
		width = 2
	case 0xd0:
		width = 4
	case 0xe0:
		width = 8
	case 0xf0:
		width = 3
	case 0xfe:
		width = 1
	}
	if width == 0 || len(b) <= width {
		return i, 0
	}
	return item{number: littleEndian(b[1 : 1+width])}, 1 + width
}
