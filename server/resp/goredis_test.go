package resp_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/resptest"
	"github.com/zrankdb/zrank/server/resp"
)

// TestGoRedis calls every method that go-redis has for sorted sets: one by one, in a pipeline and in a transaction, in both protocols. It runs
// the same calls against a real Redis, where there is one, and expects the same results.
func TestGoRedis(t *testing.T) {
	t.Run("zrank", func(t *testing.T) { goRedis(t, zrank(t, resp.Options{}), true) })
	t.Run("redis", func(t *testing.T) { goRedis(t, resptest.Redis(t), false) })
}

// goRedis runs all calls against one server. later says that the server has the commands of Redis 7.2.
func goRedis(t *testing.T, server *resptest.Peer, later bool) {
	for _, protocol := range []int{2, 3} {
		t.Run(fmt.Sprint("RESP", protocol), func(t *testing.T) {
			c := redis.NewClient(&redis.Options{Addr: server.Addr(), Protocol: protocol})
			defer c.Close()
			require.NoError(t, c.FlushAll(t.Context()).Err())
			rows := slices.Concat(goChanges, goReads)
			if later {
				rows = append(rows, goLaterReads...)
			}
			rows = slices.Concat(rows, goRanges, goCombinations, goPops)
			everyMethod(t, rows, later)
			for _, r := range rows {
				r.check(t, r.send(t, c))
			}
			together(t, rows, c.Pipelined)
			together(t, rows, c.TxPipelined)
			waiting(t, c)
			watching(t, c)
			walking(t, c)
			t.Logf("%d calls, each one by one, in a pipeline and in a transaction", len(rows))
		})
	}
}

// everyMethod fails the test if a method of redis.SortedSetCmdable has no row.
func everyMethod(t *testing.T, rows []goRow, later bool) {
	methods := map[string]bool{}
	all := reflect.TypeFor[redis.SortedSetCmdable]()
	for i := range all.NumMethod() {
		methods[all.Method(i).Name] = true
	}
	n := len(methods)
	for _, r := range rows {
		delete(methods, r.method)
	}
	if !later {
		delete(methods, "ZRankWithScore")
		delete(methods, "ZRevRankWithScore")
	}
	require.Empty(t, slices.Collect(maps.Keys(methods)), "methods without a row")
	t.Logf("%d methods", n)
}

// send calls the method. The command that it returns has the result, for a pipeline only after Exec.
func (r goRow) send(t *testing.T, c redis.Cmdable) redis.Cmder {
	method := reflect.ValueOf(c).MethodByName(r.method)
	require.True(t, method.IsValid(), r.method)
	args := []reflect.Value{reflect.ValueOf(t.Context())}
	for _, a := range r.args {
		args = append(args, reflect.ValueOf(a))
	}
	result := method.Call
	if method.Type().IsVariadic() {
		result = method.CallSlice
	}
	return result(args)[0].Interface().(redis.Cmder)
}

// check compares the result of the command with the row.
func (r goRow) check(t *testing.T, cmd redis.Cmder) {
	t.Helper()
	require.ErrorIs(t, cmd.Err(), r.err, "%v", cmd)
	results := reflect.ValueOf(cmd).MethodByName("Result").Call(nil)
	if r.err != nil {
		return
	}
	var got []any
	for _, v := range results[:len(results)-1] {
		got = append(got, v.Interface())
	}
	if drawn, ok := got[0].([]string); ok && r.method == "ZRandMember" {
		slices.Sort(drawn)
	}
	require.Equal(t, r.want, got, "%v", cmd)
}

// together sends all rows at once.
func together(t *testing.T, rows []goRow, send func(context.Context, func(redis.Pipeliner) error) ([]redis.Cmder, error)) {
	t.Helper()
	cmds, err := send(t.Context(), func(p redis.Pipeliner) error {
		for _, r := range rows {
			r.send(t, p)
		}
		return nil
	})
	require.True(t, err == nil || errors.Is(err, redis.Nil), "%v", err)
	require.Len(t, cmds, len(rows))
	for i, r := range rows {
		r.check(t, cmds[i])
	}
}

// waiting has a client wait for a member that another adds.
func waiting(t *testing.T, c *redis.Client) {
	t.Helper()
	type popped struct {
		key string
		zs  []redis.Z
		err error
	}
	got := make(chan popped, 1)
	go func() {
		key, zs, err := c.BZMPop(t.Context(), time.Minute, "max", 2, "none", "queue").Result()
		got <- popped{key, zs, err}
	}()
	require.NoError(t, c.ZAdd(t.Context(), "queue", z(1, "a"), z(2, "b"), z(3, "c")).Err()) // before or after it waits
	require.Equal(t, popped{"queue", zs{z(3, "c"), z(2, "b")}, nil}, <-got)
	err := c.Do(t.Context(), "BZPOPMIN", "none", "0.01").Err() // go-redis itself waits for whole seconds
	require.ErrorIs(t, err, redis.Nil)
	require.NoError(t, c.Del(t.Context(), "queue").Err())
}

// watching runs a transaction that fails because another client changes the watched key, and succeeds when it is repeated.
func watching(t *testing.T, c *redis.Client) {
	t.Helper()
	ctx := t.Context()
	tries := 0
	raise := func(tx *redis.Tx) error {
		tries++
		score, err := tx.ZScore(ctx, "w", "a").Result()
		if err != nil {
			return err
		}
		if tries == 1 {
			if err := c.ZIncrBy(ctx, "w", 5, "a").Err(); err != nil {
				return err
			}
		}
		_, err = tx.TxPipelined(ctx, func(p redis.Pipeliner) error {
			p.ZAdd(ctx, "w", z(score*2, "a"))
			return nil
		})
		return err
	}
	require.NoError(t, c.ZAdd(ctx, "w", z(1, "a")).Err())
	require.ErrorIs(t, c.Watch(ctx, raise, "w"), redis.TxFailedErr)
	require.NoError(t, c.Watch(ctx, raise, "w"))
	require.Equal(t, 12.0, c.ZScore(ctx, "w", "a").Val())
	require.NoError(t, c.Del(ctx, "w").Err())
}

// walking reads a big set by the iterator of ZSCAN, and finds its key with SCAN.
func walking(t *testing.T, c *redis.Client) {
	t.Helper()
	ctx := t.Context()
	var all zs
	for i := range 1000 {
		all = append(all, z(float64(i), fmt.Sprintf("member:%04d", i)))
	}
	require.NoError(t, c.ZAdd(ctx, "big", all...).Err())
	seen := map[string]bool{}
	words := 0
	walk := c.ZScan(ctx, "big", 0, "member:*", 100).Iterator()
	for walk.Next(ctx) {
		if words++; words%2 == 1 {
			seen[walk.Val()] = true
		}
	}
	require.NoError(t, walk.Err())
	require.Len(t, seen, len(all))
	require.Equal(t, "skiplist", c.ObjectEncoding(ctx, "big").Val())
	require.Equal(t, "zset", c.Type(ctx, "big").Val())
	keys, cursor, err := c.ScanType(ctx, 0, "b*", 100, "zset").Result()
	require.NoError(t, err)
	require.Zero(t, cursor)
	require.Equal(t, names{"big"}, keys)
	require.NoError(t, c.FlushAll(ctx).Err())
}
