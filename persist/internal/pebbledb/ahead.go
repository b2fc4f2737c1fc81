package pebbledb

import (
	"fmt"

	"github.com/cockroachdb/pebble/v2"

	"github.com/zrankdb/zrank/internal/invariants"
	"github.com/zrankdb/zrank/persist/internal/errs"
	"github.com/zrankdb/zrank/persist/internal/storedir"
	"github.com/zrankdb/zrank/persist/wal"
)

// A store opens as fast as it reads its records: Pebble decompresses and merges them, and the caller decodes them. So ScanAhead reads ahead: another
// goroutine moves the iterator, and copies keys and values into chunks, while the caller works on the chunk before.
const (
	aheadBytes = 32 << 10 // of a chunk, about
	aheadMost  = 2        // chunks that wait for the caller
)

// aheadAfter is how many pairs ScanAhead reads before it reads ahead: most scans are short. Builds that check invariants read ahead at once.
var aheadAfter = map[bool]int{false: 256, true: 1}[invariants.Enabled]

// chunk has adjacent keys and their values.
type chunk struct {
	pairs []pair
	bytes []byte // the keys and values, one after the other
}

// pair is where a key and its value end in a chunk.
type pair struct{ key, value int }

// ahead reads ahead with an iterator.
type ahead struct {
	it   *pebble.Iterator
	name func() string // of the range, for errors
	full chan chunk    // closed after the last chunk
	used chan chunk    // chunks to be filled again
	stop chan struct{} // closed when the caller wants no more
	err  error         // valid once full is closed
}

// readAhead calls fn with the pair of the iterator and those after it, until fn returns false or an error. When it returns, no other goroutine
// uses the iterator.
func readAhead(it *pebble.Iterator, name func() string, fn func(key, value []byte) (bool, error)) error {
	a := &ahead{it: it, name: name, full: make(chan chunk, aheadMost), used: make(chan chunk, aheadMost+2), stop: make(chan struct{})}
	go a.run()
	defer func() {
		close(a.stop)
		for range a.full {
		}
	}()
	for c := range a.full {
		at := 0
		for _, p := range c.pairs {
			if more, err := fn(c.bytes[at:p.key:p.key], c.bytes[p.key:p.value:p.value]); err != nil || !more {
				return err
			}
			at = p.value
		}
		a.used <- c
	}
	return a.err
}

// run fills chunks until the end, an error, or stop. Pebble may end the goroutine, or panic in it.
func (a *ahead) run() {
	defer close(a.full)
	a.err = errs.ErrPersistence // if Fatalf ends the goroutine
	defer func() {
		if r := recover(); r != nil { // Pebble panics at some damaged bytes
			a.err = &wal.CorruptError{Key: storedir.DBName, Reason: fmt.Sprintf("panic while reading: %v", r)}
		}
	}()
	var err error
	for err == nil && a.it.Valid() {
		var c chunk
		if c, err = a.fill(); len(c.pairs) == 0 {
			continue
		}
		select {
		case a.full <- c:
		case <-a.stop:
			a.err = nil
			return
		}
	}
	a.err = err
}

// fill returns the next chunk. With an error it has the pairs before it.
func (a *ahead) fill() (c chunk, err error) {
	select {
	case c = <-a.used:
		c.pairs, c.bytes = c.pairs[:0], c.bytes[:0]
	default:
		c.bytes = make([]byte, 0, aheadBytes+aheadBytes/4)
	}
	for ; a.it.Valid() && len(c.bytes) < aheadBytes; a.it.Next() {
		v, err := a.it.ValueAndErr()
		if err != nil {
			return c, errs.ReadError(err, a.name)
		}
		c.bytes = append(c.bytes, a.it.Key()...)
		key := len(c.bytes)
		c.bytes = append(c.bytes, v...)
		c.pairs = append(c.pairs, pair{key, len(c.bytes)})
	}
	return c, nil
}
