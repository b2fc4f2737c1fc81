package zset_test

import (
	"strings"

	"github.com/zrankdb/zrank/zset"
)

// rangeCommands are the commands with two bounds.
func (s *server) rangeCommands() map[string]command {
	read := func(q query) command {
		return command{-4, func(_ string, args []string) (reply, error) { return s.read(q, args) }}
	}
	return map[string]command{
		"zrange":           read(query{}),
		"zrevrange":        read(query{by: inRanks, reverse: true, settled: true}),
		"zrangebyscore":    read(query{by: inScores, settled: true}),
		"zrevrangebyscore": read(query{by: inScores, reverse: true, settled: true}),
		"zrangebylex":      read(query{by: inMembers, settled: true}),
		"zrevrangebylex":   read(query{by: inMembers, reverse: true, settled: true}),
		"zrangestore":      {-5, s.zrangestore},
		"zcount":           {4, s.count(byScore)},
		"zlexcount":        {4, s.count(byMember)},
		"zremrangebyrank":  {4, s.removeRange(byRank)},
		"zremrangebyscore": {4, s.removeRange(byScore)},
		"zremrangebylex":   {4, s.removeRange(byMember)},
	}
}

func (s *server) count(b bounds) func(string, []string) (reply, error) {
	return func(_ string, args []string) (reply, error) {
		within, err := b(args[1], args[2])
		if err != nil {
			return "", err
		}
		v, err := s.view(args[0])
		if err != nil {
			return "", err
		}
		lo, hi := within(v)
		return integer(hi - lo), nil
	}
}

func (s *server) removeRange(b bounds) func(string, []string) (reply, error) {
	return func(_ string, args []string) (reply, error) {
		within, err := b(args[1], args[2])
		if err != nil {
			return "", err
		}
		n := 0
		err = s.edit(args[0], "zset", func(set *zset.Set) error {
			n = set.RemoveRange(within(set.View()))
			return nil
		})
		return integer(n), err
	}
}

// kind is the kind of a query's bounds.
type kind int

const (
	inRanks kind = iota
	inScores
	inMembers
)

var boundsOf = map[kind]bounds{inRanks: byRank, inScores: byScore, inMembers: byMember}

// query is ZRANGE or one of its relatives.
type query struct {
	by             kind
	reverse        bool
	settled        bool // the command's name says what options would
	store          bool
	withScores     bool
	offset, number int
}

// parse reads the options.
func (q *query) parse(words []string) error {
	for q.offset, q.number = 0, -1; len(words) > 0; words = words[1:] {
		switch word := strings.ToLower(words[0]); {
		case word == "withscores" && !q.store:
			q.withScores = true
		case word == "limit" && len(words) >= 3:
			var err error
			if q.offset, err = parseInt(words[1]); err != nil {
				return err
			}
			if q.number, err = parseInt(words[2]); err != nil {
				return err
			}
			words = words[2:]
		case word == "rev" && !q.settled && !q.reverse:
			q.reverse = true
		case word == "byscore" && !q.settled && q.by == inRanks:
			q.by = inScores
		case word == "bylex" && !q.settled && q.by == inRanks:
			q.by = inMembers
		default:
			return errSyntax
		}
	}
	switch {
	case q.by == inRanks && q.number != -1:
		return errLimit
	case q.by == inMembers && q.withScores:
		return errLexScores
	}
	return nil
}

// find reads bounds and options, and returns the set at a key and the interval in it. If the query is reverse, the interval has reverse
// ranks.
func (q *query) find(s *server, key string, args []string) (v *zset.View, lo, hi int, err error) {
	if err = q.parse(args[2:]); err != nil {
		return nil, 0, 0, err
	}
	first, last := args[0], args[1]
	if q.reverse && q.by != inRanks {
		first, last = last, first
	}
	within, err := boundsOf[q.by](first, last)
	if err != nil {
		return nil, 0, 0, err
	}
	if v, err = s.view(key); err != nil {
		return nil, 0, 0, err
	}
	if q.by == inMembers {
		lo, hi, err = q.membersPage(v, first, last)
		return v, lo, hi, err
	}
	lo, hi = within(v)
	if q.by == inRanks {
		return v, lo, hi, nil
	}
	if q.reverse {
		lo, hi = v.Reverse(lo, hi)
	}
	lo, hi = zset.Limit(lo, hi, q.offset, q.number)
	return v, lo, hi, nil
}

// membersPage returns the page between two members, in reverse ranks if the query is reverse.
func (q *query) membersPage(v *zset.View, low, high string) (lo, hi int, err error) {
	from, to, nothing, err := parseMemberBounds(low, high)
	switch {
	case nothing || err != nil:
		return 0, 0, err
	case q.reverse:
		lo, hi = v.RevMemberPage(from, to, q.offset, q.number)
	default:
		lo, hi = v.MemberPage(from, to, q.offset, q.number)
	}
	return lo, hi, nil
}

func (s *server) read(q query, args []string) (reply, error) {
	v, lo, hi, err := q.find(s, args[0], args[1:])
	if err != nil {
		return "", err
	}
	if q.reverse {
		return s.entries(v.AppendRev(nil, lo, hi), q.withScores), nil
	}
	return s.entries(v.Append(nil, lo, hi), q.withScores), nil
}

func (s *server) zrangestore(_ string, args []string) (reply, error) {
	q := query{store: true}
	v, lo, hi, err := q.find(s, args[1], args[2:])
	if err != nil {
		return "", err
	}
	if q.reverse {
		lo, hi = v.Reverse(lo, hi)
	}
	return s.store(args[0], v.CopyRange(lo, hi)), nil
}
