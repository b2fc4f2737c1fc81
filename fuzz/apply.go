package fuzz

import (
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"strconv"
	"strings"

	"github.com/zrankdb/zrank/persist"
	"github.com/zrankdb/zrank/zset"
)

// sortedSet is what operations on a set use: the methods of zset.View, and the changes of engine.Set.
type sortedSet interface {
	Len() int
	Get(member []byte) (score float64, tie []byte, ok bool)
	Rank(member []byte) (int, bool)
	RevRank(member []byte) (int, bool)
	Range(lo, hi int) iter.Seq2[[]byte, float64]
	RevRange(lo, hi int) iter.Seq2[[]byte, float64]
	Append(dst []zset.Entry, lo, hi int) []zset.Entry
	ScoreInterval(low, high zset.Bound) (lo, hi int)
	MemberInterval(low, high *zset.MemberBound) (lo, hi int)

	Add(member []byte, score float64) (added bool, err error)
	AddTied(member, tie []byte, score float64) (added bool, err error)
	IncrBy(member []byte, delta float64) (score float64, err error)
	Remove(member []byte) (removed bool, err error)
	PopMin(n int) ([]zset.Entry, error)
	PopMax(n int) ([]zset.Entry, error)
}

// state is what a block works on.
type state interface {
	set(key string) (sortedSet, error)
	Get(key string) (value []byte, ok bool, err error)
	Put(key string, value []byte) error
	Delete(key string) error
	Scan(prefix string) iter.Seq2[persist.KV, error]
}

// tieWidth is F4.
func tieWidth(key string) int {
	if strings.HasPrefix(key, "t") {
		return 8
	}
	return 0
}

// apply runs one operation and returns its reply.
func apply(st state, op Op) string {
	if op.is(onBoard) {
		return applyBoard(st.(boarded).boards(), op)
	}
	switch op.Kind {
	case "put":
		return outcome("", st.Put(op.Key, []byte(op.Member)))
	case "del":
		return outcome("", st.Delete(op.Key))
	case "get":
		value, ok, err := st.Get(op.Key)
		return outcome(fmt.Sprintf("%q %v", value, ok), err)
	case "scan":
		return scan(st, op.Key)
	}
	s, err := st.set(op.Key)
	if err != nil {
		return outcome("", err)
	}
	if reply, ok := change(s, op); ok {
		return reply
	}
	return look(s, op)
}

// change runs an operation that changes a set; false if the operation is none.
func change(s sortedSet, op Op) (reply string, ok bool) {
	member := []byte(op.Member)
	switch op.Kind {
	case "add":
		added, err := s.Add(member, op.Score)
		return outcome(added, err), true
	case "addt":
		added, err := s.AddTied(member, binary.BigEndian.AppendUint64(nil, op.Tie), op.Score)
		return outcome(added, err), true
	case "incr":
		score, err := s.IncrBy(member, op.Score)
		return outcome(number(score), err), true
	case "rem":
		removed, err := s.Remove(member)
		return outcome(removed, err), true
	case "popmin":
		entries, err := s.PopMin(op.Lo)
		return outcome(show(entries), err), true
	case "popmax":
		entries, err := s.PopMax(op.Lo)
		return outcome(show(entries), err), true
	case "fill":
		return each(op, func(member []byte, i int) (bool, error) {
			return s.Add(member, op.Score+float64(i-op.Lo)*op.Step)
		}), true
	case "drain":
		return each(op, func(member []byte, _ int) (bool, error) { return s.Remove(member) }), true
	}
	return "", false
}

// each runs f on numbered members, at most a thousand, and counts how often it is true.
func each(op Op, f func(member []byte, i int) (bool, error)) string {
	n := 0
	for i := op.Lo; i < min(op.Hi, op.Lo+1000); i++ {
		ok, err := f([]byte(op.Member+strconv.Itoa(i)), i)
		if err != nil {
			return fmt.Sprintf("%d, then %s", n, outcome("", err))
		}
		if ok {
			n++
		}
	}
	return strconv.Itoa(n)
}

