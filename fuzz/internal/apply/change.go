package apply

import (
	"encoding/binary"
	"fmt"
	"strconv"

	"github.com/zrankdb/zrank/fuzz/internal/script"
	"github.com/zrankdb/zrank/zset"
)

// change runs an operation that changes a set. It returns false for any other operation.
func change[S zset.Score](s SetOf[S], op script.Op) (reply string, ok bool) {
	member, score := []byte(op.Member), scoreOf[S](op.Score)
	switch op.Kind {
	case "add":
		added, err := s.Add(member, score)
		return Outcome(added, err), true
	case "addt":
		added, err := s.AddTied(member, binary.BigEndian.AppendUint64(nil, op.Tie), score)
		return Outcome(added, err), true
	case "incr":
		sum, err := s.IncrBy(member, score)
		return Outcome(script.Number(sum), err), true
	case "rem":
		removed, err := s.Remove(member)
		return Outcome(removed, err), true
	case "popmin":
		entries, err := s.PopMin(op.Lo)
		return Outcome(EntriesText(entries), err), true
	case "popmax":
		entries, err := s.PopMax(op.Lo)
		return Outcome(EntriesText(entries), err), true
	case "remrange":
		n, err := s.RemoveRange(op.Lo, op.Hi)
		return Outcome(n, err), true
	case "remlex":
		n, err := s.RemoveRange(byMember(s, op))
		return Outcome(n, err), true
	case "fill":
		return each(op, func(member []byte, i int) (bool, error) {
			return s.Add(member, scoreOf[S](op.Score+float64(i-op.Lo)*op.Step))
		}), true
	case "drain":
		return each(op, func(member []byte, _ int) (bool, error) { return s.Remove(member) }), true
	}
	return changeIf(s, op)
}

// changeIf runs an operation with a condition. It returns false for any other operation.
func changeIf[S zset.Score](s SetOf[S], op script.Op) (reply string, ok bool) {
	c, ok := s.(conditional[S])
	if !ok {
		return "", false
	}
	member, score := []byte(op.Member), scoreOf[S](op.Score)
	switch op.Kind {
	case "addif":
		became, err := c.AddIf(member, score, Condition(op.How))
		return Outcome(became, err), true
	case "incrif":
		sum, ok, err := c.IncrByIf(member, score, Condition(op.How))
		if !ok {
			return Outcome(false, err), true
		}
		return Outcome(script.Number(sum), err), true
	}
	return "", false
}

// each runs f on numbered members, at most a thousand, and counts how often it is true.
func each(op script.Op, f func(member []byte, i int) (bool, error)) string {
	n := 0
	for i := op.Lo; i < min(op.Hi, op.Lo+1000); i++ {
		ok, err := f([]byte(op.Member+strconv.Itoa(i)), i)
		if err != nil {
			return fmt.Sprintf("%d, then %s", n, Outcome("", err))
		}
		if ok {
			n++
		}
	}
	return strconv.Itoa(n)
}
