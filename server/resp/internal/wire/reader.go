package wire

import (
	"github.com/zrankdb/zrank/server/resp/internal/budget"
)

// A Reader parses requests as their bytes arrive: call Fill, and then Next until it returns no request. It is for one goroutine at a time.
type Reader struct {
	limits     Limits
	restricted bool

	mem             []byte // see buffer.go
	start, pos, end int
	scanned         int         // no end of line lies between pos and here
	begun           budget.List // the first bytes of the current request; its next byte is at start
	account         *budget.Account
	taken           int // bytes that account counts, beside the blocks of begun

	// The state of an unfinished request that begins with '*':
	words int    // number of words
	left  int    // words that have not arrived; 0: no request has begun
	bulk  int    // bytes of the next word, -1 if its length has not arrived
	spans []span // the words that have arrived, from start, if begun is empty

	args  [][]byte // all words returned since Fill, of all requests
	whole []byte   // memory of a request that was longer than mem
	err   error    // every later call returns it
}

// span is the place of a word, in bytes from the request's first. Requests are below 2 GiB.
type span struct{ from, to uint32 }

const (
	sliceBytes = 24 // of memory, for a word in args
	spanBytes  = 8
)

// NewReader returns a reader with limits. account counts its memory; nil: nothing does.
func NewReader(limits Limits, account *budget.Account) *Reader {
	return &Reader{limits: limits.withDefaults(), account: account, bulk: -1}
}

// Restrict sets the limits of unauthenticated clients, as Redis: from the next length on, requests of at most 10 words of at most 16,384 bytes.
func (r *Reader) Restrict(on bool) { r.restricted = on }
