package resp

import "github.com/zrankdb/zrank/zset"

// ZRANGE and its relatives: what lies between two bounds.

const (
	errLimit     = refusal("ERR syntax error, LIMIT is only supported in combination with either BYSCORE or BYLEX")
	errLexScores = refusal("ERR syntax error, WITHSCORES not supported in combination with BYLEX")
)

// counting returns a command that counts what lies between two bounds.
func counting(by order) func(*txn, [][]byte) error {
	return func(t *txn, a [][]byte) error {
		b, err := parseBounds(by, a[2], a[3])
		if err != nil {
			return err
		}
		v, err := t.read(a[1])
		if err != nil {
			return err
		}
		lo, hi, err := b.in(v)
		if err == nil {
			t.w.Int(int64(hi - lo))
		}
		return err
	}
}

// removing returns a command that removes what lies between two bounds.
func removing(by order) func(*txn, [][]byte) error {
	return func(t *txn, a [][]byte) error {
		b, err := parseBounds(by, a[2], a[3])
		if err != nil {
			return err
		}
		s, err := t.change(a[1])
		if err != nil {
			return err
		}
		lo, hi, err := b.in(s.View)
		if err != nil {
			return err
		}
		n, err := removeRange(s, lo, hi)
		t.w.Int(int64(n))
		return err
	}
}

// ranging returns ZRANGE or one of its relatives: what a name settles, no option does.
func ranging(of query) func(*txn, [][]byte) error {
	return func(t *txn, a [][]byte) error {
		q := of
		if err := q.parse(a[2:]); err != nil {
			return err
		}
		v, err := t.read(a[1])
		if err != nil {
			return err
		}
		lo, hi, err := q.find(v)
		if err != nil {
			return err
		}
		as := onlyMembers
		if q.scores {
			as = withScores
		}
		writeInterval(t.w, v, lo, hi, q.reverse, as)
		return nil
	}
}

// query is what ZRANGE or one of its relatives asks for.
type query struct {
	bounds
	reverse       bool
	settled       bool // by the name of the command: by and reverse are
	store         bool // ZRANGESTORE
	scores        bool
	offset, count int
}

// parse reads the bounds, and the options after them, which Redis reads first.
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

// option reads an option and returns the words after it.
func (q *query) option(words [][]byte) (rest [][]byte, err error) {
	switch word := words[0]; {
	case is(word, "withscores") && !q.store:
		q.scores = true
	case is(word, "limit") && len(words) >= 3:
		if q.offset, err = parseInt[int](words[1]); err != nil {
			return nil, err
		}
		q.count, err = parseInt[int](words[2])
		return words[3:], err
	case is(word, "rev") && !q.settled && !q.reverse:
		q.reverse = true
	case is(word, "byscore") && !q.settled && q.by == byRank:
		q.by = byScore
	case is(word, "bylex") && !q.settled && q.by == byRank:
		q.by = byMember
	default:
		return nil, errSyntax
	}
	return words[1:], nil
}

// find returns the interval of ranks that is asked for, of reverse ranks if the query is reverse.
func (q *query) find(v sorted) (lo, hi int, err error) {
	if q.by == byMember { // its ends depend on the direction and on the page
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
