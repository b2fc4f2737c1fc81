package zset_test

import (
	"errors"
	"math"
	"strconv"
	"strings"

	"github.com/zrankdb/zrank/zset"
)

// reply is a reply in the notation of the files in testdata: "text", :integer, +status, -error, *[array], $-1 for null and *-1 for a null
// array; in RESP3 ,double and _ for null.
type reply string

func text(s []byte) reply { return reply(strconv.Quote(string(s))) }

func integer(n int) reply { return reply(":" + strconv.Itoa(n)) }

func array(items []reply) reply {
	words := make([]string, len(items))
	for i, item := range items {
		words[i] = string(item)
	}
	return reply("*[" + strings.Join(words, " ") + "]")
}

// numberText formats a score as Redis 7.0 does: C's "%.17g".
func numberText(score float64) string {
	switch {
	case math.IsInf(score, 1):
		return "inf"
	case math.IsInf(score, -1):
		return "-inf"
	}
	return strconv.FormatFloat(score, 'g', 17, 64)
}

// storedText formats a score as a listpack of Redis stores it, which ZSCAN shows: a whole number with all its digits. From a skiplist
// Redis's ZSCAN would write 1e+17, as other commands do; this server uses the listpack's text for both.
func storedText(score float64) string {
	if score == math.Trunc(score) && math.Abs(score) <= 1<<62 {
		return strconv.FormatInt(int64(score), 10)
	}
	return numberText(score)
}

func (s *server) score(score float64) reply {
	if s.protocol == 3 {
		return reply("," + numberText(score))
	}
	return text([]byte(numberText(score)))
}

// scoreOrNull is the reply of ZSCORE, ZMSCORE and ZADD INCR.
func (s *server) scoreOrNull(score float64, ok bool) reply {
	if !ok {
		return s.null()
	}
	return s.score(score)
}

func (s *server) null() reply {
	if s.protocol == 3 {
		return "_"
	}
	return "$-1"
}

func (s *server) nullArray() reply {
	if s.protocol == 3 {
		return "_"
	}
	return "*-1"
}

// entries is the reply for a list of members, or of members with scores: a flat array, or in RESP3 an array of pairs.
func (s *server) entries(list []zset.Entry, withScores bool) reply {
	if withScores && s.protocol == 3 {
		return s.pairs(list)
	}
	var items []reply
	for _, e := range list {
		items = append(items, text(e.Member))
		if withScores {
			items = append(items, s.score(e.Score))
		}
	}
	return array(items)
}

// pairs is an array of arrays of a member and its score.
func (s *server) pairs(list []zset.Entry) reply {
	var items []reply
	for _, e := range list {
		items = append(items, array([]reply{text(e.Member), s.score(e.Score)}))
	}
	return array(items)
}

// redisError is an error with Redis's text.
type redisError string

func (e redisError) Error() string { return string(e) }

const (
	errSyntax         = redisError("ERR syntax error")
	errWrongType      = redisError("WRONGTYPE Operation against a key holding the wrong kind of value")
	errNotInteger     = redisError("ERR value is not an integer or out of range")
	errNotFloat       = redisError("ERR value is not a valid float")
	errBoundNotFloat  = redisError("ERR min or max is not a float")
	errBoundNotMember = redisError("ERR min or max not valid string range item")
	errWeight         = redisError("ERR weight value is not a float")
	errIncrPairs      = redisError("ERR INCR option supports a single increment-element pair")
	errLimit          = redisError("ERR syntax error, LIMIT is only supported in combination with either BYSCORE or BYLEX")
	errLexScores      = redisError("ERR syntax error, WITHSCORES not supported in combination with BYLEX")
	errInterLimit     = redisError("ERR LIMIT can't be negative")
	errPositive       = redisError("ERR value is out of range, must be positive")
	errRange          = redisError("ERR value is out of range")
	errLongRange      = redisError("ERR value is out of range, value must between -9223372036854775807 and 9223372036854775807")
	errNumKeys        = redisError("ERR numkeys should be greater than 0")
	errCount          = redisError("ERR count should be greater than 0")
	errTimeout        = redisError("ERR timeout is not a float or out of range")
	errTimeoutSign    = redisError("ERR timeout is negative")
	errCursor         = redisError("ERR invalid cursor")
)

func errArity(name string) error {
	return redisError("ERR wrong number of arguments for '" + name + "' command")
}

func errNoKeys(name string) error {
	return redisError("ERR at least 1 input key is needed for '" + name + "' command")
}

// inRedisWords has Redis's texts for zset's errors.
var inRedisWords = []struct {
	err  error
	said redisError
}{
	{zset.ErrNaN, "ERR resulting score is not a number (NaN)"},
	{zset.ErrXXAndNX, "ERR XX and NX options at the same time are not compatible"},
	{zset.ErrGTLTNX, "ERR GT, LT, and/or NX options at the same time are not compatible"},
}

func failure(err error) reply {
	for _, w := range inRedisWords {
		if errors.Is(err, w.err) {
			err = w.said
		}
	}
	return reply("-" + err.Error())
}
