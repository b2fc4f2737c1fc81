package zsetcmd

import (
	"github.com/zrankdb/zrank/server/resp/internal/command"
	"github.com/zrankdb/zrank/server/resp/internal/keyspace"
	"github.com/zrankdb/zrank/server/resp/internal/session"
	"github.com/zrankdb/zrank/zset"
)

const (
	errLimit     = command.Refusal("ERR syntax error, LIMIT is only supported in combination with either BYSCORE or BYLEX")
	errLexScores = command.Refusal("ERR syntax error, WITHSCORES not supported in combination with BYLEX")
)

// within returns a command on the members of a key between two bounds.
func within(by order, do func(t *session.Txn, key []byte, b bounds) error) func(*session.Txn, [][]byte) error {
	return func(t *session.Txn, a [][]byte) error {
		b, err := parseBounds(by, a[2], a[3])
		if err != nil {
			return err
		}
		return do(t, a[1], b)
	}
}

// counting returns a command that counts the members of an interval.
func counting(by order) func(*session.Txn, [][]byte) error {
	return within(by, func(t *session.Txn, key []byte, b bounds) error {
		v, err := t.Read(key)
		if err != nil {
			return err
		}
		lo, hi, err := b.in(v)
		if err == nil {
			t.Out.Int(int64(hi - lo))
		}
		return err
	})
}

// removing returns a command that removes the members of an interval.
func removing(by order) func(*session.Txn, [][]byte) error {
	return within(by, func(t *session.Txn, key []byte, b bounds) error {
		s, err := t.Change(key)
		if err != nil {
			return err
		}
		lo, hi, err := b.in(s.View)
		if err != nil {
			return err
		}
		n, err := removeRange(s, lo, hi)
		t.Out.Int(int64(n))
		return err
	})
}

// ranging returns ZRANGE or one of its relatives. fixed has the fields that follow from the command's name.
func ranging(fixed query) func(*session.Txn, [][]byte) error {
	return func(t *session.Txn, a [][]byte) error {
		q := fixed
		v, lo, hi, err := q.read(t, a[1:])
		if err != nil {
			return err
		}
		as := onlyMembers
		if q.scores {
			as = withScores
		}
		writeInterval(t.Out, v, lo, hi, q.reverse, as)
		return nil
	}
}

// query is the request of ZRANGE or one of its relatives.
type query struct {
	bounds
	reverse       bool
	fixed         bool // the command's name fixes by and reverse: no option changes them
	store         bool // ZRANGESTORE
	scores        bool
	offset, count int
}

// read reads the request, which begins with the key, and finds the interval in the set.
func (q *query) read(t *session.Txn, words [][]byte) (v keyspace.Sorted, lo, hi int, err error) {
	if err = q.parse(words[1:]); err != nil {
		return v, 0, 0, err
	}
	if v, err = t.Read(words[0]); err != nil {
		return v, 0, 0, err
	}
	lo, hi, err = q.find(v)
	return v, lo, hi, err
}

// parse reads the options after the bounds, and then the bounds, as Redis does. Errors: a refusal.
func (q *query) parse(words [][]byte) (err error) {
	q.count = -1
	for rest := words[2:]; len(rest) > 0; {
		if rest, err = q.option(rest); err != nil {
			return err
		}
	}
	switch {
	case q.by == byRank && q.count != -1:
		return errLimit
	case q.by == byMember && q.scores:
		return errLexScores
	}
	low, high := words[0], words[1]
	if q.reverse && q.by != byRank {
		low, high = high, low
	}
	q.bounds, err = parseBounds(q.by, low, high)
	return err
}

// option reads an option, and returns the words after it.
func (q *query) option(words [][]byte) (rest [][]byte, err error) {
	switch word := words[0]; {
	case command.Is(word, "withscores") && !q.store:
		q.scores = true
	case command.Is(word, "limit") && len(words) >= 3:
		if q.offset, err = command.ParseInt[int](words[1]); err != nil {
			return nil, err
		}
		q.count, err = command.ParseInt[int](words[2])
		return words[3:], err
	case command.Is(word, "rev") && !q.fixed && !q.reverse:
		q.reverse = true
	case command.Is(word, "byscore") && !q.fixed && q.by == byRank:
		q.by = byScore
	case command.Is(word, "bylex") && !q.fixed && q.by == byRank:
		q.by = byMember
	default:
		return nil, command.ErrSyntax
	}
	return words[1:], nil
}

// find returns the ranks [lo, hi) of the answer, reverse ranks if the query is reverse.
func (q *query) find(v keyspace.Sorted) (lo, hi int, err error) {
	if q.by == byMember { // the ends depend on the direction and on the page
		return q.members(v, q.reverse, q.offset, q.count)
	}
	lo, hi, err = q.in(v)
	if err != nil || q.by == byRank {
		return lo, hi, err
	}
	if q.reverse {
		lo, hi = v.Reverse(lo, hi)
	}
	lo, hi = zset.Limit(lo, hi, q.offset, q.count)
	return lo, hi, nil
}
