package zsetcmd

import (
	"bytes"
	"math"
	"time"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/server/resp/internal/command"
	"github.com/zrankdb/zrank/server/resp/internal/session"
	"github.com/zrankdb/zrank/server/resp/internal/wire"
)

// The commands write their reply before they change the set, so that nothing is copied.

const (
	errNumKeys         = command.Refusal("ERR numkeys should be greater than 0")
	errCount           = command.Refusal("ERR count should be greater than 0")
	errTimeout         = command.Refusal("ERR timeout is not a float or out of range")
	errTimeoutNegative = command.Refusal("ERR timeout is negative")
)

func zpopmin(t *session.Txn, a [][]byte) error { return popEnd(t, a, false) }
func zpopmax(t *session.Txn, a [][]byte) error { return popEnd(t, a, true) }

// popEnd is ZPOPMIN and ZPOPMAX.
func popEnd(t *session.Txn, a [][]byte, highest bool) error {
	if len(a) > 3 {
		return command.ErrSyntax
	}
	n, as := 1, flatScores
	if len(a) == 3 {
		var err error
		if n, err = command.ParseFrom(0, a[2], command.ErrPositive); err != nil {
			return err
		}
		as = withScores
	}
	s, err := t.Change(a[1])
	if err != nil {
		return err
	}
	return popEntries(t, s, n, highest, as)
}

// popEntries answers with up to n entries of one end of a set, and removes them.
func popEntries(t *session.Txn, s *engine.Set, n int, highest bool, as shape) error {
	n = min(n, s.Len())
	writeInterval(t.Out, s.View, 0, n, highest, as)
	if t.Out.Over() != nil {
		return nil // the caller undoes the command
	}
	lo, hi := 0, n
	if highest {
		lo, hi = s.Reverse(lo, hi)
	}
	_, err := removeRange(s, lo, hi)
	return err
}

// firstNonEmpty returns the first of several sets that has members, and its key; nil if none has.
func firstNonEmpty(t *session.Txn, keys [][]byte) (key []byte, s *engine.Set, err error) {
	for _, key := range keys {
		if s, err = t.Change(key); err != nil || s.Len() > 0 {
			return key, s, err
		}
	}
	return nil, nil, nil
}

// mpop is the request of ZMPOP, and of BZMPOP without its timeout.
type mpop struct {
	keys    [][]byte
	highest bool
	count   int
}

// parseMpop reads the words of ZMPOP from the number of keys on. Errors: a refusal.
func parseMpop(words [][]byte) (q mpop, err error) {
	n, err := command.ParseFrom(1, words[0], errNumKeys)
	if err != nil {
		return q, err
	}
	if n >= len(words)-1 {
		return q, command.ErrSyntax
	}
	q.keys, words = words[1:n+1], words[n+1:]
	q.count, q.highest = 1, command.Is(words[0], "max")
	if !q.highest && !command.Is(words[0], "min") {
		return q, command.ErrSyntax
	}
	if options := words[1:]; len(options) > 0 {
		if len(options) == 1 || !command.Is(options[0], "count") {
			return q, command.ErrSyntax
		}
		if q.count, err = command.ParseFrom(1, options[1], errCount); err != nil {
			return q, err
		}
		if len(options) > 2 {
			return q, command.ErrSyntax
		}
	}
	return q, nil
}

func zmpop(t *session.Txn, a [][]byte) error {
	q, err := parseMpop(a[1:])
	if err != nil {
		return err
	}
	return popFirst(t, q)
}

func popFirst(t *session.Txn, q mpop) error {
	return ofFirst(t, q.keys, 2, func(s *engine.Set) error { return popEntries(t, s, q.count, q.highest, pairedScores) })
}

// ofFirst answers with an array of so many: the key of the first set that has members, and what rest writes; null if none has any.
func ofFirst(t *session.Txn, keys [][]byte, length int, rest func(s *engine.Set) error) error {
	key, s, err := firstNonEmpty(t, keys)
	if err != nil {
		return err
	}
	if s == nil {
		t.Out.NullArray()
		return nil
	}
	t.Out.Array(length)
	t.Out.Bulk(key)
	return rest(s)
}

// parseTimeout reads a timeout in seconds, to the millisecond; 0 is for ever. As in Redis, a timeout of more milliseconds than an int64 holds
// is refused as negative.
func parseTimeout(word []byte) (time.Duration, error) {
	if len(word) == 0 || word[0] == '(' || word[0] <= ' ' || bytes.IndexByte(word, 0) >= 0 {
		return 0, errTimeout
	}
	f, _, ok := wire.ParseBound(word) // a number out of range is infinite
	if !ok {
		return 0, errTimeout
	}
	ms := math.Ceil(f * 1000)
	if ms < 0 || ms >= math.MaxInt64 {
		return 0, errTimeoutNegative
	}
	return time.Duration(min(int64(ms), math.MaxInt64/int64(time.Millisecond))) * time.Millisecond, nil
}

// popOne removes one entry, and writes its member and score as items of a reply that has begun.
func popOne(t *session.Txn, s *engine.Set, highest bool) error {
	rank := 0
	if highest {
		rank = s.Len() - 1
	}
	for member, score := range s.Range(rank, rank+1) {
		t.Out.Bulk(member)
		t.Out.Double(score)
	}
	_, err := removeRange(s, rank, rank+1)
	return err
}
