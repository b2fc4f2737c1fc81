package resp

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine"
)

const (
	done    = "*1\r\n+PONG\r\n"
	changed = "*-1\r\n"
)

// tried watches a key, calls change, and returns the reply of EXEC.
func (p *peer) tried(key string, change func()) string {
	p.t.Helper()
	p.line("WATCH " + key)
	change()
	return p.lines(1, "MULTI", "PING", "EXEC")
}

// TestWatchTheProgram: WATCH notices changes that the Go program makes in the engine.
func TestWatchTheProgram(t *testing.T) {
	p := startServer(t, engine.Options{}, Options{})
	e := p.s.e
	floats := func(member string, score float64) func() {
		return func() {
			require.NoError(t, e.Update(t.Context(), func(tx *engine.Tx) error {
				set, err := tx.Set("k")
				if err == nil {
					_, err = set.Add([]byte(member), score)
				}
				return err
			}, "k"))
		}
	}
	require.Equal(t, changed, p.tried("k", floats("a", 1)))
	require.Equal(t, done, p.tried("k", floats("a", 1)), "nothing changes")
	require.Equal(t, changed, p.tried("k", floats("b", 1)))
	require.Equal(t, changed, p.tried("k", func() {
		_, err := e.Delete(t.Context(), "k")
		require.NoError(t, err)
	}))
	require.Equal(t, changed, p.tried("k", func() {
		require.NoError(t, e.Update(t.Context(), func(tx *engine.Tx) error {
			set, err := tx.IntSet("k", engine.Form{})
			if err == nil {
				_, err = set.Add([]byte("m"), 1)
			}
			return err
		}, "k"))
	}), "a set with int64 scores")
	require.Equal(t, done, p.tried("k", func() {}))
}

// TestWatchExpiry: as in Redis, a key that expires after WATCH has changed, and a key that had expired before has not.
func TestWatchExpiry(t *testing.T) {
	var now atomic.Int64
	now.Store(1_700_000_000_000)
	p := startServer(t, engine.Options{Clock: func() time.Time { return time.UnixMilli(now.Load()) }}, Options{})
	for _, make := range []string{"ZADD k 1 m", "SET k v", "SADD k m"} {
		p.lines(0, make, "PEXPIRE k 100")
		require.Equal(t, done, p.tried("k", func() { now.Add(50) }), make)
		require.Equal(t, changed, p.tried("k", func() { now.Add(100) }), make)
		require.Equal(t, done, p.tried("k", func() { require.Equal(t, ":0\r\n", p.line("EXISTS k")) }), make)
		p.lines(0, make, "PEXPIRE k 100")
		now.Add(100)
		require.Equal(t, done, p.tried("k", func() { p.another().line("DEL k") }), make)
	}
}

// TestWatchAndUsers: if AUTH inside a transaction changes the user to one with ReadOnly, EXEC refuses the writes after it.
func TestWatchAndUsers(t *testing.T) {
	p := startServer(t, engine.Options{}, Options{Users: []User{{Name: "rw", Password: "a"}, {Name: "ro", Password: "b", Kind: ReadUser}}})
	p.line("AUTH rw a")
	require.Equal(t, "*3\r\n:1\r\n+OK\r\n-NOPERM this user has no permissions to run the 'zadd' command\r\n",
		p.lines(3, "MULTI", "ZADD k 1 before", "AUTH ro b", "ZADD k 1 after", "EXEC"))
	require.Equal(t, ":1\r\n", p.line("ZCARD k"))
}
