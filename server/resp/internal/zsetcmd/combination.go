package zsetcmd

import (
	"github.com/zrankdb/zrank/server/resp/internal/command"
	"github.com/zrankdb/zrank/server/resp/internal/wire"
	"github.com/zrankdb/zrank/zset"
)

// combination is the request of a set operation. The fields before keys follow from the command's name.
type combination struct {
	operation
	card  bool // ZINTERCARD
	store bool

	keys   [][]byte
	how    zset.Combine[float64]
	scores bool
	limit  int // of ZINTERCARD; 0: none
}

// operation is union, intersection or difference.
type operation uint8

const (
	union operation = iota
	inter
	diff
)

func (q *combination) shape() shape {
	if q.scores {
		return withScores
	}
	return onlyMembers
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

// aggregate reads the word after AGGREGATE; COUNT is of Redis 8.8.
func (q *combination) aggregate(word []byte) error {
	for i, name := range [...]string{zset.Sum: "sum", zset.Min: "min", zset.Max: "max", zset.Count: "count"} {
		if command.Is(word, name) {
			q.how.Aggregate = zset.Aggregate(i)
			return nil
		}
	}
	return command.ErrSyntax
}

const errInterLimit = command.Refusal("ERR LIMIT can't be negative")

const (
	errWeight = command.Refusal("ERR weight value is not a float")
)
