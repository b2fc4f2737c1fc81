package resp_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/invariants"
	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/internal/redistest"
	"github.com/zrankdb/zrank/rdb"
	"github.com/zrankdb/zrank/server/resp"
)

// redisServer starts a redis-server, or skips the test.
func redisServer(t *testing.T, arguments ...string) (c *redis.Client, addr string) {
	t.Helper()
	s, err := redistest.Start(t.TempDir(), 1, arguments...)
	if errors.Is(err, redistest.ErrNone) {
		t.Skip("there is no redis-server")
	}
	require.NoError(t, err)
	t.Cleanup(s.Close)
	c = s.Client(0)
	t.Cleanup(func() { _ = c.Close() })
	return c, s.Addr(0)
}

// zrankServer starts a server over an engine in memory.
func zrankServer(t *testing.T, o resp.Options) (c *redis.Client, addr string) {
	t.Helper()
	addr = zrank(t, o).Addr()
	c = redis.NewClient(&redis.Options{Addr: addr})
	t.Cleanup(func() { _ = c.Close() })
	return c, addr
}

// randomValue returns a command that makes a value under a key.
func randomValue(rng *rand.Rand, key string) []any {
	text := func() string {
		switch rng.IntN(5) {
		case 0:
			return strconv.FormatInt(int64(rng.Uint64())>>rng.IntN(64), 10)
		case 1:
			return strings.Repeat(string(rune('a'+rng.IntN(26))), rng.IntN(100))
		case 2:
			b := make([]byte, rng.IntN(70))
			for i := range b {
				b[i] = byte(rng.Uint32())
			}
			return string(b)
		}
		return fmt.Sprintf("player:%d", rng.IntN(1e6))
	}
	size := 1 + rng.IntN(8)
	if rng.IntN(50) == 0 {
		size = 100 + rng.IntN(100)
	}
	switch rng.IntN(6) {
	case 0:
		return []any{"set", key, strings.Repeat(text(), rng.IntN(4))}
	case 1: // an intset: the order of other sets is Redis's own
		words := []any{"sadd", key}
		for range size {
			words = append(words, int64(rng.Uint64())>>rng.IntN(64))
		}
		return words
	}
	words := []any{"zadd", key}
	for range size {
		score := rng.NormFloat64() * 1e3
		switch rng.IntN(5) {
		case 0, 1:
			score = float64(rng.IntN(1e6))
		case 2:
			score = math.Inf(1 - 2*rng.IntN(2))
		case 3:
			if f := math.Float64frombits(rng.Uint64()); !math.IsNaN(f) {
				score = f
			}
		}
		words = append(words, strconv.FormatFloat(score, 'g', 17, 64), text())
	}
	return words
}

// pipeline sends commands and returns their replies as texts.
func pipeline(t *testing.T, c *redis.Client, commands [][]any) []string {
	t.Helper()
	replies, err := c.Pipelined(t.Context(), func(p redis.Pipeliner) error {
		for _, words := range commands {
			p.Do(t.Context(), words...)
		}
		return nil
	})
	if err != nil && !errors.Is(err, redis.Nil) {
		require.NoError(t, err)
	}
	texts := make([]string, len(replies))
	for i, r := range replies {
		texts[i] = fmt.Sprint(r.(*redis.Cmd).Val())
	}
	return texts
}

// TestDumpsCross takes random values from the server to Redis and back. Redis makes the same dump of each.
func TestDumpsCross(t *testing.T) {
	theirs, _ := redisServer(t)
	ours, _ := zrankServer(t, resp.Options{})
	n, batch := 100_000, 1000
	if testing.Short() {
		n = 6000
	}
	rng := rand.New(rand.NewPCG(1, 26))
	for done := 0; done < n; done += batch {
		var makes, dumps, restores, again, drops [][]any
		for i := range batch {
			key := fmt.Sprint("k", i)
			makes = append(makes, randomValue(rng, key))
			dumps, drops = append(dumps, []any{"dump", key}), append(drops, []any{"del", key})
		}
		pipeline(t, ours, makes)
		pipeline(t, theirs, makes)
		here, there := pipeline(t, ours, dumps), pipeline(t, theirs, dumps)
		for i := range here {
			require.Equal(t, there[i], here[i], "%d: %.500q", done+i, makes[i])
			key := fmt.Sprint("k", i)
			ttl := rng.IntN(2) * 1e9
			restores = append(restores, []any{"restore", key, ttl, here[i], "replace"})
			again = append(again, []any{"restore", "again" + key, 0, there[i], "replace"})
		}
		for _, reply := range append(pipeline(t, theirs, restores), pipeline(t, ours, again)...) {
			require.Equal(t, "OK", reply)
		}
		for i := range dumps {
			dumps[i][1] = fmt.Sprint("againk", i)
		}
		require.Equal(t, here, pipeline(t, ours, dumps))
		for i := range dumps {
			dumps[i][1] = fmt.Sprint("k", i)
		}
		require.Equal(t, there, pipeline(t, theirs, dumps))
		pipeline(t, ours, drops)
		pipeline(t, theirs, drops)
	}
}

