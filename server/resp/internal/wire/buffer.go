package wire

import (
	"bytes"
	"errors"
	"io"
)

// A Reader keeps the bytes that have arrived and that Next has not returned in one piece of memory:
//
//	0        start            pos         end            len(mem)
//	+--------+----------------+-----------+--------------+
//	| done   | parsed part of | not yet   | free         |
//	|        | the request    | parsed    |              |
//	+--------+----------------+-----------+--------------+
//
// Fill makes space when little is free:
//
//   - If at least a quarter of the memory is done, it moves the rest to the front. So at most three bytes move for each byte that is done.
//   - Otherwise, if at least a quarter belongs to an unfinished array of words, it moves these words to blocks, the list begun. So a large
//     request takes memory only for the bytes that have arrived. When the request is whole, Next joins it in memory of its size.
//   - Otherwise a line is long, or Next was not called, and it doubles the memory.
//
// So n bytes cost O(n), however they arrive.

const (
	smallest = 16 << 10 // the memory of a reader without unread bytes
	least    = 16       // Fill needs 1/least of the memory free
)

// ErrFull is returned by Fill when its memory has the largest size and is full, so that a whole request has arrived: call Next first.
var ErrFull = errors.New("wire: a request is there and must be taken before more is read")

// Fill reads once from src, and waits as long as src does. It invalidates all words that Next has returned. It returns the number of bytes and
// the error of src. Other errors: ErrFull, ErrMemory, io.ErrNoProgress.
func (r *Reader) Fill(src io.Reader) (n int, err error) {
	r.args = r.args[:0]
	if r.whole != nil {
		r.forget()
		r.whole = nil
	}
	if err := r.ensureFree(); err != nil {
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

// Free frees all memory. The reader must not be used afterwards.
func (r *Reader) Free() {
	r.begun.Free()
	r.account.Give(r.taken)
	*r = Reader{err: ErrMemory}
}

// Buffered returns how many bytes have arrived that belong to no request that Next has returned. O(1).
func (r *Reader) Buffered() int { return r.begun.Len() + r.end - r.start }

// Held returns the bytes of memory that the reader holds beside blocks. O(1).
func (r *Reader) Held() int {
	return cap(r.mem) + cap(r.whole) + cap(r.args)*sliceBytes + cap(r.spans)*spanBytes
}

// take makes the account count the memory that the reader holds and more bytes. It may wait: the reader's owner holds no lock.
func (r *Reader) take(more int) error {
	if n := r.Held() + more - r.taken; n > 0 {
		if !r.account.TakeWait(n) {
			return ErrMemory
		}
		r.taken += n
	}
	return nil
}

// recount makes the account count exactly the memory that the reader holds.
func (r *Reader) recount() error {
	if n := r.taken - r.Held(); n > 0 {
		r.account.Give(n)
		r.taken -= n
	}
	return r.take(0)
}

// ensureFree makes space to read into, and frees memory that is not needed.
func (r *Reader) ensureFree() (err error) {
	switch free := len(r.mem) - r.end; {
	case r.start == r.end:
		err = r.shrink()
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
		err = r.recount()
	}
	if err == nil && r.end == len(r.mem) {
		err = ErrFull
	}
	return err
}

// most is the largest memory of a reader beside blocks. It has space for the largest request, and for lines that are too long. Only a reader
// whose owner does not call Next needs that much.
func (r *Reader) most() int { return max(r.limits.Request+2*r.limits.Inline+64, smallest) }

// move moves the unread bytes to the front of a piece of memory.
func (r *Reader) move(to []byte) {
	n := copy(to, r.mem[r.start:r.end])
	r.forget()
	r.mem, r.pos, r.scanned = to, r.pos-r.start, r.scanned-r.start
	r.start, r.end = 0, n
}

// storable returns how many bytes from start on may move to begun: those of words that have arrived, whole or in part.
func (r *Reader) storable() int {
	switch {
	case r.left == 0:
		return 0
	case r.bulk >= 0:
		return min(r.end, r.pos+r.bulk) - r.start
	}
	return r.pos - r.start
}

// store moves the storable bytes to begun. The rest of a word that is stored in part counts as a word.
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

// join copies a request whose first bytes are in begun into one piece of memory, and appends its words to args. It frees each block as soon as
// it is copied, so that the request does not count twice.
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
		n, _ := ParseInt(r.whole[at+1 : from]) // it was valid when it arrived
		from += 2
		at = from + int(n)
		r.args = append(r.args, r.whole[from:at:at])
		at += 2
	}
	return r.recount()
}

// shrink reduces the memory of a reader without unread bytes to smallest: its client may send nothing for a long time.
func (r *Reader) shrink() error {
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

// forget drops the words that Next has returned, which would keep their memory alive.
func (r *Reader) forget() { clear(r.args[:cap(r.args)]) }
