package resp

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/testclock"
	"github.com/zrankdb/zrank/server/resp/internal/command"
	"github.com/zrankdb/zrank/server/resp/internal/keyspace"
)

// TestSetsOfTheProgram: every command on keys sees sets with int64 scores, and none changes them.
func TestSetsOfTheProgram(t *testing.T) {
	p := startServer(t, engine.Options{}, Options{})
	require.NoError(t, p.s.e.Update(t.Context(), func(tx *engine.Tx) error {
		s, err := tx.IntSet("b", engine.Form{})
		require.NoError(t, err)
		_, err = s.Add([]byte("ada"), 5)
		return err
	}, "b"))
	for _, row := range [][2]string{
		{"EXISTS b", ":1"}, {"TYPE b", "+zset"}, {"TTL b", ":-1"}, {"PERSIST b", ":0"}, {"OBJECT ENCODING b", "$listpack"},
		{"DBSIZE", ":1"}, {"RANDOMKEY", "$b"}, {"RENAMENX b b", ":0"}, {"RENAME b b", "+OK"}, {"EXPIRE b 10 XX", ":0"}, {"SET b v NX", "$-1"},
		{"SET free v", "+OK"}, {"SADD plain m", ":1"}, {"RENAMENX free b", ":0"}, {"COPY free b", ":0"},
	} {
		require.Equal(t, row[1], oneLine(p.line(row[0])), row[0])
	}
	require.Equal(t, []string{"b"}, bulks(p.line("KEYS b*")))
	require.Equal(t, []string{"b"}, scanned(p, "TYPE", "zset"))
	refused := []string{"DEL b", "DEL free b", "UNLINK b", "EXPIRE b 10", "PEXPIREAT b 1", "RENAME b x", "RENAMENX b x", "RENAME free b", "RENAME plain b",
		"COPY b x", "COPY free b REPLACE", "SET b v", "SET b v XX"}
	for _, line := range refused {
		require.Equal(t, fixedReply, oneLine(p.line(line)), line)
	}
	for _, line := range []string{"GET b", "SADD b m", "SREM b m", "SCARD b", "SMEMBERS b", "SISMEMBER b m", "SET b v GET"} {
		require.Equal(t, "-"+string(command.ErrWrongType), oneLine(p.line(line)), line)
	}
	require.Equal(t, ":3", oneLine(p.line("EXISTS b free plain")), "refused commands change nothing")
	require.Equal(t, "+OK", oneLine(p.line("FLUSHALL")))
	require.Equal(t, []string{"b"}, bulks(p.line("KEYS *")))
	for _, line := range []string{"MULTI", "SET s v", "FLUSHALL", "KEYS *"} {
		p.line(line)
	}
	require.Equal(t, "*3|+OK|+OK|*1|$1|b", oneLine(p.line("EXEC")))
	t.Logf("%d commands refused", len(refused))
}

// TestScanWhileKeysChange: SCAN returns every key that exists during the whole walk, whatever its kind, while other keys are created and
// deleted.
func TestScanWhileKeysChange(t *testing.T) {
	p := startServer(t, engine.Options{}, Options{})
	other := p.another()
	const n = 150
	for i := range n {
		require.Equal(t, ":1\r\n", p.do("ZADD", fmt.Sprintf("stays%d", i), "1", "m"))
		require.Equal(t, "+OK\r\n", p.do("SET", fmt.Sprintf("stays%d-plain", i), "v"))
	}
	seen, steps, gone := map[string]bool{}, 0, 0
	for cursor := "0"; steps == 0 || cursor != "0"; steps++ {
		found := bulks(p.do("SCAN", cursor, "COUNT", "7"))
		require.Less(t, len(cursor), 17, "clients may keep cursors in floating point")
		cursor = found[0]
		for _, key := range found[1:] {
			seen[key] = true
		}
		for i := range 5 {
			key := fmt.Sprintf("comes%d", (steps*7+i)%40)
			if steps%2 == 0 {
				other.do("SET", key, "v")
			} else {
				other.do("DEL", key)
				other.do("ZADD", key, "1", "m")
				gone++
			}
		}
	}
	for i := range n {
		require.True(t, seen[fmt.Sprintf("stays%d", i)] && seen[fmt.Sprintf("stays%d-plain", i)], i)
	}
	t.Logf("%d keys, a walk of %d steps, %d others that changed", 2*n, steps, gone)
}

