package flow

import "sync"

// pieceBytes is how much is written at a time, and how much memory is taken at a time.
const pieceBytes = 32 << 10

// A piece holds bytes that wait, in a list.
type piece struct {
	next     *piece
	from, to int // what waits
	mem      [pieceBytes]byte
}

// pieces are kept when they are written: those that wait are few, and come and go quickly, but with a slow client.
var pieces = sync.Pool{New: func() any { return new(piece) }}

// A queue is the bytes that wait, in pieces, each of which its account took.
type queue struct {
	account     *Account
	first, last *piece
	waiting     int
}

// add appends as much of b as the account may take, and returns the rest.
func (q *queue) add(b []byte) (rest []byte) {
	for len(b) > 0 {
		if q.last == nil || q.last.to == pieceBytes {
			if !q.account.Take(pieceBytes) {
				return b
			}
			q.append(pieces.Get().(*piece))
		}
		n := copy(q.last.mem[q.last.to:], b)
		q.last.to += n
		q.waiting += n
		b = b[n:]
	}
	return nil
}

func (q *queue) append(p *piece) {
	p.next, p.from, p.to = nil, 0, 0
	if q.last == nil {
		q.first = p
	} else {
		q.last.next = p
	}
	q.last = p
}

// take removes the first piece, nil if nothing waits. Its bytes still count as waiting.
func (q *queue) take() *piece {
	p := q.first
	if p == nil {
		return nil
	}
	if q.first = p.next; q.first == nil {
		q.last = nil
	}
	return p
}

// give is for a piece that was taken and is not needed any more.
func (q *queue) give(p *piece) {
	q.waiting -= p.to - p.from
	q.account.Give(pieceBytes)
	pieces.Put(p)
}
