package servers

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"

	"github.com/zrankdb/zrank/fuzz/internal/apply"
	"github.com/zrankdb/zrank/fuzz/internal/script"
)

// ask sends the commands of an operation, or queues them if a.c is a pipeline. It returns a function that makes the reply of the operation
// from the server's answers. The caller calls that function after the server has answered all commands.
func (a *asker) ask(op script.Op) (reply func() string) {
	for _, send := range []func(script.Op) func() string{a.change, a.changeIf, a.whole, a.store} {
		if reply := send(op); reply != nil {
			return reply
		}
	}
	ctx, c := a.ctx, a.c
	switch op.Kind {
	case "len":
		n := c.ZCard(ctx, op.Key)
		return func() string { return answer(n, n.Val()) }
	case "score":
		f := c.ZScore(ctx, op.Key, op.Member)
		return func() string {
			if errors.Is(f.Err(), redis.Nil) {
				return "0  false"
			}
			return answer(f, script.Number(f.Val())+"  true")
		}
	case "rank":
		rank, reverse := c.ZRank(ctx, op.Key, op.Member), c.ZRevRank(ctx, op.Key, op.Member)
		return func() string {
			if errors.Is(rank.Err(), redis.Nil) && errors.Is(reverse.Err(), redis.Nil) {
				return "0 0 false"
			}
			return answers(fmt.Sprint(rank.Val(), reverse.Val(), " true"), rank, reverse)
		}
	case "range":
		return a.entries(op.Key, max(op.Lo, 0), op.Hi, false)
	case "revrange":
		return a.entries(op.Key, max(op.Lo, 0), op.Hi, true)
	case "dump":
		return a.entries(op.Key, 0, math.MaxInt, false)
	case "count":
		return a.count(op)
	case "lex", "lexpage", "revlexpage":
		return a.byMember(op)
	}
	return func() string { return "unknown" }
}

// change sends an operation that changes a set. It returns nil for any other operation.
func (a *asker) change(op script.Op) (reply func() string) {
	ctx, c := a.ctx, a.c
	switch op.Kind {
	case "add":
		n := c.ZAdd(ctx, op.Key, redis.Z{Score: op.Score, Member: op.Member})
		return func() string { return answer(n, n.Val() == 1) }
	case "incr":
		f := c.ZIncrBy(ctx, op.Key, op.Score, op.Member)
		return func() string { return answer(f, script.Number(f.Val())) }
	case "rem":
		n := c.ZRem(ctx, op.Key, op.Member)
		return func() string { return answer(n, n.Val() == 1) }
	case "popmin":
		z := c.ZPopMin(ctx, op.Key, int64(max(op.Lo, 0)))
		return func() string { return answer(z, shown(z.Val())) }
	case "popmax":
		z := c.ZPopMax(ctx, op.Key, int64(max(op.Lo, 0)))
		return func() string { return answer(z, shown(z.Val())) }
	case "remrange":
		if op.Hi <= 0 { // the rank before 0 is the last one
			return func() string { return "0" }
		}
		n := c.ZRemRangeByRank(ctx, op.Key, int64(max(op.Lo, 0)), int64(op.Hi-1))
		return func() string { return answer(n, n.Val()) }
	case "remlex":
		n := c.ZRemRangeByLex(ctx, op.Key, lexWord(op.Low), lexWord(op.High))
		return func() string { return answer(n, n.Val()) }
	case "fill":
		return a.fill(op)
	case "drain":
		return a.drain(op)
	}
	return nil
}

// fill adds members up to the first whose score is NaN. The server refuses that one, so it is sent in a ZADD of its own, as the oracle adds
// the members before it.
func (a *asker) fill(op script.Op) (reply func() string) {
	var members []redis.Z
	var nan *redis.IntCmd
	for i := op.Lo; i < min(op.Hi, op.Lo+1000) && nan == nil; i++ {
		z := redis.Z{Score: op.Score + float64(i-op.Lo)*op.Step, Member: op.Member + strconv.Itoa(i)}
		if !math.IsNaN(z.Score) {
			members = append(members, z)
		} else {
			nan = a.c.ZAdd(a.ctx, op.Key, z)
		}
	}
	added := bulk(a.each, members, func(part ...redis.Z) *redis.IntCmd { return a.c.ZAdd(a.ctx, op.Key, part...) })
	return func() string {
		if nan != nil {
			return fmt.Sprintf("%s, then %s", added(), answer(nan, nan.Val()))
		}
		return added()
	}
}

func (a *asker) drain(op script.Op) (reply func() string) {
	var members []any
	for i := op.Lo; i < min(op.Hi, op.Lo+1000); i++ {
		members = append(members, op.Member+strconv.Itoa(i))
	}
	return bulk(a.each, members, func(part ...any) *redis.IntCmd { return a.c.ZRem(a.ctx, op.Key, part...) })
}

// bulk sends members in one command, or in one command each, and adds up the replies.
func bulk[T any](each bool, members []T, send func(...T) *redis.IntCmd) (reply func() string) {
	var sent []*redis.IntCmd
	if !each && len(members) > 0 {
		sent = append(sent, send(members...))
	}
	for i := 0; each && i < len(members); i++ {
		sent = append(sent, send(members[i]))
	}
	return func() string {
		sum := int64(0)
		for _, n := range sent {
			if n.Err() != nil {
				return answer(n, "")
			}
			sum += n.Val()
		}
		return fmt.Sprint(sum)
	}
}

// entries asks for the ranks [lo, hi); lo is not negative.
func (a *asker) entries(key string, lo, hi int, rev bool) (reply func() string) {
	if hi <= 0 { // the rank before 0 is the last one
		return func() string { return "" }
	}
	z := a.c.ZRangeArgsWithScores(a.ctx, redis.ZRangeArgs{Key: key, Start: lo, Stop: hi - 1, Rev: rev})
	return func() string { return answer(z, shown(z.Val())) }
}

// count asks for the ranks between two scores: the number of members below, and of those between.
func (a *asker) count(op script.Op) (reply func() string) {
	low, high := scoreWord(op.Low), scoreWord(op.High)
	n, below := a.c.ZCount(a.ctx, op.Key, low, high), a.c.ZCount(a.ctx, op.Key, "-inf", belowScore(low))
	return func() string {
		if strings.HasSuffix(low, "NaN") || strings.HasSuffix(high, "NaN") {
			return none(answer(n, "an interval"), "ERR min or max is not a float")
		}
		return interval(n, below)
	}
}

// scoreWord writes an end of an interval of scores for the protocol.
func scoreWord(word string) string {
	b := apply.ScoreBound[float64](word)
	if b.Exclusive {
		return "(" + script.Number(b.Score)
	}
	return script.Number(b.Score)
}

// belowScore returns the upper end of the interval below one that begins with low.
func belowScore(low string) string {
	if score, exclusive := strings.CutPrefix(low, "("); exclusive {
		return score
	}
	return "(" + low
}
