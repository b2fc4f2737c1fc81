package zsetcmd

import (
	"github.com/zrankdb/zrank/server/resp/internal/command"
	"github.com/zrankdb/zrank/server/resp/internal/keyspace"
	"github.com/zrankdb/zrank/server/resp/internal/wire"
	"github.com/zrankdb/zrank/zset"
)

const (
	errBoundNotFloat  = command.Refusal("ERR min or max is not a float")
	errBoundNotMember = command.Refusal("ERR min or max not valid string range item")
	errRange          = command.Refusal("ERR value is out of range")
)

// bounds are the two ends of an interval of ranks, scores or members.
type bounds struct {
	by          order
	start, stop int        // byRank
	low, high   zset.Bound // byScore
	from, to    []byte     // byMember, as the client has written them
}

// order is the kind of an interval's ends: ranks, scores or members.
type order uint8

const (
	byRank order = iota
	byScore
	byMember
)

// parseBounds reads two bounds, the lower one first. Errors: a refusal.
func parseBounds(by order, low, high []byte) (b bounds, err error) {
	b.by = by
	switch by {
	case byRank:
		if b.start, err = command.ParseInt[int](low); err == nil {
			b.stop, err = command.ParseInt[int](high)
		}
	case byScore:
		if b.low, err = parseBound(low); err == nil {
			b.high, err = parseBound(high)
		}
	default:
		if b.from, b.to = low, high; !isMemberBound(low) || !isMemberBound(high) {
			err = errBoundNotMember
		}
	}
	return b, err
}

// parseBound reads one end of an interval of scores.
func parseBound(word []byte) (zset.Bound, error) {
	f, exclusive, ok := wire.ParseBound(word)
	if !ok {
		return zset.Bound{}, errBoundNotFloat
	}
	return zset.Bound{Score: f, Exclusive: exclusive}, nil
}

// isMemberBound reports whether a word is "-", "+", or a member after "[" or "(".
func isMemberBound(word []byte) bool {
	if len(word) == 0 {
		return false
	}
	switch word[0] {
	case '-', '+':
		return len(word) == 1
	}
	return word[0] == '[' || word[0] == '('
}

// in returns the ranks [lo, hi) of the interval in a set; of an interval by rank these may be reverse ranks. Errors: those of Lexical.
func (b *bounds) in(v keyspace.Sorted) (lo, hi int, err error) {
	switch b.by {
	case byRank:
		lo, hi = v.RankInterval(b.start, b.stop)
	case byScore:
		lo, hi = v.ScoreInterval(b.low, b.high)
	default:
		return b.members(v, false, 0, -1)
	}
	return lo, max(lo, hi), nil
}

// members returns the ranks [lo, hi) of a page of an interval by member, reverse ranks if it is reverse. Errors: those of Lexical.
func (b *bounds) members(v keyspace.Sorted, reverse bool, offset, count int) (lo, hi int, err error) {
	if err := keyspace.Lexical(v); err != nil {
		return 0, 0, err
	}
	switch low, high := memberBound(b.from), memberBound(b.to); {
	case b.from[0] == '+' || b.to[0] == '-':
	case reverse:
		lo, hi = v.RevMemberPage(low, high, offset, count)
	default:
		lo, hi = v.MemberPage(low, high, offset, count)
	}
	return lo, hi, nil
}

// memberBound returns a bound for zset; nil for "-" and "+" at their own end.
func memberBound(word []byte) *zset.MemberBound {
	if word[0] == '-' || word[0] == '+' {
		return nil
	}
	return &zset.MemberBound{Member: word[1:], Exclusive: word[0] == '('}
}
