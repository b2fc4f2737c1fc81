package rdb

import "slices"

// An LZF text is a list of pieces. The first three bits of a piece are the length of a copy, or 0 for bytes as they are:
//
//	000nnnnn                     n + 1 bytes follow
//	nnnooooo oooooooo            copy n + 2 bytes from o + 1 bytes back
//	111ooooo nnnnnnnn oooooooo   copy n + 9 bytes from o + 1 bytes back
const (
	lzfMaxRun    = 1 << 5
	lzfMaxBack   = 1 << 13
	lzfMaxCopy   = 1<<8 + 1<<3
	lzfMaxGrowth = lzfMaxCopy / 3 // a text grows by this factor at most
)

// appendLZF appends what the LZF text src stands for to dst, size bytes. ok is false if src is not such a text; then what is appended is at
// most size bytes. It allocates size bytes, once: the caller has checked them.
func appendLZF(dst, src []byte, size int) (out []byte, ok bool) {
	begin := len(dst)
	dst = slices.Grow(dst, size)
	for i := 0; i < len(src); {
		n := int(src[i] >> 5)
		if n == 0 {
			n = int(src[i]) + 1
			i++
			if n > len(src)-i || n > size-(len(dst)-begin) {
				return dst, false
			}
			dst = append(dst, src[i:i+n]...)
			i += n
			continue
		}
		back := int(src[i]&0x1f) << 8
		i++
		if n == 7 {
			if i == len(src) {
				return dst, false
			}
			n += int(src[i])
			i++
		}
		if i == len(src) {
			return dst, false
		}
		back += int(src[i]) + 1
		i++
		n += 2
		if back > len(dst)-begin || n > size-(len(dst)-begin) {
			return dst, false
		}
		dst = appendCopy(dst, back, n)
	}
	return dst, len(dst)-begin == size
}

// appendCopy appends n bytes from back bytes before the end. They may overlap the end.
func appendCopy(dst []byte, back, n int) []byte {
	for n > 0 {
		from := len(dst) - back
		piece := min(n, back)
		dst = append(dst, dst[from:from+piece]...)
		n -= piece
	}
	return dst
}