// look runs an operation that reads a set.
func look(s sortedSet, op Op) string {
	member := []byte(op.Member)
	switch op.Kind {
	case "len":
		return strconv.Itoa(s.Len())
	case "score":
		score, tie, ok := s.Get(member)
		return fmt.Sprintf("%s %x %v", number(score), tie, ok)
	case "rank":
		rank, ok := s.Rank(member)
		reverse, _ := s.RevRank(member)
		return fmt.Sprintf("%d %d %v", rank, reverse, ok)
	case "range":
		return walk(s.Range(op.Lo, op.Hi))
	case "revrange":
		return walk(s.RevRange(op.Lo, op.Hi))
	case "dump":
		return show(s.Append(nil, 0, s.Len()))
	case "count":
		lo, hi := s.ScoreInterval(scoreBound(op.Low), scoreBound(op.High))
		if lo == hi {
			return "none"
		}
		return fmt.Sprint(lo, hi)
	case "lex":
		return lex(s, op)
	}
	return "unknown"
}

// lex asks for an interval of members, where that means something.
func lex(s sortedSet, op Op) string {
	all := s.Append(nil, 0, s.Len())
	for _, e := range all {
		if e.Score != all[0].Score || string(e.Tie) != string(all[0].Tie) {
			return "mixed"
		}
	}
	if op.Low == "+" || op.High == "-" {
		return "none"
	}
	lo, hi := s.MemberInterval(memberBound(op.Low), memberBound(op.High))
	if lo == hi {
		return "none"
	}
	return fmt.Sprint(lo, hi)
}

// scoreBound reads "5" or "(5"; other words are 0.
func scoreBound(word string) zset.Bound {
	word, exclusive := strings.CutPrefix(word, "(")
	score, err := strconv.ParseFloat(word, 64)
	if err != nil {
		score = 0
	}
	return zset.Bound{Score: score, Exclusive: exclusive}
}

// memberBound reads "[a" or "(a"; "-" and "+" are nil, and other words are as with "[".
func memberBound(word string) *zset.MemberBound {
	if word == "-" || word == "+" {
		return nil
	}
	if member, ok := strings.CutPrefix(word, "("); ok {
		return &zset.MemberBound{Member: []byte(member), Exclusive: true}
	}
	return &zset.MemberBound{Member: []byte(strings.TrimPrefix(word, "["))}
}

// scan lists private keys.
func scan(st state, prefix string) string {
	var b strings.Builder
	for kv, err := range st.Scan(prefix) {
		if err != nil {
			return outcome("", err)
		}
		fmt.Fprintf(&b, "%q=%q ", kv.Key, kv.Value)
	}
	return b.String()
}

// walk lists what a walk yields.
func walk(seq iter.Seq2[[]byte, float64]) string {
	var b strings.Builder
	for member, score := range seq {
		fmt.Fprintf(&b, "%q=%s ", member, number(score))
	}
	return b.String()
}

// show lists entries with their ties.
func show(entries []zset.Entry) string {
	var b strings.Builder
	for _, e := range entries {
		fmt.Fprintf(&b, "%q=%s", e.Member, number(e.Score))
		if len(e.Tie) > 0 {
			fmt.Fprintf(&b, "/%x", e.Tie)
		}
		b.WriteByte(' ')
	}
	return b.String()
}

// outcome is a reply, or an error that callers are promised, by its name. Any other error is a failure of the layer, and
// its text will differ from the oracle's reply.
func outcome(reply any, err error) string {
	switch {
	case err == nil:
		return fmt.Sprint(reply)
	case errors.Is(err, zset.ErrNaN):
		return "not a number"
	case errors.Is(err, zset.ErrTieWidth):
		return "tie width"
	}
	return "error: " + err.Error()
}
