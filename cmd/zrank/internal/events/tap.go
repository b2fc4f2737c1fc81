package events

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"hash"
	"io"
)

// maxRow bounds the memory one row can take.
const maxRow = 16 << 20

// errRowTooLong is the error of a tap when a row does not end within maxRow.
var errRowTooLong = errors.New("events: row too long")

// tap is a reader between the text and the CSV reader. It digests the rows that were consumed, byte for byte. The CSV reader reads
// ahead of the row that it returns, so a tap keeps what it handed out until Input says where the row ends:
//
//	text    |  digested  |  rest of consumed rows  |  rows ahead  |  row in hand  |  not read yet
//	        0          base                      taken          row       base+len(pending)
//
// The line end of the last consumed row stays outside the digest. So a last row without one keeps its digest when a line
// end and further rows are appended.
type tap struct {
	src     io.Reader
	sum     hash.Hash
	pending []byte // handed out, not digested; starts at base
	base    int64
	taken   int64 // where the last consumed row ends, set by Input
	row     int64 // where the row begins that is being read, set by Input
	err     error // the error of src; it stays
}

func newTap(src io.Reader) *tap { return &tap{src: src, sum: sha256.New()} }

// Read hands out text. It fails when the row in hand exceeds maxRow.
func (t *tap) Read(p []byte) (int, error) {
	if t.err != nil {
		return 0, t.err
	}
	t.digest()
	if t.base+int64(len(t.pending))-t.row > maxRow {
		t.err = errRowTooLong
		return 0, t.err
	}
	n, err := t.src.Read(p)
	t.pending = append(t.pending, p[:n]...)
	t.err = err
	return n, err
}

// digest adds the consumed rows but the last line end to the digest, and drops them from pending.
func (t *tap) digest() {
	rows := trimLineEnd(t.pending[:t.taken-t.base])
	if len(rows) == 0 {
		return
	}
	t.sum.Write(rows)
	t.base += int64(len(rows))
	t.pending = t.pending[len(rows):]
}

// held returns the number of bytes that were handed out and not consumed.
func (t *tap) held() int64 { return t.base + int64(len(t.pending)) - t.taken }

// digested returns the digest of everything consumed so far.
func (t *tap) digested() [sha256.Size]byte {
	t.digest()
	var sum [sha256.Size]byte
	t.sum.Sum(sum[:0])
	return sum
}

// brokenAt reports whether the text failed, rather than ended, exactly at offset: a row that ends there may be incomplete.
func (t *tap) brokenAt(offset int64) bool {
	return t.err != nil && t.err != io.EOF && offset == t.base+int64(len(t.pending))
}

func trimLineEnd(b []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimSuffix(b, []byte("\n")), []byte("\r"))
}
