package wire

import (
	"errors"

	"github.com/zrankdb/zrank/server/resp/internal/budget"
)

// A Writer with Bounds has its bytes in blocks, of which Buf is the last. The others are full, and an account counts them:
//
//	+--------------+--------------+-----------------+
//	| full, before | full, before | Buf, of block   |
//	+--------------+--------------+-----------------+
//
// So a reply is in memory once, its growth copies nothing, and it leaves no garbage.

var (
	// ErrTooLarge is the error of a reply that would be larger than Bounds.Reply.
	ErrTooLarge = errors.New("wire: the reply is too large")
	// ErrMemory is the error of a reply or a request whose memory the account cannot take.
	ErrMemory = errors.New("wire: no memory for the reply or the request")
)

// Begin begins a reply: all bytes until the next Begin belong to it.
func (w *Writer) Begin() {
	w.start = w.Len()
	w.setLimit()
}

// Len returns the bytes written. O(1).
func (w *Writer) Len() int { return w.before + len(w.Buf) }

// Over returns why the bytes since Truncate are cut off: ErrTooLarge, ErrMemory or an error of Bounds.Grow; nil: they are whole. After an error
// the Writer writes nothing until Truncate. O(1).
func (w *Writer) Over() error { return w.err }

// Truncate drops all but the first n bytes. n must not be more than Len.
func (w *Writer) Truncate(n int) {
	for n < w.before {
		w.block.Free()
		last := len(w.full) - 1
		w.block, w.full = w.full[last], w.full[:last]
		w.block.Uncharge()
		w.Buf = w.block.Bytes()
		w.before -= len(w.Buf)
	}
	w.Buf, w.err = w.Buf[:n-w.before], nil
	w.start = min(w.start, n)
	w.setLimit()
}

// Undo drops the current reply: the bytes since Begin.
func (w *Writer) Undo() { w.Truncate(w.start) }

// Expect announces n items of at least the given number of bytes each. It returns false if the reply would be too large. Then the Writer
// writes nothing more, so the caller need not compute the items. n may be any number.
func (w *Writer) Expect(n, bytes int) bool {
	if w.Bounds != nil && n > 0 && w.allows(bytes) && n > (w.start+w.Bounds.Reply-w.Len())/bytes {
		w.fail(ErrTooLarge)
	}
	return w.err == nil
}

// LeastBulk is the least number of bytes of a Bulk, LeastDouble that of a Double, in RESP3, where it is smaller.
const (
	LeastBulk   = len("$0\r\n\r\n")
	LeastDouble = len(",0\r\n")
)

// Detach returns the full blocks, which belong to the caller then. Buf belongs to the Writer until Reset.
func (w *Writer) Detach() []*budget.Block {
	full := w.full
	w.full, w.before, w.start = nil, 0, 0
	return full
}

// Reset drops all bytes, and holds no memory.
func (w *Writer) Reset() {
	for _, b := range w.full {
		b.Free()
	}
	if w.block != nil {
		w.block.Free()
	}
	w.Buf, w.blocks = nil, blocks{full: w.full[:0]}
}

// setLimit sets how many bytes Buf may have.
func (w *Writer) setLimit() {
	if w.Bounds != nil && w.block != nil {
		w.limit = min(budget.BlockSize, w.start+w.Bounds.Reply-w.before)
	}
}

// fits reports whether n more bytes may be appended to Buf, and makes space for them.
func (w *Writer) fits(n int) bool {
	return w.Bounds == nil || len(w.Buf)+n <= w.limit || n <= uncut && w.more(n)
}

// uncut is the longest text that is not split at the end of a block. So up to uncut bytes of a block may stay unused.
const uncut = 1 << 10

// allows reports whether the reply may have n more bytes.
func (w *Writer) allows(n int) bool {
	if w.err == nil && n > w.start+w.Bounds.Reply-w.Len() {
		w.fail(ErrTooLarge)
	}
	return w.err == nil
}

func (w *Writer) fail(err error) { w.err, w.limit = err, -1 }

// more begins another block, for n bytes.
func (w *Writer) more(n int) bool {
	if !w.allows(n) {
		return false
	}
	if w.block != nil {
		if w.Bounds.Grow != nil {
			if err := w.Bounds.Grow(w.Len() - w.start); err != nil {
				w.fail(err)
				return false
			}
		}
		if !w.block.Charge(w.Bounds.Account) {
			w.fail(ErrMemory)
			return false
		}
		w.block.Extend(len(w.Buf))
		w.full = append(w.full, w.block)
		w.before += len(w.Buf)
	}
	w.block = budget.NewBlock()
	w.Buf = w.block.Bytes()
	w.setLimit()
	return len(w.Buf)+n <= w.limit
}

// long writes a text that is split at the end of a block.
func long[T []byte | string](w *Writer, text T) {
	for len(text) > 0 && (len(w.Buf) < w.limit || w.more(1)) {
		n := min(len(text), w.limit-len(w.Buf))
		w.Buf = append(w.Buf, text[:n]...)
		text = text[n:]
	}
}
