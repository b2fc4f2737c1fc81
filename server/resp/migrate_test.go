package resp_test

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/server/resp"
)

// hostPort splits an address for MIGRATE.
func hostPort(t *testing.T, addr string) []any {
	t.Helper()
	host, port, err := net.SplitHostPort(addr)
	require.NoError(t, err)
	return []any{host, port}
}

// migrateTo sends MIGRATE and returns the reply as a text.
func migrateTo(t *testing.T, c *redis.Client, addr string, words ...any) string {
	t.Helper()
	v, err := c.Do(t.Context(), append(append([]any{"migrate"}, hostPort(t, addr)...), words...)...).Result()
	if err != nil {
		return err.Error()
	}
	return fmt.Sprint(v)
}

// TestMigrate moves keys from the server to Redis and back, with expiry, to another database, and copies them.
func TestMigrate(t *testing.T) {
	theirs, theirAddr := redisServer(t)
	require.NoError(t, theirs.ConfigSet(t.Context(), "requirepass", "secret").Err())
	_, ourAddr := zrankServer(t, resp.Options{Users: []resp.User{{Name: "default", Password: "pw"}, {Name: "mover", Password: "m"}}})
	ctx := t.Context()
	theirs = login(t, theirAddr, "", "secret")
	ours := login(t, ourAddr, "", "pw")
	require.NoError(t, ours.ZAdd(ctx, "a", redis.Z{Score: 1.5, Member: "x"}, redis.Z{Score: 2, Member: "y"}).Err())
	require.NoError(t, ours.SAdd(ctx, "b", 1, 2, 3).Err())
	require.NoError(t, ours.Set(ctx, "c", "text", time.Hour).Err())
	want := map[string]string{"a": ours.Dump(ctx, "a").Val(), "b": ours.Dump(ctx, "b").Val(), "c": ours.Dump(ctx, "c").Val()}

	require.Equal(t, "OK", migrateTo(t, ours, theirAddr, "a", 0, 5000, "copy", "auth", "secret"))
	require.EqualValues(t, 3, ours.DBSize(ctx).Val())
	require.Equal(t, want["a"], theirs.Dump(ctx, "a").Val())
	busy := "ERR Target instance replied with error: BUSYKEY Target key name already exists."
	require.Equal(t, busy, migrateTo(t, ours, theirAddr, "", 0, 5000, "auth", "secret", "keys", "b", "a", "none"))
	require.Equal(t, []int64{0, 1}, []int64{ours.Exists(ctx, "b").Val(), ours.Exists(ctx, "a").Val()}) // b has moved
	require.Equal(t, "OK", migrateTo(t, ours, theirAddr, "", 0, 5000, "replace", "auth2", "default", "secret", "keys", "a", "c"))
	require.Zero(t, ours.DBSize(ctx).Val())
	for key, dump := range want {
		require.Equal(t, dump, theirs.Dump(ctx, key).Val(), key)
	}
	require.InDelta(t, time.Hour, theirs.PTTL(ctx, "c").Val(), float64(10*time.Minute))
	require.Equal(t, "NOKEY", migrateTo(t, ours, theirAddr, "a", 0, 5000))

	require.Equal(t, "OK", migrateTo(t, theirs, ourAddr, "", 2, 5000, "auth2", "mover", "m", "keys", "a", "b", "c"))
	require.Zero(t, theirs.DBSize(ctx).Val())
	two := redis.NewClient(&redis.Options{Addr: ourAddr, DB: 2, Password: "pw"})
	defer two.Close()
	for key, dump := range want {
		require.Equal(t, dump, two.Dump(ctx, key).Val(), key)
	}
	require.InDelta(t, time.Hour, two.PTTL(ctx, "c").Val(), float64(10*time.Minute))
}

