package resp

import (
	"iter"

	"github.com/zrankdb/zrank/server/resp/internal/wire"
	"github.com/zrankdb/zrank/zset"
)

// The set operations: ZUNION, ZINTER, ZDIFF, ZINTERCARD, and those that store. Their inputs are sorted sets, whose scores are taken as
// clients see them, and plain sets, whose members have score 1. Between MULTI and EXEC they are done in the transaction; else big ones
// are left to the engine, which makes nobody wait for them: see zset_big.go.

const (
	errWeight     = refusal("ERR weight value is not a float")
	errInterLimit = refusal("ERR LIMIT can't be negative")
)

// operation says which of them.
type operation uint8

const (
	union operation = iota
	inter
	diff
)

// combination is what a set operation is asked for. What a name settles stands first.
type combination struct {
	operation
	card  bool // ZINTERCARD
	store bool

	keys   [][]byte
	how    zset.Combine[float64]
	scores bool
	limit  int // of ZINTERCARD; 0: none
}

// combining returns one of the set operations.
func combining(of combination) func(*txn, [][]byte) error {
	return func(t *txn, a [][]byte) error {
		q := of
		var dst []byte
		words := a[1:]
		if q.store {
			dst, words = words[0], words[1:]
		}
		words, err := q.parseKeys(t.step.m.name, words)
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
		if !q.fits(t.w, in) {
			return nil
		}
		if q.work(in) > t.c.host.deferAbove && mayDefer(t, q.keys, in) {
			return deferCombine(t, q, dst, in)
		}
		return combineNow(t, q, dst, in)
	}
}

// parseKeys reads how many keys there are, and these, and returns the words after them.
func (q *combination) parseKeys(name string, words [][]byte) (rest [][]byte, err error) {
	n, err := parseInt[int](words[0])
	switch {
	case err != nil:
		return nil, err
	case n < 1:
		return nil, refusal("ERR at least 1 input key is needed for '" + name + "' command")
	case n > len(words)-1:
		return nil, errSyntax
	}
	q.keys = words[1 : n+1]
	return words[n+1:], nil
}

// option reads an option and returns the words after it.
func (q *combination) option(words [][]byte) (rest [][]byte, err error) {
	weighs := q.operation != diff && !q.card
	switch word := words[0]; {
	case is(word, "weights") && weighs && len(words) > len(q.keys):
		return words[1+len(q.keys):], q.weights(words[1 : 1+len(q.keys)])
	case is(word, "aggregate") && weighs && len(words) >= 2:
		return words[2:], q.aggregate(words[1])
	case is(word, "withscores") && !q.store && !q.card:
		q.scores = true
		return words[1:], nil
	case is(word, "limit") && q.card && len(words) >= 2:
		q.limit, err = parseFrom(0, words[1], errInterLimit)
		return words[2:], err
	}
	return nil, errSyntax
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

// aggregate reads how scores become one; COUNT is of Redis 8.8.
func (q *combination) aggregate(word []byte) error {
	for i, name := range [...]string{zset.Sum: "sum", zset.Min: "min", zset.Max: "max", zset.Count: "count"} {
		if is(word, name) {
			q.how.Aggregate = zset.Aggregate(i)
			return nil
		}
	}
	return errSyntax
}

// operands returns the inputs of a set operation. Errors: errWrongType.
func operands(t *txn, keys [][]byte) ([]sorted, error) {
	in := make([]sorted, len(keys))
	for i, key := range keys {
		name := t.name(key)
		v, err := t.plainAt(name)
		switch {
		case err != nil:
			return nil, err
		case v.kind == none:
			in[i], err = t.sortedAt(name)
		case v.kind == aSet:
			in[i], err = floatsOf(unscored(v))
		default:
			err = errWrongType
		}
		if err != nil {
			return nil, err
		}
	}
	return in, nil
}

// unscored walks the members of a plain set, each with score 1.
func unscored(v plainValue) iter.Seq2[[]byte, float64] {
	return func(yield func([]byte, float64) bool) {
		for _, m := range members(v) {
			if !yield(m, 1) {
				return
			}
		}
	}
}

// floatsOf returns a view of a new set of the entries of a walk. O(n log n).
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

// views returns operands with float64 scores: those with int64 scores are copied. O(n log n) for these.
func views(in []sorted) (list []*zset.View, err error) {
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

// combineNow does the operation, and answers.
func combineNow(t *txn, q combination, dst []byte, in []sorted) error {
	if err := t.c.borrow(q.memory(in), 1); err != nil {
		return err
	}
	sets, err := views(in)
	if err != nil {
		return err
	}
	if q.card {
		t.w.Int(int64(zset.InterCard(q.limit, sets...)))
		return nil
	}
	z, err := q.result(sets)
	if err != nil {
		return err
	}
	if q.store {
		return storeEntries(t, dst, z.Append(nil, 0, z.Len()))
	}
	writeEntries(t.w, z.Range(0, z.Len()), z.Len(), q.shape())
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

// storeEntries puts entries in the place of whatever a key holds, expiry and all, and answers how many they are. Errors: errReadOnly.
func storeEntries(t *txn, key []byte, list []zset.Entry) error {
	err := t.put(t.name(key), list)
	if err == nil {
		t.w.Int(int64(len(list)))
	}
	return err
}
