package wire

import (
	"errors"
	"io"
)

// A Reader keeps the bytes that came and are not yet handed out in one piece of memory:
//
//	0        start            pos         end            len(mem)
//	+--------+----------------+-----------+--------------+
//	| done   | of the request | not yet   | room for     |
//	|        | that is read   | looked at | what comes   |
//	+--------+----------------+-----------+--------------+
//
// Fill makes room when little is left. Where at least a quarter is done it moves the rest to the front: that costs three
// bytes moved for each that was done with. Else it takes twice the memory. So n bytes cost O(n), however they are cut, and
// memory is at most some three times what really came and is not done with, whatever a client announces.

const (
	smallest = 16 << 10 // the memory of a reader that has nothing to read
	least    = 16       // the part of the memory that must be free: a sixteenth
)

// ErrFull is returned by Fill when a whole request must be there already: call Next first.
var ErrFull = errors.New("wire: a request is there and must be taken before more is read")

// Fill reads once, and waits as long as the source does. What Next returned before is not valid any more. It returns how
// many bytes came and the source's error. Errors of its own: ErrFull, io.ErrNoProgress.
func (r *Reader) Fill(src io.Reader) (n int, err error) {
	r.args = r.args[:0]
	if !r.room() {
		return 0, ErrFull
	}
	for range 100 {
		n, err = src.Read(r.mem[r.end:])
		r.end += n
		if n > 0 || err != nil {
			return n, err
		}
	}
	return 0, io.ErrNoProgress
}

// Buffered returns how many bytes have come and belong to no request that Next returned. O(1).
func (r *Reader) Buffered() int { return r.end - r.start }

// Held returns the bytes of memory that the reader holds. O(1).
func (r *Reader) Held() int { return cap(r.mem) + r.heldByWords() }

func (r *Reader) heldByWords() int { return cap(r.args)*sliceBytes + cap(r.spans)*spanBytes }

// Needs returns the bytes of memory that the reader will hold while the next Fill reads, if that is after all requests that
// have come in whole. O(1).
func (r *Reader) Needs() int {
	if r.start == r.end {
		return smallest + min(r.heldByWords(), 2*smallest)
	}
	return r.size() + r.heldByWords()
}

// size is how much memory there should be for what is there and for what comes.
func (r *Reader) size() int {
	switch free := len(r.mem) - r.end; {
	case r.start == r.end:
		return smallest
	case free > len(r.mem)/least, r.start >= len(r.mem)/4:
		return len(r.mem)
	}
	return max(len(r.mem), min(2*len(r.mem), r.most()))
}

// room makes sure that there is memory to read into, and gives back what is not needed any more.
func (r *Reader) room() bool {
	switch size := r.size(); {
	case r.start == r.end:
		r.rest()
	case size != len(r.mem):
		r.move(make([]byte, size))
	case len(r.mem)-r.end <= len(r.mem)/least && r.start > 0:
		r.move(r.mem)
	}
	return r.end < len(r.mem)
}

// most is the most memory a reader needs: that of the largest request, and of lines that are too long.
func (r *Reader) most() int { return max(r.limits.Request+2*r.limits.Inline+64, smallest) }

// move brings what is unread to the front of a piece of memory.
func (r *Reader) move(to []byte) {
	n := copy(to, r.mem[r.start:r.end])
	r.forget()
	r.mem, r.pos, r.scanned = to, r.pos-r.start, r.scanned-r.start
	r.start, r.end = 0, n
}

// rest is for a reader that has nothing to read: it may wait for a long time.
func (r *Reader) rest() {
	if len(r.mem) != smallest {
		r.forget()
		r.mem = make([]byte, smallest)
	}
	if cap(r.args)*sliceBytes > smallest {
		r.args = nil
	}
	if cap(r.spans)*spanBytes > smallest {
		r.spans = nil
	}
	r.start, r.pos, r.end, r.scanned = 0, 0, 0, 0
}

// forget lets go of the words that were handed out, which would keep the memory that they are part of.
func (r *Reader) forget() { clear(r.args[:cap(r.args)]) }
