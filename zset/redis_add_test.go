package zset_test

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/zset"
)

// addCommands are the ones that change members by name.
func (s *server) addCommands() map[string]command {
	return map[string]command{
		"zadd":    {-4, s.zadd},
		"zincrby": {4, s.zincrby},
		"zrem":    {-3, s.zrem},
	}
}

// addFlags are the options of ZADD.
type addFlags struct {
	condition zset.Condition
	ch, incr  bool
}

// take sets the options at the beginning of words and returns the other words. The first word that is not an option ends the options.
func (f *addFlags) take(words []string) []string {
	for i, word := range words {
		switch strings.ToLower(word) {
		case "nx":
			f.condition |= zset.NX
		case "xx":
			f.condition |= zset.XX
		case "gt":
			f.condition |= zset.GT
		case "lt":
			f.condition |= zset.LT
		case "ch":
			f.ch = true
		case "incr":
			f.incr = true
		default:
			return words[i:]
		}
	}
	return nil
}

func (s *server) zadd(_ string, args []string) (reply, error) { return s.add(args, addFlags{}) }

// zincrby runs ZADD INCR, as Redis does, which even accepts the options of ZADD.
func (s *server) zincrby(_ string, args []string) (reply, error) {
	return s.add(args, addFlags{incr: true})
}

// add runs ZADD with its options. It parses all scores before it changes anything, as Redis does.
func (s *server) add(args []string, f addFlags) (reply, error) {
	pairs := f.take(args[1:])
	if len(pairs) == 0 || len(pairs)%2 != 0 {
		return "", errSyntax
	}
	if err := f.condition.Validate(); err != nil {
		return "", err
	}
	if f.incr && len(pairs) > 2 {
		return "", errIncrPairs
	}
	var scores []float64
	for i := 0; i < len(pairs); i += 2 {
		score, err := parseScore(pairs[i])
		if err != nil {
			return "", err
		}
		scores = append(scores, score)
	}
	if f.incr {
		return s.increment(args[0], pairs[1], scores[0], f.condition)
	}
	n := 0
	err := s.edit(args[0], "zset", func(set *zset.Set) error {
		for i, score := range scores {
			outcome, err := set.AddIf([]byte(pairs[2*i+1]), score, f.condition)
			if err != nil {
				return err
			}
			if outcome == zset.Added || f.ch && outcome != zset.Unchanged {
				n++
			}
		}
		return nil
	})
	return integer(n), err
}

func (s *server) increment(key, member string, delta float64, c zset.Condition) (r reply, err error) {
	err = s.edit(key, "zset", func(set *zset.Set) error {
		score, ok, err := set.IncrByIf([]byte(member), delta, c)
		r = s.scoreOrNull(score, ok)
		return err
	})
	return r, err
}

func (s *server) zrem(_ string, args []string) (reply, error) {
	n := 0
	err := s.edit(args[0], "zset", func(set *zset.Set) error {
		for _, member := range args[1:] {
			if set.Remove([]byte(member)) {
				n++
			}
		}
		return nil
	})
	return integer(n), err
}

// TestRefusedIncrement: IncrByIf must check NX before it adds, as Redis does. So an existing member gives no error even if the sum would be
// one, in both kinds of sets.
func TestRefusedIncrement(t *testing.T) {
	s, err := zset.New(zset.Options{})
	require.NoError(t, err)
	s.Add([]byte("a"), math.Inf(1))
	score, ok, err := s.IncrByIf([]byte("a"), math.Inf(-1), zset.NX)
	require.NoError(t, err)
	require.False(t, ok)
	require.Equal(t, math.Inf(1), score)
	_, _, err = s.IncrByIf([]byte("a"), math.NaN(), zset.NX)
	require.ErrorIs(t, err, zset.ErrNaN)

	exact, err := zset.NewInt(zset.Options{})
	require.NoError(t, err)
	exact.Add([]byte("a"), math.MaxInt64)
	highest, ok, err := exact.IncrByIf([]byte("a"), 1, zset.NX)
	require.NoError(t, err)
	require.False(t, ok)
	require.Equal(t, int64(math.MaxInt64), highest)
	_, _, err = exact.IncrByIf([]byte("a"), 1, zset.XX)
	require.ErrorIs(t, err, zset.ErrOverflow)
}