// login returns a client of a user.
func login(t *testing.T, addr, user, password string) *redis.Client {
	t.Helper()
	c := redis.NewClient(&redis.Options{Addr: addr, Username: user, Password: password})
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// TestMigrateReplies compares replies with those of Redis, for targets that refuse, are not there, or are no target.
func TestMigrateReplies(t *testing.T) {
	theirs, theirAddr := redisServer(t)
	ours, _ := zrankServer(t, resp.Options{})
	other, locked := redisServer(t)
	require.NoError(t, other.ConfigSet(t.Context(), "requirepass", "secret").Err())
	free, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, free.Close())
	nobody := free.Addr().String()
	ctx := t.Context()
	for _, c := range []*redis.Client{theirs, ours} {
		require.NoError(t, c.ZAdd(ctx, "k", redis.Z{Score: 1, Member: "a"}).Err())
	}
	host, port, _ := net.SplitHostPort(nobody)
	_, lockedPort, _ := net.SplitHostPort(locked)
	for _, line := range []string{"H P k 0 100", "H P none 0 100", "H P k x 100", "H P k 0 x", "H P k 0 1.5", "H P k 0 100 foo", "H P k 0 100 copy keys k", "H P k 0 100 auth", "H P k 0 100 auth2 a",
		"H P k 0 100 keys", "H L k 0 900", "H L k 0 900 auth wrong", "H L k 0 900 auth2 nobody secret", "H L k 99 900 auth secret", "H L k 0 900 replace auth secret copy", "H L k 0 900 auth secret",
		"H L k 0 900 auth secret replace", "H L k 0 900", "nohost.invalid P j 0 100", "H P", "H P k 0"} {
		words := []any{"migrate"}
		for _, w := range strings.Fields(line) {
			words = append(words, strings.NewReplacer("H", host, "P", port, "L", lockedPort).Replace(w))
		}
		want, wanted := theirs.Do(ctx, words...).Result()
		got, err := ours.Do(ctx, words...).Result()
		require.Equal(t, fmt.Sprint(want, wanted), fmt.Sprint(got, err), line)
		require.Equal(t, theirs.Exists(ctx, "k").Val(), ours.Exists(ctx, "k").Val(), line)
	}
	_, err = ours.TxPipelined(ctx, func(p redis.Pipeliner) error {
		p.Do(ctx, append(append([]any{"migrate"}, hostPort(t, theirAddr)...), "k", 0, 10)...)
		return nil
	})
	require.Error(t, err)
}

// TestMigrateOnlyForAny: MIGRATE connects to where a client says, so that only users who may do anything may send it.
func TestMigrateOnlyForAny(t *testing.T) {
	_, addr := zrankServer(t, resp.Options{Users: []resp.User{{Name: "w", Password: "w", Kind: resp.WriteUser}, {Name: "m", Password: "m", Kind: resp.ModerateUser}, {Name: "root", Password: "r"}}})
	root := login(t, addr, "root", "r")
	require.NoError(t, root.Set(t.Context(), "text", "text", 0).Err())
	dump := root.Dump(t.Context(), "text").Val()
	for _, user := range []string{"w", "m"} {
		c := login(t, addr, user, user)
		require.ErrorContains(t, c.Do(t.Context(), "migrate", "127.0.0.1", "1", "k", "0", "10").Err(), "NOPERM")
		require.NoError(t, c.Restore(t.Context(), "k"+user, 0, dump).Err())
	}
	require.Equal(t, "NOKEY", root.Do(t.Context(), "migrate", "127.0.0.1", "1", "k", "0", "10").Val())
	list, err := root.Do(t.Context(), "acl", "list").StringSlice()
	require.NoError(t, err)
	require.True(t, slices.ContainsFunc(list, func(s string) bool { return strings.HasSuffix(s, "-@admin -@moderation -migrate") }), "%q", list)
}

