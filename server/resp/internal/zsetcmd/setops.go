package zsetcmd

import (
	"iter"

	"github.com/zrankdb/zrank/server/resp/internal/command"
	"github.com/zrankdb/zrank/server/resp/internal/keyspace"
	"github.com/zrankdb/zrank/server/resp/internal/session"
	"github.com/zrankdb/zrank/server/resp/internal/wire"
	"github.com/zrankdb/zrank/zset"
)

// The inputs of a set operation are sorted sets, with the scores that clients see, and plain sets, whose members have score 1. Between MULTI
// and EXEC the operation runs in the transaction. Otherwise big ones are deferred: see defer.go.

const (
	errWeight     = command.Refusal("ERR weight value is not a float")
	errInterLimit = command.Refusal("ERR LIMIT can't be negative")
)

// operation is union, intersection or difference.
type operation uint8

const (
	union operation = iota
	inter
	diff
)

// combination is the request of a set operation. What the command's name fixes stands first.
type combination struct {
	operation
	card  bool // ZINTERCARD
	store bool

	keys   [][]byte
	how    zset.Combine[float64]
	scores bool
	limit  int // of ZINTERCARD; 0: none
}

// combining returns one of the set operations. of is what the command's name fixes.
func combining(of combination) func(*session.Txn, [][]byte) error {
	return func(t *session.Txn, a [][]byte) error {
		q := of
		var dst []byte
		words := a[1:]
		if q.store {
			dst, words = words[0], words[1:]
		}
		words, err := q.parseKeys(t.Step.Command.Name, words)
		if err != nil {
			return err
		}
		in, err := operands(t, q.keys)
		if err != nil {
			return err
		}
		for len(words) > 0 {
			if words, err = q.option(words); err != nil {
				return err
			}
		}
		if !q.fits(t.Out, in) {
			return nil
		}
		if q.work(in) > t.Client.Host.DeferAbove && mayDefer(t, q.keys, in) {
			return deferCombine(t, q, dst, in)
		}
		return combineNow(t, q, dst, in)
	}
}

// parseKeys reads the number of keys and the keys, and returns the words after them.
func (q *combination) parseKeys(name string, words [][]byte) (rest [][]byte, err error) {
	n, err := command.ParseInt[int](words[0])
	switch {
	case err != nil:
		return nil, err
	case n < 1:
		return nil, command.Refusal("ERR at least 1 input key is needed for '" + name + "' command")
	case n > len(words)-1:
		return nil, command.ErrSyntax
	}
	q.keys = words[1 : n+1]
	return words[n+1:], nil
}

// option reads an option, and returns the words after it.
func (q *combination) option(words [][]byte) (rest [][]byte, err error) {
	weighs := q.operation != diff && !q.card
	switch word := words[0]; {
	case command.Is(word, "weights") && weighs && len(words) > len(q.keys):
		return words[1+len(q.keys):], q.weights(words[1 : 1+len(q.keys)])
	case command.Is(word, "aggregate") && weighs && len(words) >= 2:
		return words[2:], q.aggregate(words[1])
	case command.Is(word, "withscores") && !q.store && !q.card:
		q.scores = true
		return words[1:], nil
	case command.Is(word, "limit") && q.card && len(words) >= 2:
		q.limit, err = command.ParseFrom(0, words[1], errInterLimit)
		return words[2:], err
	}
	return nil, command.ErrSyntax
}

func (q *combination) weights(words [][]byte) error {
	q.how.Weights = make([]float64, 0, len(words))
	for _, word := range words {
		weight, ok := wire.ParseScore(word)
		if !ok {
			return errWeight
		}
		q.how.Weights = append(q.how.Weights, weight)
	}
	return nil
}

// aggregate reads how the scores of a member become one; COUNT is of Redis 8.8.
func (q *combination) aggregate(word []byte) error {
	for i, name := range [...]string{zset.Sum: "sum", zset.Min: "min", zset.Max: "max", zset.Count: "count"} {
		if command.Is(word, name) {
			q.how.Aggregate = zset.Aggregate(i)
			return nil
		}
	}
	return command.ErrSyntax
}

// operands returns the inputs of a set operation. Errors: ErrWrongType.
func operands(t *session.Txn, keys [][]byte) ([]keyspace.Sorted, error) {
	in := make([]keyspace.Sorted, len(keys))
	for i, key := range keys {
		name := t.Name(key)
		v, err := t.PlainAt(name)
		switch {
		case err != nil:
			return nil, err
		case v.Kind == keyspace.None:
			in[i], err = t.SortedAt(name)
		case v.Kind == keyspace.PlainSet:
			in[i], err = floatsOf(unscored(v))
		default:
			err = command.ErrWrongType
		}
		if err != nil {
			return nil, err
		}
	}
	return in, nil
}

// unscored walks the members of a plain set, each with score 1.
func unscored(v keyspace.Plain) iter.Seq2[[]byte, float64] {
	return func(yield func([]byte, float64) bool) {
		for _, m := range keyspace.Members(v) {
			if !yield(m, 1) {
				return
			}
		}
	}
}

// floatsOf returns a new set of the entries of a walk. O(n log n).
func floatsOf(walk iter.Seq2[[]byte, float64]) (*zset.View, error) {
	b, err := zset.NewBuilder(zset.Options{})
	if err != nil {
		return nil, err
	}
	for member, score := range walk {
		if err := b.Add(member, score); err != nil {
			return nil, err
		}
	}
	return b.Set().View(), nil
}

// views returns operands with float64 scores; it copies those with int64 scores, in O(n log n).
func views(in []keyspace.Sorted) (list []*zset.View, err error) {
	list = make([]*zset.View, len(in))
	for i, v := range in {
		var ok bool
		if list[i], ok = v.(*zset.View); ok {
			continue
		}
		if list[i], err = floatsOf(v.Range(0, v.Len())); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// combineNow does the operation in the transaction, and answers.
func combineNow(t *session.Txn, q combination, dst []byte, in []keyspace.Sorted) error {
	if err := t.Client.Borrow(q.memory(in), 1); err != nil {
		return err
	}
	sets, err := views(in)
	if err != nil {
		return err
	}
	if q.card {
		t.Out.Int(int64(zset.InterCard(q.limit, sets...)))
		return nil
	}
	z, err := q.result(sets)
	if err != nil {
		return err
	}
	if q.store {
		return storeEntries(t, dst, z.Append(nil, 0, z.Len()))
	}
	writeEntries(t.Out, z.Range(0, z.Len()), z.Len(), q.shape())
	return nil
}

func (q *combination) result(sets []*zset.View) (*zset.Set, error) {
	switch q.operation {
	case union:
		return zset.Union(zset.Options{}, q.how, sets...)
	case inter:
		return zset.Inter(zset.Options{}, q.how, sets...)
	}
	return zset.Diff(zset.Options{}, sets[0], sets[1:]...)
}

func (q *combination) shape() shape {
	if q.scores {
		return withScores
	}
	return onlyMembers
}

// storeEntries stores entries in the place of a key's value and expiry, and answers with their number. Errors: ErrReadOnly.
func storeEntries(t *session.Txn, key []byte, list []zset.Entry) error {
	err := t.Put(t.Name(key), list)
	if err == nil {
		t.Out.Int(int64(len(list)))
	}
	return err
}
