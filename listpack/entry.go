package listpack

import "encoding/binary"

// The functions here read and write parts of one entry without checks. verify.go has the reader for untrusted bytes.

const (
	// longLen is the shortest length that does not fit a length byte, and what that byte says then.
	longLen = 0xff
	// sideSize is the size of the length on either side of a long text.
	sideSize = 4
)

// stride returns the size of a row.
func (l *List) stride() int { return keySize + int(l.tieWidth) }

// key returns the key of an entry. A slice with constant length and capacity costs only a bounds check. For order[at:] the compiler
// adds code that keeps an empty slice from pointing behind the block.
func (l *List) key(rank int) uint64 {
	at := rank * l.stride()
	return binary.BigEndian.Uint64(l.order[at : at+keySize : at+keySize])
}

// row returns the key and the tie of an entry. It panics if rank is Len, so that using End as the place of an entry panics.
func (l *List) row(rank int) (key uint64, tie []byte) {
	at, end := rank*l.stride()+keySize, (rank+1)*l.stride()
	return l.key(rank), l.order[at:end:end]
}

// lengths returns the length bytes, the last entry's first.
func (l *List) lengths() []byte {
	end := cap(l.texts)
	return l.texts[end-int(l.n) : end]
}

// length returns the length byte of an entry.
func (l *List) length(rank int) int {
	end := cap(l.texts)
	return int(l.texts[:end][end-1-rank])
}

// member returns the member of an entry whose text begins at offset at, and the offset of the next text.
func (l *List) member(rank, at int) (member []byte, next int) {
	n := l.length(rank)
	if n == longLen {
		return l.longMember(at)
	}
	return l.texts[at : at+n : at+n], at + n
}

func (l *List) longMember(at int) (member []byte, next int) {
	from := at + sideSize
	end := from + int(binary.LittleEndian.Uint32(l.texts[at:]))
	return l.texts[from:end:end], end + sideSize
}

// longBefore returns the offset of the long text that ends at offset at.
func (l *List) longBefore(at int) int {
	return at - 2*sideSize - int(binary.LittleEndian.Uint32(l.texts[at-sideSize:]))
}

// textSize returns the size of the text of a member of n bytes.
func textSize(n int) int {
	if n < longLen {
		return n
	}
	return n + 2*sideSize
}

// setRow writes the row of an entry.
func (l *List) setRow(rank int, key uint64, tie []byte) {
	row := l.order[rank*l.stride():]
	binary.BigEndian.PutUint64(row, key)
	copy(row[keySize:l.stride()], tie)
}

// putText writes a text into dst, which has exactly its size, and returns its length byte.
func putText(dst, member []byte) byte {
	n := len(member)
	if n < longLen {
		copy(dst, member)
		return byte(n)
	}
	binary.LittleEndian.PutUint32(dst, uint32(n))
	copy(dst[sideSize:], member)
	binary.LittleEndian.PutUint32(dst[sideSize+n:], uint32(n))
	return longLen
}