// TestMigrateWhileWriting moves a set while clients add to it. Afterwards each member that was added is on one side at least, with its last score.
func TestMigrateWhileWriting(t *testing.T) {
	theirs, theirAddr := redisServer(t)
	ours, ourAddr := zrankServer(t, resp.Options{})
	ctx := t.Context()
	var stop atomic.Bool
	var writers sync.WaitGroup
	last := make([]int, 4)
	for w := range last {
		writers.Go(func() {
			c := redis.NewClient(&redis.Options{Addr: ourAddr})
			defer c.Close()
			for i := 1; !stop.Load() && i < 100_000; i++ {
				if c.ZAdd(ctx, "k", redis.Z{Score: float64(i), Member: fmt.Sprint("writer", w)}).Err() != nil {
					return
				}
				last[w] = i
			}
		})
	}
	moved := 0
	for i := range 30 {
		switch reply := migrateTo(t, ours, theirAddr, "k", 0, 5000, "replace"); {
		case reply == "OK":
			moved++
		case reply == "NOKEY" && i == 0:
		default:
			require.True(t, reply == "NOKEY" || strings.HasPrefix(reply, "ERR 1 keys have changed during each of 5 attempts"), reply)
		}
	}
	stop.Store(true)
	writers.Wait()
	require.Contains(t, []string{"OK", "NOKEY"}, migrateTo(t, ours, theirAddr, "k", 0, 5000, "replace"))
	require.Zero(t, ours.Exists(ctx, "k").Val())
	t.Log(moved, "moves while clients wrote")
	// The last move took what was written last. A writer whose last score came with an earlier move may be missing: REPLACE replaced it, as in Redis.
	seen := 0
	for w := range last {
		if score, err := theirs.ZScore(ctx, "k", fmt.Sprint("writer", w)).Result(); err == nil {
			require.Equal(t, float64(last[w]), score)
			seen++
		}
	}
	require.NotZero(t, seen)
}

// TestMigrateKeepsWhatChanged plays a target that lets a client change the key before it acknowledges: the new value is sent, and only then the key goes.
func TestMigrateKeepsWhatChanged(t *testing.T) {
	ours, ourAddr := zrankServer(t, resp.Options{})
	ctx := context.Background()
	require.NoError(t, ours.ZAdd(ctx, "k", redis.Z{Score: 1, Member: "a"}).Err())
	for _, changes := range []int{1, 100} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		requests := make(chan []string, 100)
		go func() {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			defer conn.Close()
			other := redis.NewClient(&redis.Options{Addr: ourAddr})
			defer other.Close()
			in := bufio.NewReader(conn)
			for n := 0; ; {
				words, err := readRequest(in)
				if err != nil {
					return
				}
				requests <- words
				if words[0] == "RESTORE" && n < changes {
					n++
					_ = other.ZAdd(ctx, "k", redis.Z{Score: float64(n), Member: "b"}).Err()
				}
				_, _ = conn.Write([]byte("+OK\r\n"))
			}
		}()
		reply := migrateTo(t, ours, l.Addr().String(), "k", 0, 5000)
		require.NoError(t, l.Close())
		names := []string{}
		for len(requests) > 0 {
			words := <-requests
			names = append(names, words[0]+" "+words[len(words)-1][:2])
		}
		if changes == 1 {
			require.Equal(t, "OK", reply)
			require.Equal(t, []string{"SELECT", "RESTORE", "RESTORE"}, firstWords(names))
			require.Equal(t, "RESTORE RE", names[2]) // with REPLACE
			require.Zero(t, ours.Exists(ctx, "k").Val())
			require.NoError(t, ours.ZAdd(ctx, "k", redis.Z{Score: 1, Member: "a"}).Err())
		} else {
			require.Equal(t, "ERR 1 keys have changed during each of 5 attempts, such as 'k': they are on both servers", reply)
			require.EqualValues(t, 2, ours.ZCard(ctx, "k").Val())
		}
	}
}

func firstWords(lines []string) (words []string) {
	for _, l := range lines {
		words = append(words, strings.Fields(l)[0])
	}
	return words
}

// readRequest reads a request as an array of bulk strings.
func readRequest(in *bufio.Reader) ([]string, error) {
	var n int
	if _, err := fmt.Fscanf(in, "*%d\r\n", &n); err != nil {
		return nil, err
	}
	words := make([]string, n)
	for i := range words {
		var size int
		if _, err := fmt.Fscanf(in, "$%d\r\n", &size); err != nil {
			return nil, err
		}
		b := make([]byte, size+2)
		for got := 0; got < len(b); {
			k, err := in.Read(b[got:])
			if err != nil {
				return nil, err
			}
			got += k
		}
		words[i] = string(b[:size]) + "  "
		words[i] = strings.TrimSuffix(words[i], "  ")
		if len(words[i]) < 2 {
			words[i] += "  "
		}
	}
	words[0] = strings.TrimSpace(words[0])
	return words, nil
}
