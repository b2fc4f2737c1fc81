package apply

import (
	"errors"
	"fmt"
	"iter"
	"strings"
	"time"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/fuzz/internal/script"
	"github.com/zrankdb/zrank/persist"
	"github.com/zrankdb/zrank/zset"
)

// SetOf is what operations on a set use: the methods of zset.ViewOf, and the changes of engine.Set and engine.IntSet.
type SetOf[S zset.Score] interface {
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

// Set has Redis's scores.
type Set = SetOf[float64]

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
	Floats(key string) (Set, error)
	Get(key string) (value []byte, ok bool, err error)
	Put(key string, value []byte) error
	Delete(key string) error
	Scan(prefix string) iter.Seq2[persist.KV, error]
}

// keyspace is a state with sets as an engine has them.
type keyspace interface {
	state
	Ints(key string) (s SetOf[int64], is bool, err error) // is: the set of the key has int64 scores, or would have
	Drop(key string) (bool, error)
	Rename(from, to string) error
	Copy(from, to string) error
	Expire(key string, d time.Duration) (bool, error)
	Persist(key string) (bool, error)
	Expiry(key string) (at time.Time, ok bool, err error)
	Stat(key string) (engine.Stat, error)
}

// TieWidth is F4.
func TieWidth(key string) int {
	if strings.HasPrefix(key, "t") {
		return 8
	}
	return 0
}

// IntForm returns the form of a set with int64 scores that is made under a key: F8.
func IntForm(key string) (f engine.Form, is bool) {
	if strings.HasPrefix(key, "nt") {
		return engine.Form{TieWidth: 8, Dense: true}, true
	}
	return engine.Form{}, strings.HasPrefix(key, "n")
}

// Op runs one operation and returns its reply.
func Op(st state, op script.Op) string {
	if op.Is(script.OnBoard) {
		return BoardOp(st.(WithBoards).Boards(), op)
	}
	switch op.Kind {
	case "put":
		return Outcome("", st.Put(op.Key, []byte(op.Member)))
	case "del":
		return Outcome("", st.Delete(op.Key))
	case "get":
		value, ok, err := st.Get(op.Key)
		return Outcome(fmt.Sprintf("%q %v", value, ok), err)
	case "scan":
		return scan(st, op.Key)
	}
	if k, ok := st.(keyspace); ok {
		if reply, ok := applyWhole(k, op); ok {
			return reply
		}
		if s, is, err := k.Ints(op.Key); is || err != nil {
			return onSet(s, op, err)
		}
	}
	s, err := st.Floats(op.Key)
	return onSet(s, op, err)
}

// applyWhole runs an operation on whole sets; false if it is none.
func applyWhole(k keyspace, op script.Op) (reply string, ok bool) {
	switch op.Kind {
	case "drop":
		dropped, err := k.Drop(op.Key)
		return Outcome(dropped, err), true
	case "rename":
		return Outcome("", k.Rename(op.Key, op.Other)), true
	case "copy":
		return Outcome("", k.Copy(op.Key, op.Other)), true
	case "expire":
		there, err := k.Expire(op.Key, time.Duration(op.Lo)*time.Second)
		return Outcome(there, err), true
	case "persist":
		had, err := k.Persist(op.Key)
		return Outcome(had, err), true
	case "expiry":
		at, ok, err := k.Expiry(op.Key)
		return Outcome(TimeText(at, ok), err), true
	case "stat":
		st, err := k.Stat(op.Key)
		return Outcome(describe(st), err), true
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
	return fmt.Sprintf("%s ties=%d members=%d until %s", scores, st.Form.TieWidth, st.Members, TimeText(st.Expires, !st.Expires.IsZero()))
}

// TimeText is a time by the clock of scripts, or "never".
func TimeText(at time.Time, ok bool) string {
	if !ok {
		return "never"
	}
	return at.Sub(script.Begin).String()
}

// onSet runs an operation on the members of a set.
func onSet[S zset.Score](s SetOf[S], op script.Op, err error) string {
	if err != nil {
		return Outcome("", err)
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
			return Outcome("", err)
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

// Outcome is a reply, or an error that callers are promised. Any other error is a failure of the layer, and its text will
// differ from the oracle's reply.
func Outcome(reply any, err error) string {
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
