package apply

import (
	"iter"
	"strings"
	"time"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/persist"
	"github.com/zrankdb/zrank/zset"
)

// SetOf has the methods that operations on a set use: those of zset.ViewOf, and the changes of engine.Set and engine.IntSet.
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

// Set is a set with float64 scores, as in Redis.
type Set = SetOf[float64]

// conditional is a set with changes under a condition.
type conditional[S zset.Score] interface {
	AddIf(member []byte, score S, c zset.Condition) (zset.Outcome, error)
	IncrByIf(member []byte, delta S, c zset.Condition) (score S, ok bool, err error)
}

// expecting is a set in a transaction that fails if a member is not as expected.
type expecting[S zset.Score] interface {
	ExpectScore(member []byte, score S) error
	ExpectAbsent(member []byte) error
}

// State has the methods by which operations read and change sets and private keys.
type State interface {
	Floats(key string) (Set, error)
	Get(key string) (value []byte, ok bool, err error)
	Put(key string, value []byte) error
	Delete(key string) error
	Scan(prefix string) iter.Seq2[persist.KV, error]
}

// Keyspace is a State with operations on whole sets.
type Keyspace interface {
	State
	Ints(key string) (s SetOf[int64], ints bool, err error) // ints: the key has a set with int64 scores, or would get one
	Drop(key string) (bool, error)
	Rename(from, to string) error
	Copy(from, to string) error
	Expire(key string, d time.Duration) (bool, error)
	Persist(key string) (bool, error)
	Expiry(key string) (at time.Time, ok bool, err error)
	Stat(key string) (engine.Stat, error)
}

// TieWidth returns the width of ties of a set that is made under a key: F4.
func TieWidth(key string) int {
	if strings.HasPrefix(key, "t") {
		return 8
	}
	return 0
}

// IntForm returns the form of a set with int64 scores that is made under a key. ints is false for other keys: F8.
func IntForm(key string) (f engine.Form, ints bool) {
	if strings.HasPrefix(key, "nt") {
		return engine.Form{TieWidth: 8, Dense: true}, true
	}
	return engine.Form{}, strings.HasPrefix(key, "n")
}
