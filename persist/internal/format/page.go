package format

import (
	"encoding/binary"
	"hash/crc32"

	"github.com/zrankdb/zrank/persist/internal/errs"
)

// A page is stored as the checksum of its key and bytes, u32, and the bytes.

// SealPage writes the stored form of a page into dst, which must be 4 bytes longer than the page, and returns the checksum.
func SealPage(dst, key, page []byte) uint32 {
	crc := sumOf(key, page)
	binary.BigEndian.PutUint32(dst, crc)
	copy(dst[4:], page)
	return crc
}

// OpenPage checks a stored page and returns its bytes and checksum.
func OpenPage(key, value []byte) (page []byte, crc uint32, err error) {
	if len(value) < 4 {
		return nil, 0, errs.Corruptf(0, "page of %d bytes", len(value))
	}
	crc, page = binary.BigEndian.Uint32(value), value[4:]
	if got := sumOf(key, page); got != crc {
		return nil, 0, errs.Corruptf(0, "page checksum is %08x, its bytes give %08x", crc, got)
	}
	return page, crc, nil
}

// AddSum adds a page's checksum to the checksum over all pages of a set of layout 1.
func AddSum(sum, crc uint32) uint32 {
	var b [4]byte
	binary.BigEndian.PutUint32(b[:], crc)
	return crc32.Update(sum, castagnoli, b[:])
}
