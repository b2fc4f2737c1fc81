package apply

import (
	"fmt"
	"iter"
	"strconv"
	"strings"

	"github.com/zrankdb/zrank/fuzz/internal/script"
	"github.com/zrankdb/zrank/zset"
)

// look runs an operation that reads a set.
func look[S zset.Score](s SetOf[S], op script.Op) string {
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

// expect asks for what somebody has read before.
func expect[S zset.Score](s expecting[S], op script.Op) string {
	switch op.Kind {
	case "expect":
		return Outcome("", s.ExpectScore([]byte(op.Member), scoreOf[S](op.Score)))
	case "absent":
		return Outcome("", s.ExpectAbsent([]byte(op.Member)))
	}
	return "unknown"
}

// ScoreBound reads "5" or "(5"; other words are 0.
func ScoreBound[S zset.Score](word string) zset.BoundOf[S] {
	word, exclusive := strings.CutPrefix(word, "(")
	score, err := strconv.ParseFloat(word, 64)
	if err != nil {
		score = 0
	}
	return zset.BoundOf[S]{Score: scoreOf[S](score), Exclusive: exclusive}
}

// walk lists what a walk yields.
func walk[S zset.Score](seq iter.Seq2[[]byte, S]) string {
	var b strings.Builder
	for member, score := range seq {
		fmt.Fprintf(&b, "%q=%s ", member, script.Number(score))
	}
	return b.String()
}

// EntriesText lists entries with their ties.
func EntriesText[S zset.Score](entries []zset.EntryOf[S]) string {
	var b strings.Builder
	for _, e := range entries {
		fmt.Fprintf(&b, "%q=%s", e.Member, script.Number(e.Score))
		if len(e.Tie) > 0 {
			fmt.Fprintf(&b, "/%x", e.Tie)
		}
		b.WriteByte(' ')
	}
	return b.String()
}