// dumpsRefused returns dumps of a sorted set with a member twice, and of one without members.
func dumpsRefused(t *testing.T) (twice, empty string) {
	d, err := rdb.NewDumper(rdb.WriteOptions{Thresholds: rdb.Thresholds{ListpackEntries: -1}})
	require.NoError(t, err)
	b, err := d.SortedSet(nil, 2, func(yield func([]byte, float64) bool) { _ = yield([]byte("m"), 2) && yield([]byte("m"), 1) })
	require.NoError(t, err)
	none, err := d.SortedSet(nil, 0, func(func([]byte, float64) bool) {})
	require.NoError(t, err)
	return string(b), string(none)
}

// TestRestoreRefusals sends the same requests to both, and compares the replies.
func TestRestoreRefusals(t *testing.T) {
	theirs, _ := redisServer(t)
	ours, _ := zrankServer(t, resp.Options{})
	ctx := t.Context()
	require.NoError(t, theirs.ZAdd(ctx, "d", redis.Z{Score: 1, Member: "a"}).Err())
	d, err := theirs.Dump(ctx, "d").Result()
	require.NoError(t, err)
	twice, emptySet := dumpsRefused(t)
	var requests [][]any
	for _, words := range []string{"k 0 D", "k 0 D", "k 0 D replace", "k -1 D", "k -1 D replace", "k x D", "k x D replace", "k x D foo", "k 0 D replace idletime", "k 0 D replace idletime x",
		"k 0 D replace idletime -1", "k 0 D replace idletime 5 idletime 6", "k 0 D replace freq 256", "k 0 D replace freq -1", "k 0 D freq 255 replace absttl", "k 0 D replace freq 1 idletime 1",
		"k 0 D replace idletime 1 freq 1", "k 0 D replace freq", "k 5 D replace absttl", "k 100000 D", "k 9223372036854775807 D replace", "j 9223372036854775806 D", "k 0 D REPLACE ABSTTL replace",
		"k 0 x replace", "k 0 0123456789 replace", "k 1 x", "k 0", "", "s 0 D", "s 0 D replace", "s 0 x replace", "k 0 T replace", "k 0 E replace", "s 0 T replace"} {
		request := []any{"restore"}
		for _, w := range strings.Fields(words) {
			request = append(request, cmp.Or(map[string]string{"D": d, "T": twice, "E": emptySet}[w], w))
		}
		requests = append(requests, request, []any{"exists", "k", "j", "s"}, []any{"type", "s"})
	}
	requests = append(requests, []any{"dump", "none"}, []any{"dump"}, []any{"dump", "k", "k"}, []any{"migrate", "h"}, []any{"dump", "k"}, []any{"dump", "s"})
	for _, c := range []*redis.Client{theirs, ours} {
		require.NoError(t, c.Set(ctx, "s", "text", 0).Err())
	}
	for _, request := range requests {
		want, wanted := theirs.Do(ctx, request...).Result()
		got, err := ours.Do(ctx, request...).Result()
		require.Equal(t, fmt.Sprint(want, wanted), fmt.Sprint(got, err), "%q", request)
	}
}

// TestRestoreDamaged flips each bit of dumps: all are refused, and the key stays as it was.
func TestRestoreDamaged(t *testing.T) {
	ours, _ := zrankServer(t, resp.Options{})
	ctx := t.Context()
	require.NoError(t, ours.ZAdd(ctx, "k", redis.Z{Score: 1.5, Member: "a"}, redis.Z{Score: 2, Member: strings.Repeat("b", 40)}).Err())
	d, err := ours.Dump(ctx, "k").Bytes()
	require.NoError(t, err)
	for i := range d {
		d[i] ^= 1 << (i % 8)
		require.ErrorContains(t, ours.RestoreReplace(ctx, "k", 0, string(d)).Err(), "DUMP payload version or checksum are wrong")
		d[i] ^= 1 << (i % 8)
		require.Error(t, ours.RestoreReplace(ctx, "k", 0, string(d[:i])).Err())
	}
	require.Equal(t, 1.5, ours.ZScore(ctx, "k", "a").Val())
}

