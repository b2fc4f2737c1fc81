package resp

import (
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/memfs"
	store "github.com/zrankdb/zrank/persist"
	"github.com/zrankdb/zrank/server/resp/internal/command"
	"github.com/zrankdb/zrank/server/resp/internal/servercmd"
)

// TestConfigSetAllOrNone: CONFIG SET changes all settings of a request or none, and CONFIG SET accepts the values that CONFIG GET returns.
func TestConfigSetAllOrNone(t *testing.T) {
	p := startServer(t, engine.Options{}, Options{})
	for _, line := range []string{
		"CONFIG SET zset-max-listpack-entries 5 zset-max-listpack-value x",
		"CONFIG SET zset-max-listpack-entries 5 port 1",
		"CONFIG SET zset-max-listpack-entries 5 no-such 1",
		"CONFIG SET zset-max-listpack-entries 5 zset-max-listpack-entries 6",
	} {
		require.True(t, strings.HasPrefix(p.line(line), "-ERR "), line)
		require.Equal(t, []string{"zset-max-listpack-entries", "128"}, bulks(p.line("CONFIG GET zset-max-listpack-entries")), line)
	}
	require.Equal(t, "+OK\r\n", p.line("CONFIG SET zset-max-listpack-entries 2 maxclients 3 timeout 60"))
	p.another()
	p.another()
	require.Equal(t, "-ERR max number of clients reached\r\n", p.another().reply())
	require.Equal(t, ":3\r\n", p.line("ZADD z 1 a 2 b 3 c"))
	require.Equal(t, "$skiplist", oneLine(p.line("OBJECT ENCODING z")))
	entries, member := p.s.e.Listpack()
	require.Equal(t, []int{2, 64}, []int{entries, member})
	all := bulks(p.line("CONFIG GET *"))
	require.Len(t, all, 2*len(servercmd.Parameters))
	for i := 0; i < len(all); i += 2 {
		reply := p.do("CONFIG", "SET", all[i], all[i+1])
		if reply != "+OK\r\n" { // test suites restore settings in this way
			require.Contains(t, reply, "can't set immutable config", all[i])
		}
	}
	t.Logf("%d settings", len(servercmd.Parameters))
}

// TestInfo checks the sections of INFO and the values of some of its fields.
func TestInfo(t *testing.T) {
	e, err := engine.Open(t.TempDir(), engine.Options{Durability: engine.Interval})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, e.Close()) })
	p := serve(t, e, Options{})
	p.line("ZADD z 1 a")
	p.line("ZADD z 2 a")
	p.line("CONFIG GET save")
	text := bulks(p.line("INFO"))
	require.Len(t, text, 1)
	whole := strings.SplitN(p.line("INFO everything"), "\r\n", 2)[1]
	have := map[string]string{}
	sections := 0
	for line := range strings.SplitSeq(strings.TrimSuffix(whole, "\r\n\r\n"), "\r\n") {
		require.NotContains(t, line, "\n")
		if strings.HasPrefix(line, "# ") {
			sections++
			continue
		}
		name, value, ok := strings.Cut(line, ":")
		require.True(t, ok || line == "", "%q", line)
		have[name] = value
	}
	for name, want := range map[string]string{
		"redis_version": command.RedisVersion, "connected_clients": "1", "blocked_clients": "0", "aof_enabled": "1", "zrank_durability": "interval",
		"role": "master", "db0": "keys=1,expires=0,avg_ttl=0", "zrank_members_in_memory": "1", "maxmemory": "0",
		"cmdstat_zadd": "calls=2,usec=0,usec_per_call=0.00,rejected_calls=0,failed_calls=0",
	} {
		require.Equal(t, want, have[name], name)
	}
	for _, name := range []string{"zrank_version", "used_memory", "used_memory_human", "tcp_port", "uptime_in_seconds", "rdb_last_save_time", "used_cpu_user"} {
		require.NotEmpty(t, have[name], name)
	}
	require.Contains(t, have, "cmdstat_config|get")
	require.NotContains(t, p.line("INFO"), "cmdstat_")
	require.Equal(t, "$0\r\n\r\n", p.line("INFO nothing"))
	require.Equal(t, "+OK\r\n", p.line("CONFIG RESETSTAT"))
	require.NotContains(t, p.line("INFO commandstats"), "cmdstat_zadd")
	t.Logf("%d sections, %d figures", sections, len(have))
}

// TestSnapshotsByCommand: SAVE, BGSAVE and SHUTDOWN SAVE take snapshots. SHUTDOWN and DEBUG are refused unless the options allow them.
func TestSnapshotsByCommand(t *testing.T) {
	e, err := engine.Open(t.TempDir(), engine.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, e.Close()) })
	ended := make(chan struct{})
	p := serve(t, e, Options{Shutdown: func() { close(ended) }})
	p.line("ZADD z 1 a")
	require.Equal(t, "+OK\r\n", p.line("SAVE"))
	st, err := e.Stats()
	require.NoError(t, err)
	require.EqualValues(t, 1, st.Snapshots.Taken)
	require.Equal(t, "+Background saving started\r\n", p.line("BGSAVE"))
	require.Regexp(t, `^:\d{10}\r\n$`, p.line("LASTSAVE"))
	refused := serve(t, e, Options{})
	require.Contains(t, refused.line("SHUTDOWN"), "-ERR SHUTDOWN is not allowed")
	require.Contains(t, refused.line("DEBUG SLEEP 0"), "-ERR DEBUG command not allowed.")
	p.send("SHUTDOWN", "SAVE")
	<-ended
	_, err = p.in.ReadByte()
	require.Error(t, err, "nothing is answered")
}

