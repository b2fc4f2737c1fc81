package wire

import (
	"bytes"
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
// Fill makes room when little is left. Where at least a quarter is done it moves the rest to the front: that costs three bytes moved for
// each that was done with. Else, if at least a quarter is of a request with a count of words, the words and parts of a word that have come
// are stored in blocks, the list begun, so that a large request takes the memory of the bytes that have come and no more. Else a line is
// long, or Next was not called, and the piece of memory is doubled. When the request has come to its end, Next makes it whole in memory of its size. So n bytes
// cost O(n), however they are cut.

const (
	smallest = 16 << 10 // the memory of a reader that has nothing to read
	least    = 16       // the part of the memory that must be free: a sixteenth
)

// ErrFull is returned by Fill when a whole request must be there already: call Next first.
var ErrFull = errors.New("wire: a request is there and must be taken before more is read")

// Fill reads once, and waits as long as the source does. What Next returned before is not valid any more. It returns how
// many bytes came and the source's error. Errors of its own: ErrFull, ErrMemory, io.ErrNoProgress.
func (r *Reader) Fill(src io.Reader) (n int, err error) {
	r.args = r.args[:0]
	if r.whole != nil {
		r.forget()
		r.whole = nil
	}
	if err := r.room(); err != nil {
		return 0, err
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

// Free gives up all memory. The reader is of no use any more.
func (r *Reader) Free() {
	r.begun.Free()
	r.account.Give(r.taken)
	*r = Reader{err: ErrMemory}
}

// Buffered returns how many bytes have come and belong to no request that Next returned. O(1).
func (r *Reader) Buffered() int { return r.begun.Len() + r.end - r.start }

// Held returns the bytes of memory that the reader holds beside blocks. O(1).
func (r *Reader) Held() int {
	return cap(r.mem) + cap(r.whole) + cap(r.args)*sliceBytes + cap(r.spans)*spanBytes
}

// take makes the account count bytes more than what is held. It waits: the reader's owner holds no lock meanwhile.
func (r *Reader) take(more int) error {
	if n := r.Held() + more - r.taken; n > 0 {
		if !r.account.TakeWait(n) {
			return ErrMemory
		}
		r.taken += n
	}
	return nil
}

// settle makes the account count what is held.
func (r *Reader) settle() error {
	if n := r.taken - r.Held(); n > 0 {
		r.account.Give(n)
		r.taken -= n
	}
	return r.take(0)
}

// room makes sure that there is memory to read into, and gives back what is not needed any more.
func (r *Reader) room() (err error) {
	switch free := len(r.mem) - r.end; {
	case r.start == r.end:
		err = r.rest()
	case free > len(r.mem)/least:
	case r.start >= len(r.mem)/4:
		r.move(r.mem)
	case r.storable() >= len(r.mem)/4:
		err = r.store()
	default:
		if size := max(len(r.mem), min(2*len(r.mem), r.most())); size > len(r.mem) {
			if err = r.take(size); err == nil {
				r.move(make([]byte, size))
			}
		} else if r.start > 0 {
			r.move(r.mem)
		}
	}
	if err == nil {
		err = r.settle()
	}
	if err == nil && r.end == len(r.mem) {
		err = ErrFull
	}
	return err
}

// most is the most memory a reader needs beside blocks: that of the largest request, and of lines that are too long. Only requests that
// nobody has taken with Next make it so large.
func (r *Reader) most() int { return max(r.limits.Request+2*r.limits.Inline+64, smallest) }

// move brings what is unread to the front of a piece of memory.
func (r *Reader) move(to []byte) {
	n := copy(to, r.mem[r.start:r.end])
	r.forget()
	r.mem, r.pos, r.scanned = to, r.pos-r.start, r.scanned-r.start
	r.start, r.end = 0, n
}

// storable returns how many bytes from start on may be stored in begun: those of words that have come, and of the one that comes.
func (r *Reader) storable() int {
	switch {
	case r.left == 0:
		return 0
	case r.bulk >= 0:
		return min(r.end, r.pos+r.bulk) - r.start
	}
	return r.pos - r.start
}

// store moves what is storable to begun. A word that was stored in part counts as one of the rest of its bytes.
func (r *Reader) store() error {
	to := r.start + r.storable()
	if rest := r.begun.Append(r.mem[r.start:to], r.account, true); len(rest) > 0 {
		return ErrMemory
	}
	if r.bulk >= 0 {
		r.bulk -= to - r.pos
		r.pos, r.scanned = to, to
	}
	r.start, r.spans = to, nil
	r.move(r.mem)
	return nil
}

// join makes the request whole of which begun has the first bytes, and appends its words to args. The request does not count twice: its
// blocks are free for others as soon as they are copied.
func (r *Reader) join() error {
	size := r.begun.Len() + r.pos - r.start
	if err := r.take(size + r.words*sliceBytes - r.begun.Held()); err != nil {
		return err
	}
	if cap(r.args)-len(r.args) < r.words {
		r.args = append(make([][]byte, 0, len(r.args)+r.words), r.args...)
	}
	r.whole = make([]byte, 0, size)
	for b := r.begun.Pop(); b != nil; b = r.begun.Pop() {
		r.whole = append(r.whole, b.Bytes()...)
		r.taken += b.Release()
	}
	r.whole = append(r.whole, r.mem[r.start:r.pos]...)
	at := bytes.IndexByte(r.whole, '\r') + 2
	for range r.words {
		from := at + bytes.IndexByte(r.whole[at:], '\r')
		n, _ := ParseInt(r.whole[at+1 : from]) // it was read when it came
		from += 2
		at = from + int(n)
		r.args = append(r.args, r.whole[from:at:at])
		at += 2
	}
	return r.settle()
}

// rest is for a reader that has nothing to read: it may wait for a long time.
func (r *Reader) rest() error {
	if len(r.mem) != smallest {
		r.forget()
		r.mem = nil
		if err := r.take(smallest); err != nil {
			return err
		}
		r.mem = make([]byte, smallest)
	}
	if cap(r.args)*sliceBytes > smallest {
		r.args = nil
	}
	if cap(r.spans)*spanBytes > smallest {
		r.spans = nil
	}
	r.start, r.pos, r.end, r.scanned = 0, 0, 0, 0
	return nil
}

// forget lets go of the words that were handed out, which would keep the memory that they are part of.
func (r *Reader) forget() { clear(r.args[:cap(r.args)]) }
