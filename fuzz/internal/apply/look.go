package apply

import (
	"fmt"
	"strconv"

	"github.com/zrankdb/zrank/fuzz/internal/script"
	"github.com/zrankdb/zrank/zset"
)

// readSet runs an operation that reads a set.
func readSet[S zset.Score](s SetOf[S], op script.Op) string {
	member := []byte(op.Member)
	switch op.Kind {
	case "len":
		return strconv.Itoa(s.Len())
	case "score":
		score, tie, ok := s.Get(member)
		return fmt.Sprintf("%s %x %v", script.Number(score), tie, ok)
	case "rank":
		rank, ok := s.Rank(member)
		reverse, _ := s.RevRank(member)
		return fmt.Sprintf("%d %d %v", rank, reverse, ok)
	case "range":
		return walk(s.Range(op.Lo, op.Hi))
	case "revrange":
		return walk(s.RevRange(op.Lo, op.Hi))
	case "dump":
		return EntriesText(s.Append(nil, 0, s.Len()))
	case "count":
		lo, hi := s.ScoreInterval(ScoreBound[S](op.Low), ScoreBound[S](op.High))
		if lo == hi {
			return "none"
		}
		return fmt.Sprint(lo, hi)
	case "lex", "lexpage", "revlexpage":
		lo, hi := byMember(s, op)
		if lo == hi {
			return "none"
		}
		return fmt.Sprint(lo, hi)
	}
	if e, ok := s.(expecting[S]); ok {
		return expect(e, op)
	}
	return "unknown"
}

// expect runs an operation that compares a member with what the script expects.
func expect[S zset.Score](s expecting[S], op script.Op) string {
	switch op.Kind {
	case "expect":
		return Outcome("", s.ExpectScore([]byte(op.Member), scoreOf[S](op.Score)))
	case "absent":
		return Outcome("", s.ExpectAbsent([]byte(op.Member)))
	}
	return "unknown"
}

// byMember returns the ranks of a range by member; for "revlexpage" reverse ranks.
func byMember[S zset.Score](s SetOf[S], op script.Op) (lo, hi int) {
	low, high := MemberBound(op.Low), MemberBound(op.High)
	switch {
	case op.Low == "+" || op.High == "-":
		return 0, 0
	case op.Kind == "lexpage":
		return s.MemberPage(low, high, op.Lo, op.PageSize())
	case op.Kind == "revlexpage":
		return s.RevMemberPage(low, high, op.Lo, op.PageSize())
	}
	return s.MemberInterval(low, high)
}
