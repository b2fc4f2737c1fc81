package servers

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/zrankdb/zrank/fuzz/internal/apply"
	"github.com/zrankdb/zrank/fuzz/internal/script"
	"github.com/zrankdb/zrank/zset"
)

// changeIf sends an operation with a condition. It returns nil for any other operation.
func (a *asker) changeIf(op script.Op) (reply func() string) {
	words := []any{"zadd", op.Key}
	for word := range strings.SplitSeq(op.How, "+") {
		if apply.Condition(word) != 0 {
			words = append(words, word)
		}
	}
	switch op.Kind {
	case "addif":
		before := a.c.ZScore(a.ctx, op.Key, op.Member)
		changed := a.c.Do(a.ctx, append(words, "ch", op.Score, op.Member)...)
		return func() string {
			became := zset.Unchanged
			if n, _ := changed.Int64(); n == 1 {
				if became = zset.Updated; errors.Is(before.Err(), redis.Nil) {
					became = zset.Added
				}
			}
			return answer(changed, became)
		}
	case "incrif":
		sum := a.c.Do(a.ctx, append(words, "incr", op.Score, op.Member)...)
		return func() string {
			if errors.Is(sum.Err(), redis.Nil) {
				return "false"
			}
			f, ok := sum.Val().(float64) // in RESP3
			if !ok {
				f, _ = sum.Float64()
			}
			return answer(sum, script.Number(f))
		}
	}
	return nil
}

// whole sends an operation on whole sets. It returns nil for any other operation.
func (a *asker) whole(op script.Op) (reply func() string) {
	ctx, c := a.ctx, a.c
	switch op.Kind {
	case "drop":
		n := c.Del(ctx, op.Key)
		return func() string { return answer(n, n.Val() == 1) }
	case "rename":
		ok := c.Rename(ctx, op.Key, op.Other)
		return func() string { return answer(ok, "") }
	case "copy":
		n := c.Copy(ctx, op.Key, op.Other, 0, true)
		return func() string { return copied(n, "") }
	case "expire":
		there := c.Expire(ctx, op.Key, time.Duration(op.Lo)*time.Second)
		return func() string { return answer(there, there.Val()) }
	case "persist":
		had := c.Persist(ctx, op.Key)
		return func() string { return answer(had, had.Val()) }
	case "expiry":
		at := c.ExpireTime(ctx, op.Key) // negative: never, or no set
		return func() string { return answer(at, apply.TimeText(time.Unix(0, int64(at.Val())), at.Val() >= 0)) }
	}
	return nil
}

// store sends an operation on several sets. It returns nil for any other operation.
func (a *asker) store(op script.Op) (reply func() string) {
	ctx, c := a.ctx, a.c
	keys := []string{op.Key, op.Other}
	how := &redis.ZStore{Keys: keys, Weights: []float64{op.Score, op.Step}, Aggregate: op.How}
	var n *redis.IntCmd
	switch op.Kind {
	case "union":
		n = c.ZUnionStore(ctx, op.To, how)
	case "inter":
		n = c.ZInterStore(ctx, op.To, how)
	case "diff":
		n = c.ZDiffStore(ctx, op.To, keys...)
	case "rangestore":
		lo, hi := max(op.Lo, 0), op.Hi-1
		if op.Hi <= 0 { // the rank before 0 is the last one
			lo, hi = 1, 0
		}
		n = c.ZRangeStore(ctx, op.To, redis.ZRangeArgs{Key: op.Key, Start: lo, Stop: hi})
	case "common":
		n = c.ZInterCard(ctx, int64(max(op.Lo, 0)), keys...)
	case "delete":
		n = c.Del(ctx, keys...)
	case "renamenx":
		done := c.RenameNX(ctx, op.Key, op.Other)
		return func() string { return answer(done, done.Val()) }
	case "clear":
		done := c.FlushAll(ctx)
		return func() string { return answer(done, "") }
	case "clone":
		done, size := c.Copy(ctx, op.Key, op.Other, 0, true), c.ZCard(ctx, op.Other)
		return func() string { return copied(done, fmt.Sprint(size.Val())) }
	default:
		return nil
	}
	return func() string { return answer(n, n.Val()) }
}