// TestRestoreBig restores sets that are larger than a transaction, from Redis and back, with an expiry.
func TestRestoreBig(t *testing.T) {
	theirs, _ := redisServer(t)
	ours, _ := zrankServer(t, resp.Options{})
	ctx := t.Context()
	n := 400_000
	if invariants.Enabled { // each change of a set then checks the whole set
		n = 10_000
	}
	for lo := 0; lo < n; lo += 1000 {
		words := []any{"zadd", "k"}
		for i := lo; i < lo+1000; i++ {
			words = append(words, i*7919%n, fmt.Sprintf("player:%09d:%09d", i*104_729%n, i))
		}
		require.NoError(t, theirs.Do(ctx, words...).Err())
	}
	d, err := theirs.Dump(ctx, "k").Result()
	require.NoError(t, err)
	require.NoError(t, ours.Restore(ctx, "k", time.Hour, d).Err())
	require.ErrorContains(t, ours.Restore(ctx, "k", time.Hour, d).Err(), "BUSYKEY")
	require.NoError(t, ours.Set(ctx, "s", "text", 0).Err())
	require.ErrorContains(t, ours.Restore(ctx, "s", 0, d).Err(), "BUSYKEY")
	require.NoError(t, ours.RestoreReplace(ctx, "s", 0, d).Err())
	require.Equal(t, "zset", ours.Type(ctx, "s").Val())
	require.InDelta(t, time.Hour, ours.PTTL(ctx, "k").Val(), float64(10*time.Minute))
	back, err := ours.Dump(ctx, "k").Result()
	require.NoError(t, err)
	require.True(t, d == back, "the dumps differ")
	require.NoError(t, ours.RestoreReplace(ctx, "k", time.Millisecond, d).Err())
	large, _ := zrankServer(t, resp.Options{MaxReply: 100_000})
	require.NoError(t, large.Restore(ctx, "k", 0, d).Err())
	require.ErrorContains(t, large.Dump(ctx, "k").Err(), "larger than the limit of 100000 bytes")
}

// TestRestoreInflated refuses a small dump whose string becomes larger than the server may store, or than its clients may hold, before it becomes so large.
func TestRestoreInflated(t *testing.T) {
	d, err := rdb.NewDumper(rdb.WriteOptions{Compress: true})
	require.NoError(t, err)
	stored, err := engine.Open("d", engine.Options{FS: memfs.New()})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, stored.Close()) })
	memory, err := engine.New(engine.Options{})
	require.NoError(t, err)
	for _, x := range []struct {
		e    *engine.Engine
		size int
		want string
	}{{stored, 62 << 20, "more than 16777216 bytes"}, {memory, 62 << 20, "no memory for the reply"}} {
		s, err := resp.New(t.Context(), x.e, resp.Options{ClientMemory: 32 << 20})
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, s.Close()) })
		addr, err := s.Listen("127.0.0.1:0")
		require.NoError(t, err)
		c := redis.NewClient(&redis.Options{Addr: addr.String()})
		t.Cleanup(func() { _ = c.Close() })
		dump := string(d.String(nil, make([]byte, x.size)))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		require.ErrorContains(t, c.Restore(t.Context(), "k", 0, dump).Err(), x.want)
		runtime.ReadMemStats(&after)
		require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(16<<20))
	}
}

// TestRestoreInTransaction restores between MULTI and EXEC, and in other databases.
func TestRestoreInTransaction(t *testing.T) {
	ours, addr := zrankServer(t, resp.Options{})
	ctx := t.Context()
	require.NoError(t, ours.ZAdd(ctx, "k", redis.Z{Score: 1, Member: "a"}).Err())
	d := ours.Dump(ctx, "k").Val()
	_, err := ours.TxPipelined(ctx, func(p redis.Pipeliner) error {
		p.Restore(ctx, "j", 0, d)
		p.ZAdd(ctx, "j", redis.Z{Score: 2, Member: "b"})
		p.Dump(ctx, "j")
		return nil
	})
	require.NoError(t, err)
	require.EqualValues(t, 2, ours.ZCard(ctx, "j").Val())
	other := redis.NewClient(&redis.Options{Addr: addr, DB: 3})
	defer other.Close()
	require.NoError(t, other.Restore(ctx, "k", 0, d).Err())
	require.Equal(t, d, other.Dump(ctx, "k").Val())
	require.EqualValues(t, 1, other.DBSize(context.Background()).Val())
}
