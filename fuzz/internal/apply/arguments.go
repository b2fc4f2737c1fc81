package apply

import (
	"math"
	"strconv"
	"strings"

	"github.com/zrankdb/zrank/zset"
)

// Condition reads "xx+gt". It ignores unknown words.
func Condition(words string) (c zset.Condition) {
	for word := range strings.SplitSeq(words, "+") {
		c |= map[string]zset.Condition{"nx": zset.NX, "xx": zset.XX, "gt": zset.GT, "lt": zset.LT}[word]
	}
	return c
}

// scoreOf converts a score to the kind of a set: F8.
func scoreOf[S zset.Score](f float64) S {
	switch {
	case S(1)/2 != 0:
		return S(f)
	case math.IsNaN(f):
		return 0
	case f >= 1<<63:
		return S(int64(math.MaxInt64))
	case f < -1<<63:
		return S(int64(math.MinInt64))
	}
	return S(f)
}

// ScoreBound reads "5" or "(5". Any other word is 0.
func ScoreBound[S zset.Score](word string) zset.BoundOf[S] {
	word, exclusive := strings.CutPrefix(word, "(")
	score, err := strconv.ParseFloat(word, 64)
	if err != nil {
		score = 0
	}
	return zset.BoundOf[S]{Score: scoreOf[S](score), Exclusive: exclusive}
}

// MemberBound reads "[a" or "(a". "-" and "+" give nil; any other word is read as if it began with "[".
func MemberBound(word string) *zset.MemberBound {
	if word == "-" || word == "+" {
		return nil
	}
	if member, ok := strings.CutPrefix(word, "("); ok {
		return &zset.MemberBound{Member: []byte(member), Exclusive: true}
	}
	return &zset.MemberBound{Member: []byte(strings.TrimPrefix(word, "["))}
}