// TestNothingIsSavedInMemory: where nothing is stored, SAVE, BGSAVE and SHUTDOWN SAVE fail, and so does CONFIG SET appendonly yes, which succeeds where
// everything is stored; appendonly no is the other way round.
func TestNothingIsSavedInMemory(t *testing.T) {
	memory := startServer(t, engine.Options{}, Options{Shutdown: func() { t.Error("the program ends, and nothing is saved") }})
	for _, line := range []string{"SAVE", "BGSAVE", "BGSAVE SCHEDULE", "SHUTDOWN SAVE"} {
		require.Equal(t, "-ERR nothing can be saved: the server has no directory, and keeps everything in memory\r\n", memory.line(line), line)
	}
	require.Contains(t, memory.line("CONFIG SET appendonly yes"), "-ERR CONFIG SET failed")
	require.Equal(t, "+OK\r\n", memory.line("CONFIG SET appendonly no"))
	e, err := engine.Open("d", engine.Options{FS: memfs.New()})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, e.Close()) })
	stored := serve(t, e, Options{})
	require.Equal(t, "+OK\r\n", stored.line("CONFIG SET appendonly yes"))
	require.Contains(t, stored.line("CONFIG SET appendonly no"), "-ERR CONFIG SET failed")
	require.Equal(t, "+OK\r\n", stored.line("SAVE"))
}

// TestDebugReload: sets that DEBUG RELOAD rebuilds keep their members and their expiry.
func TestDebugReload(t *testing.T) {
	p := startServer(t, engine.Options{}, Options{Debug: true})
	long := strings.Repeat("c", 65)
	for _, key := range []string{"z", "stays"} {
		p.line("ZADD " + key + " 1 a 2 b 3 " + long)
		p.line("ZREM " + key + " " + long)
		require.Equal(t, "$skiplist", oneLine(p.line("OBJECT ENCODING "+key)))
	}
	require.Equal(t, ":1\r\n", p.line("EXPIREAT z 9999999999"))
	require.Equal(t, "+OK\r\n", p.line("DEBUG RELOAD"))
	for key, expires := range map[string]string{"z": ":9999999999\r\n", "stays": ":-1\r\n"} {
		require.Equal(t, "$listpack", oneLine(p.line("OBJECT ENCODING "+key)))
		require.Equal(t, []string{"a", "1", "b", "2"}, bulks(p.line("ZRANGE "+key+" 0 -1 WITHSCORES")))
		require.Equal(t, expires, p.line("EXPIRETIME "+key))
	}
}

// TestReservedLeft: an earlier version let clients make a sorted set under a reserved key. Clients can read such a set, copy it and rename it
// away. FLUSHALL, DEBUG RELOAD and all commands that change sets leave it as it is.
func TestReservedLeft(t *testing.T) {
	mem, board := store.MemFS(), "board/mine"
	s, err := store.Open("db", store.Options{FS: mem})
	require.NoError(t, err)
	var b store.Batch
	b.Create(board, []byte{0, 0, 0, 0, 0, 0, 0, 0, 2}) // no ties, version 2
	for i, member := range []string{"a", "b"} {
		b.Put(board, []byte(member), binary.BigEndian.AppendUint64(nil, math.Float64bits(float64(i+1))))
	}
	_, err = s.Append(&b)
	require.NoError(t, err)
	require.NoError(t, s.Close())
	e, err := engine.Open("db", engine.Options{FS: mem})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, e.Close()) })
	p := serve(t, e, Options{Debug: true})
	p.line("ZADD own 1 a 2 b")
	require.NoError(t, e.Snapshot())
	require.NoError(t, e.Unload(board))
	e.SetListpack(1, 64)
	require.Equal(t, "$skiplist", oneLine(p.line("OBJECT ENCODING "+board)))
	e.SetListpack(128, 64)
	for _, line := range []string{"ZADD KEY 3 c", "ZREM KEY a", "ZPOPMIN KEY", "BZPOPMIN KEY 0", "DEL KEY", "EXPIRE KEY 10", "RENAME own KEY", "COPY own KEY REPLACE",
		"ZUNIONSTORE KEY 1 own", "SET KEY x"} {
		require.Equal(t, "-"+string(command.ErrReadOnly)+"\r\n", p.line(strings.ReplaceAll(line, "KEY", board)), line)
	}
	require.Equal(t, "+OK\r\n", p.line("DEBUG RELOAD"))
	require.Equal(t, "$skiplist", oneLine(p.line("OBJECT ENCODING "+board)))
	require.Equal(t, "+OK\r\n", p.line("FLUSHALL"))
	require.Equal(t, []string{"a", "1", "b", "2"}, bulks(p.line("ZRANGE "+board+" 0 -1 WITHSCORES")))
	require.Equal(t, ":0\r\n", p.line("EXISTS own"))
	require.Equal(t, ":1\r\n", p.line("COPY "+board+" copy"))
	require.Equal(t, "+OK\r\n", p.line("RENAME "+board+" mine"))
	require.Equal(t, ":1\r\n", p.line("ZADD mine 3 c"))
	require.Equal(t, "*2\r\n", p.line("KEYS *")[:4])
}
