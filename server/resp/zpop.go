package resp

import (
	"bytes"
	"math"
	"time"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/server/resp/internal/wire"
)

// Commands that take entries from either end of a set. The reply is written before the set is changed, so that nothing is copied.

const (
	errNumKeys         = refusal("ERR numkeys should be greater than 0")
	errCount           = refusal("ERR count should be greater than 0")
	errTimeout         = refusal("ERR timeout is not a float or out of range")
	errTimeoutNegative = refusal("ERR timeout is negative")
)

func zpopmin(t *txn, a [][]byte) error { return popEnd(t, a, false) }
func zpopmax(t *txn, a [][]byte) error { return popEnd(t, a, true) }

func popEnd(t *txn, a [][]byte, highest bool) error {
	if len(a) > 3 {
		return errSyntax
	}
	n, as := 1, flatScores
	if len(a) == 3 {
		var err error
		if n, err = parseFrom(0, a[2], errPositive); err != nil {
			return err
		}
		as = withScores
	}
	s, err := t.change(a[1])
	if err != nil {
		return err
	}
	return popEntries(t, s, n, highest, as)
}

// popEntries answers with up to n entries of a set and removes them.
func popEntries(t *txn, s *engine.Set, n int, highest bool, as shape) error {
	n = min(n, s.Len())
	writeInterval(t.w, s.View, 0, n, highest, as)
	if t.w.Over() != nil {
		return nil // the caller undoes it
	}
	lo, hi := 0, n
	if highest {
		lo, hi = s.Reverse(lo, hi)
	}
	_, err := removeRange(s, lo, hi)
	return err
}

// firstNonEmpty returns the first of several sets that has members, and its key; nil if none has.
func firstNonEmpty(t *txn, keys [][]byte) (key []byte, s *engine.Set, err error) {
	for _, key := range keys {
		if s, err = t.change(key); err != nil || s.Len() > 0 {
			return key, s, err
		}
	}
	return nil, nil, nil
}

// popFirst is what ZMPOP is asked for, and BZMPOP after its timeout.
type mpop struct {
	keys    [][]byte
	highest bool
	count   int
}

// parseMpop reads the words of ZMPOP from the number of keys on.
func parseMpop(words [][]byte) (q mpop, err error) {
	n, err := parseFrom(1, words[0], errNumKeys)
	if err != nil {
		return q, err
	}
	if n >= len(words)-1 {
		return q, errSyntax
	}
	q.keys, words = words[1:n+1], words[n+1:]
	q.count, q.highest = 1, is(words[0], "max")
	if !q.highest && !is(words[0], "min") {
		return q, errSyntax
	}
	if options := words[1:]; len(options) > 0 {
		if len(options) == 1 || !is(options[0], "count") {
			return q, errSyntax
		}
		if q.count, err = parseFrom(1, options[1], errCount); err != nil {
			return q, err
		}
		if len(options) > 2 {
			return q, errSyntax
		}
	}
	return q, nil
}

func zmpop(t *txn, a [][]byte) error {
	q, err := parseMpop(a[1:])
	if err != nil {
		return err
	}
	return popFirst(t, q)
}

func popFirst(t *txn, q mpop) error {
	key, s, err := firstNonEmpty(t, q.keys)
	if err != nil {
		return err
	}
	if s == nil {
		t.w.NullArray()
		return nil
	}
	t.w.Array(2)
	t.w.Bulk(key)
	return popEntries(t, s, q.count, q.highest, pairedScores)
}

// parseTimeout reads how many seconds a command may wait, to the millisecond; 0 is for ever. Redis takes one of more milliseconds than
// an int64 holds for a negative one.
func parseTimeout(word []byte) (time.Duration, error) {
	if len(word) == 0 || word[0] == '(' || word[0] <= ' ' || bytes.IndexByte(word, 0) >= 0 {
		return 0, errTimeout
	}
	f, _, ok := wire.ParseBound(word) // a number out of range is none that is too long to read
	if !ok {
		return 0, errTimeout
	}
	ms := math.Ceil(f * 1000)
	if ms < 0 || ms >= math.MaxInt64 {
		return 0, errTimeoutNegative
	}
	return time.Duration(min(int64(ms), math.MaxInt64/int64(time.Millisecond))) * time.Millisecond, nil
}

// popNow is BZPOPMIN, BZPOPMAX and BZMPOP without waiting: between MULTI and EXEC nobody could come in between.
func popNow(t *txn, a [][]byte) error {
	p, err := parsePop(t.step.m, a)
	if err != nil {
		return err
	}
	if p.many {
		return popFirst(t, p.mpop)
	}
	key, s, err := firstNonEmpty(t, p.keys)
	if err != nil {
		return err
	}
	if s == nil {
		t.w.NullArray()
		return nil
	}
	t.w.Array(3)
	t.w.Bulk(key)
	return popOne(t, s, p.highest)
}

// popOne is take of one entry, whose member and score are items of a reply that has begun.
func popOne(t *txn, s *engine.Set, highest bool) error {
	rank := 0
	if highest {
		rank = s.Len() - 1
	}
	for member, score := range s.Range(rank, rank+1) {
		t.w.Bulk(member)
		t.w.Double(score)
	}
	_, err := removeRange(s, rank, rank+1)
	return err
}