// TestCountsOfDatabases: DBSIZE and INFO count the keys of each database, of every kind, also those that another server has made.
func TestCountsOfDatabases(t *testing.T) {
	p := startServer(t, engine.Options{}, Options{})
	p.line("ZADD a 1 m")
	p.line("SET b v EX 100")
	p.do("ZADD", "\x00zero", "1", "m")
	require.Equal(t, ":3\r\n", p.line("DBSIZE"))
	p.line("SELECT 3")
	p.line("ZADD a 1 m")
	p.line("EXPIRE a 100")
	require.Equal(t, ":1\r\n", p.line("DBSIZE"))
	const want = "# Keyspace\r\ndb0:keys=3,expires=1,avg_ttl=0\r\ndb3:keys=1,expires=1,avg_ttl=0\r\n"
	require.Contains(t, p.line("INFO keyspace"), want)
	again := serve(t, p.s.e, Options{})
	require.Equal(t, []string{"\x00zero"}, bulks(again.do("KEYS", "\x00z*")))
	require.Equal(t, []string{"a"}, bulks(again.do("KEYS", `\a`)))
	require.Contains(t, again.line("INFO keyspace"), want)
	require.Equal(t, []string{"\x00zero", "a", "b"}, slices.Sorted(slices.Values(bulks(again.line("KEYS *")))))
	require.Equal(t, "+OK\r\n", again.line("FLUSHDB"))
	require.Equal(t, ":1\r\n", p.line("DBSIZE"))
	require.Equal(t, ":0\r\n", again.line("DBSIZE"))
}

// TestPlainValuesLeave: expired plain values are removed from memory in the end. A value that a client stores at the same time stays visible.
func TestPlainValuesLeave(t *testing.T) {
	clock := testclock.New()
	p := startServer(t, engine.Options{Clock: clock.Now}, Options{})
	most := 0
	for i := range 6 * keyspace.SweepMore {
		require.Equal(t, "+OK\r\n", p.do("SET", fmt.Sprint("k", i), "v", "PX", "5"))
		clock.Add(time.Millisecond)
		most = max(most, p.s.host.Space.PlainCount())
	}
	require.Less(t, most, 2*keyspace.SweepMore)
	clock.Add(time.Second)
	require.Equal(t, ":0\r\n", p.line("DBSIZE"))
	t.Logf("%d strings of 5 ms: %d known at most, %d at the end", 6*keyspace.SweepMore, most, p.s.host.Space.PlainCount())
}

// TestPlainValuesOfManyClients: after many clients have set, deleted and renamed the same keys, the server has the values that are stored.
func TestPlainValuesOfManyClients(t *testing.T) {
	p := startServer(t, engine.Options{}, Options{})
	const clients, each, keys = 6, 300, 3
	var all sync.WaitGroup
	for i := range clients {
		c := p.another()
		all.Go(func() {
			for j := range each {
				key := fmt.Sprint("k", (i+j)%keys)
				switch (i + j/keys) % 4 {
				case 0, 1:
					c.do("SET", key, fmt.Sprint(i, " ", j))
				case 2:
					c.do("DEL", key)
				case 3:
					c.do("RENAME", key, fmt.Sprint("k", (i+j+1)%keys))
				}
			}
		})
	}
	all.Wait()
	fresh := serve(t, p.s.e, Options{}) // a new server has read what is stored
	var values []string
	for i := range keys {
		key := fmt.Sprint("k", i)
		want := fresh.do("GET", key)
		require.Equal(t, want, p.do("GET", key), key)
		values = append(values, oneLine(want))
	}
	t.Logf("%d commands of %d clients; left: %s", clients*each, clients, strings.Join(values, ", "))
}

// TestPlainValuesHaveALimit: the engine's memory limit holds for plain values too.
func TestPlainValuesHaveALimit(t *testing.T) {
	const limit = 1 << 20
	p := startServer(t, engine.Options{MemoryLimit: limit}, Options{})
	value := strings.Repeat("v", 50_000)
	stored := 0
	for reply := ""; reply != "-OOM command not allowed when used memory > 'maxmemory'.\r\n"; stored++ {
		require.Less(t, stored*len(value), limit)
		reply = p.do("SET", fmt.Sprint("k", stored), value)
	}
	require.Equal(t, fmt.Sprintf(":%d\r\n", stored-1), p.line("DBSIZE"))
	require.Equal(t, ":1\r\n", p.line("DEL k0"))
	require.Equal(t, "+OK\r\n", p.do("SET", "k0", value))
	require.Equal(t, "$"+value, oneLine(p.line("GET k0")))
	t.Logf("%d strings of %d bytes within %d", stored-1, len(value), limit)
}
