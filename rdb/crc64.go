package rdb

import "encoding/binary"

// checksum is the CRC64 of RDB files: the polynomial ad93d23594c935a9, bits reflected, 0 at the beginning and nothing at the end. hash/crc64 inverts
// both, and builds its fast tables anew in each call for a polynomial that is not its own.
func checksum(crc uint64, b []byte) uint64 {
	for len(b) >= 8 {
		crc ^= binary.LittleEndian.Uint64(b)
		crc = crcTables[7][byte(crc)] ^ crcTables[6][byte(crc>>8)] ^ crcTables[5][byte(crc>>16)] ^ crcTables[4][byte(crc>>24)] ^
			crcTables[3][byte(crc>>32)] ^ crcTables[2][byte(crc>>40)] ^ crcTables[1][byte(crc>>48)] ^ crcTables[0][crc>>56]
		b = b[8:]
	}
	for _, c := range b {
		crc = crcTables[0][byte(crc)^c] ^ crc>>8
	}
	return crc
}

// crcTables[k][c] is the checksum of the byte c and k zero bytes.
var crcTables = func() *[8][256]uint64 {
	const reflected = 0x95ac9329ac4bc9b5
	t := &[8][256]uint64{}
	for c := range t[0] {
		crc := uint64(c)
		for range 8 {
			crc = crc>>1 ^ reflected*(crc&1)
		}
		t[0][c] = crc
	}
	for k := 1; k < len(t); k++ {
		for c := range t[k] {
			t[k][c] = t[0][byte(t[k-1][c])] ^ t[k-1][c]>>8
		}
	}
	return t
}()
