package fuzz

import (
	"errors"
	"fmt"
	"iter"
	"strings"
	"time"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/persist"
	"github.com/zrankdb/zrank/zset"
)

// setOf is what operations on a set use: the methods of zset.ViewOf, and the changes of engine.Set and engine.IntSet.
type setOf[S zset.Score] interface {
	Len() int
	Get(member []byte) (score S, tie []byte, ok bool)
	Rank(member []byte) (int, bool)
	RevRank(member []byte) (int, bool)
	Range(lo, hi int) iter.Seq2[[]byte, S]
	RevRange(lo, hi int) iter.Seq2[[]byte, S]
	Append(dst []zset.EntryOf[S], lo, hi int) []zset.EntryOf[S]
	ScoreInterval(low, high zset.BoundOf[S]) (lo, hi int)
	MemberInterval(low, high *zset.MemberBound) (lo, hi int)
	MemberPage(low, high *zset.MemberBound, offset, count int) (lo, hi int)
	RevMemberPage(low, high *zset.MemberBound, offset, count int) (lo, hi int)

	Add(member []byte, score S) (added bool, err error)
	AddTied(member, tie []byte, score S) (added bool, err error)
	IncrBy(member []byte, delta S) (score S, err error)
	Remove(member []byte) (removed bool, err error)
	PopMin(n int) ([]zset.EntryOf[S], error)
	PopMax(n int) ([]zset.EntryOf[S], error)
	RemoveRange(lo, hi int) (removed int, err error)
}

// sortedSet has Redis's scores.
type sortedSet = setOf[float64]

// conditional is a set with changes that hang on what is there.
type conditional[S zset.Score] interface {
	AddIf(member []byte, score S, c zset.Condition) (zset.Outcome, error)
	IncrByIf(member []byte, delta S, c zset.Condition) (score S, ok bool, err error)
}

// expecting is a set in a transaction that is given up when somebody was faster.
type expecting[S zset.Score] interface {
	ExpectScore(member []byte, score S) error
	ExpectAbsent(member []byte) error
}

// state is what a block works on.
type state interface {
	set(key string) (sortedSet, error)
	Get(key string) (value []byte, ok bool, err error)
	Put(key string, value []byte) error
	Delete(key string) error
	Scan(prefix string) iter.Seq2[persist.KV, error]
}

// keyspace is a state with sets as an engine has them.
type keyspace interface {
	state
	intSet(key string) (s setOf[int64], is bool, err error) // is: the set of the key has int64 scores, or would have
	Drop(key string) (bool, error)
	Rename(from, to string) error
	Copy(from, to string) error
	expire(key string, d time.Duration) (bool, error)
	persist(key string) (bool, error)
	expiry(key string) (at time.Time, ok bool, err error)
	Stat(key string) (engine.Stat, error)
}

// tieWidth is F4.
func tieWidth(key string) int {
	if strings.HasPrefix(key, "t") {
		return 8
	}
	return 0
}

// intForm returns the form of a set with int64 scores that is made under a key: F8.
func intForm(key string) (f engine.Form, is bool) {
	if strings.HasPrefix(key, "nt") {
		return engine.Form{TieWidth: 8, Dense: true}, true
	}
	return engine.Form{}, strings.HasPrefix(key, "n")
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
	if k, ok := st.(keyspace); ok {
		if reply, ok := applyWhole(k, op); ok {
			return reply
		}
		if s, is, err := k.intSet(op.Key); is || err != nil {
			return onSet(s, op, err)
		}
	}
	s, err := st.set(op.Key)
	return onSet(s, op, err)
}

// applyWhole runs an operation on whole sets; false if it is none.
func applyWhole(k keyspace, op Op) (reply string, ok bool) {
	switch op.Kind {
	case "drop":
		dropped, err := k.Drop(op.Key)
		return outcome(dropped, err), true
	case "rename":
		return outcome("", k.Rename(op.Key, op.Other)), true
	case "copy":
		return outcome("", k.Copy(op.Key, op.Other)), true
	case "expire":
		there, err := k.expire(op.Key, time.Duration(op.Lo)*time.Second)
		return outcome(there, err), true
	case "persist":
		had, err := k.persist(op.Key)
		return outcome(had, err), true
	case "expiry":
		at, ok, err := k.expiry(op.Key)
		return outcome(second(at, ok), err), true
	case "stat":
		st, err := k.Stat(op.Key)
		return outcome(describe(st), err), true
	}
	return "", false
}

// describe is what a key holds, in words.
func describe(st engine.Stat) string {
	if !st.Exists {
		return "nothing"
	}
	scores := "float64"
	if st.Ints {
		scores = fmt.Sprintf("int64 dense=%v", st.Form.Dense)
	}
	return fmt.Sprintf("%s ties=%d members=%d until %s", scores, st.Form.TieWidth, st.Members, second(st.Expires, !st.Expires.IsZero()))
}

// second is a time by the clock of scripts, or "never".
func second(at time.Time, ok bool) string {
	if !ok {
		return "never"
	}
	return at.Sub(scriptsBegin).String()
}

// onSet runs an operation on the members of a set.
func onSet[S zset.Score](s setOf[S], op Op, err error) string {
	if err != nil {
		return outcome("", err)
	}
	if reply, ok := change(s, op); ok {
		return reply
	}
	return look(s, op)
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

// named are the errors that callers are promised, by what a reply calls them.
var named = []struct {
	err  error
	name string
}{
	{zset.ErrNaN, "not a number"},
	{zset.ErrTieWidth, "tie width"},
	{engine.ErrTieWidth, "tie width"},
	{zset.ErrOverflow, "overflow"},
	{zset.ErrXXAndNX, "condition"},
	{zset.ErrGTLTNX, "condition"},
	{engine.ErrNoSet, "no set"},
	{engine.ErrKind, "kind"},
	{engine.ErrConflict, "conflict"},
}

// outcome is a reply, or an error that callers are promised. Any other error is a failure of the layer, and its text will
// differ from the oracle's reply.
func outcome(reply any, err error) string {
	if err == nil {
		return fmt.Sprint(reply)
	}
	for _, n := range named {
		if errors.Is(err, n.err) {
			return n.name
		}
	}
	return "error: " + err.Error()
}
