package replica

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine"
)

// asFile returns commands, one a line, as an append-only file has them.
func asFile(lines ...string) string {
	var b strings.Builder
	for _, line := range lines {
		var words [][]byte
		for _, w := range strings.Fields(line) {
			words = append(words, []byte(w))
		}
		b.Write(encode(words).raw)
	}
	return b.String()
}

// playAll plays a file on an empty engine whose clock stands before all expiries, sets the clock to the present, and answers questions.
func playAll(t *testing.T, file string, o PlayOptions, questions ...string) (*Played, []any, error) {
	t.Helper()
	var now atomic.Int64 // 1970
	e, err := engine.New(engine.Options{Clock: func() time.Time { return time.Unix(0, now.Load()) }})
	require.NoError(t, err)
	defer func() { require.NoError(t, e.Close()) }()
	require.NoError(t, Begin(t.Context(), e, "file"))
	played, err := Play(t.Context(), e, strings.NewReader(file), o)
	now.Store(time.Now().UnixNano())
	server, serverErr := newLocal(t.Context(), e)
	require.NoError(t, serverErr)
	defer func() { _ = server.Close() }()
	c := server.client(0)
	defer func() { _ = c.Close() }()
	var answers []any
	for _, q := range questions {
		var words []any
		for _, w := range strings.Fields(q) {
			words = append(words, w)
		}
		answer, err := c.Do(context.Background(), words...).Result()
		require.NoError(t, err, q)
		answers = append(answers, answer)
	}
	return played, answers, err
}

// TestPlay: commands are executed in order and in their databases, those of a transaction when it is whole, and remarks are passed over. A key whose
// expiry is past and that a later command prolongs keeps its members; one that is not prolonged is gone. Times to live count from now.
func TestPlay(t *testing.T) {
	ahead := time.Now().Add(time.Hour).UnixMilli()
	file := "#TS:1790000000\r\n" + asFile("SELECT 0", "ZADD z 1 a 2 b", "PEXPIREAT z 1000", "ZADD z 3 c", fmt.Sprint("PEXPIREAT z ", ahead),
		"SET s old", "MULTI", "ZINCRBY z 10 a", "SET s new EX 100000", "EXEC", "ZADD gone 1 a", "PEXPIREAT gone 1000", "SADD set x y", "SREM set x", "SET dropped 1",
		"DEL dropped", "SELECT 3", "ZADD z 5 other", "HSET h f v", "RPUSH l 1 2", "XADD x * a b")
	p, got, err := playAll(t, file, PlayOptions{Offset: 7}, "ZRANGE z 0 -1 WITHSCORES", "PEXPIRETIME z", "GET s", "TTL s", "SMEMBERS set", "EXISTS gone", "SELECT 3", "ZRANGE z 0 -1")
	require.NoError(t, err)
	require.Equal(t, []any{[]any{"b", "2", "c", "3", "a", "11"}, ahead, "new"}, got[:3])
	require.InDelta(t, 100000, got[3], 90000)
	require.Equal(t, []any{[]any{"y"}, int64(0)}, got[4:6])
	require.Equal(t, []any{"other"}, got[7])
	require.EqualValues(t, 16, p.Commands)
	require.EqualValues(t, 7+len(file), p.Offset)
	require.False(t, p.Cut)
	require.Empty(t, p.Failed)
	require.Equal(t, map[string]Tally{"HSET": {1, "h"}, "RPUSH": {1, "l"}, "XADD": {1, "x"}}, p.Types)
}

// TestPlayCut: whatever the place where a file is cut off, what is whole before it is executed, a transaction only as a whole, and Played has the place.
func TestPlayCut(t *testing.T) {
	parts := []string{asFile("SELECT 0"), asFile("ZADD z 1 a"), asFile("MULTI", "ZADD z 1 b", "ZADD z 1 c", "EXEC"), asFile("ZADD z 1 d")}
	file := strings.Join(parts, "")
	for at := range len(file) + 1 {
		want, whole, members := 0, 0, []int64{0, 0, 1, 3, 4}
		for whole < len(parts) && want+len(parts[whole]) <= at {
			want += len(parts[whole])
			whole++
		}
		p, got, err := playAll(t, file[:at], PlayOptions{}, "ZCARD z")
		require.NoError(t, err)
		require.Equal(t, members[whole], got[0], at)
		require.EqualValues(t, want, p.Offset, at)
		require.Equal(t, want < at, p.Cut, at)
	}
}

// TestPlayRefuses: a command that zrank does not have, a database beyond its last and damage end the playing with their place, and with DryRun too; what came
// before is executed. A command that fails is named.
func TestPlayRefuses(t *testing.T) {
	before := asFile("ZADD z 1 a")
	for _, c := range []struct {
		file, name string
		skip       string // what comes before the place, behind before
	}{{asFile("INCR n"), "INCR", ""}, {asFile("MULTI", "ZADD z 1 b", "INCR n"), "INCR", asFile("MULTI", "ZADD z 1 b")}, {asFile("SELECT 255"), "SELECT", ""},
		{"rubbish\r\n", "", ""}, {"*0\r\n", "", ""}, {"*1\r\n$0\r\n\r\n", "", ""}, {"*1\r\n$x\r\n", "", ""}} {
		for _, dry := range []bool{false, true} {
			_, got, err := playAll(t, before+c.file+asFile("ZADD z 1 c"), PlayOptions{DryRun: dry}, "ZCARD z")
			var have *CommandError
			require.ErrorAs(t, err, &have, "%q", c.file)
			require.Equal(t, c.name, have.Name)
			require.EqualValues(t, len(before)+len(c.skip), have.Offset)
			require.NotEmpty(t, have.Reason)
			require.Equal(t, map[bool]int64{false: 1, true: 0}[dry], got[0], "%q", c.file)
		}
	}
	p, _, err := playAll(t, asFile("ZADD z 1 a", "RENAME nothing y", "ZADD z 1 b"), PlayOptions{})
	require.NoError(t, err)
	require.Equal(t, map[string]Tally{"RENAME": {1, "nothing: ERR no such key"}}, p.Failed)
}

// TestBegin: an attempt that was interrupted begins again without its keys; one that has ended leaves keys that no other attempt deletes.
func TestBegin(t *testing.T) {
	e, err := engine.New(engine.Options{})
	require.NoError(t, err)
	defer func() { require.NoError(t, e.Close()) }()
	for range 2 {
		require.NoError(t, Begin(t.Context(), e, "file"))
		_, err = Play(t.Context(), e, strings.NewReader(asFile("ZINCRBY z 1 a")), PlayOptions{})
		require.NoError(t, err)
	}
	require.ErrorIs(t, Begin(t.Context(), e, "another"), ErrNotEmpty)
	require.NoError(t, End(t.Context(), e))
	require.ErrorIs(t, Begin(t.Context(), e, "file"), ErrNotEmpty)
	err = e.View(t.Context(), func(tx *engine.Tx) error {
		s, err := tx.Set("z")
		if err != nil {
			return err
		}
		score, ok := s.Score([]byte("a"))
		require.True(t, ok)
		require.EqualValues(t, 1, score)
		return nil
	}, "z")
	require.NoError(t, err)
}
