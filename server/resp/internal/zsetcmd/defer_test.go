package zsetcmd

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/server/resp/internal/command"
	"github.com/zrankdb/zrank/server/resp/internal/session"
	"github.com/zrankdb/zrank/server/resp/internal/sessiontest"
)

// fill adds n members to a key, numbered 0, step, 2*step and so on, with few different scores.
func (d desk) fill(key string, n, step int) {
	d.t.Helper()
	for from := 0; from < n; from += 500 {
		words := []string{"ZADD", key}
		for i := from; i < min(from+500, n); i++ {
			words = append(words, fmt.Sprint(i*step%97), fmt.Sprintf("m%06d", i*step))
		}
		require.Equal(d.t, fmt.Sprintf(":%d\r\n", min(500, n-from)), d.ask(strings.Join(words, " ")))
	}
}

// deferAbove sets Host.DeferAbove: operations on more entries are deferred.
func (d desk) deferAbove(entries int) desk {
	d.Host.DeferAbove = entries
	return d
}

// step returns a command and the engine's words for its keys.
func (d desk) step(line string) (s session.Step, keys []string) {
	a := sessiontest.Words(line)
	s = session.Step{Command: d.Host.Commands.Lookup(a[0]), Args: a, DB: d.DB}
	s.Command.Each(d.DB, a, func(db int, key []byte) { keys = append(keys, d.Names.Of(db, key)) })
	return s, keys
}

// now runs a command in a transaction, as between MULTI and EXEC.
func (d desk) now(line string) string {
	s, keys := d.step(line)
	later, err := tryNow(d.Client, s, keys, false)
	require.NoError(d.t, err, line)
	require.Nil(d.t, later, line)
	return d.taken()
}

// later begins a command that must be deferred, and returns the deferred operation.
func (d desk) later(line string) func() error {
	s, keys := d.step(line)
	deferred, err := tryNow(d.Client, s, keys, true)
	require.NoError(d.t, err, line)
	require.NotNil(d.t, deferred, line)
	require.Empty(d.t, d.taken(), "a deferred operation has been answered")
	return deferred
}

// TestBigOperations: deferred operations have the same results as in a transaction, and small operations are not deferred.
func TestBigOperations(t *testing.T) {
	d := newDesk(t, sessiontest.Options{}).deferAbove(130)
	d.fill("a", 150, 1)
	d.fill("b", 125, 2)
	d.fill("c", 250, 3)
	d.ask("ZADD few 1 m000006 2 nobody")
	lines := 0
	for _, line := range []string{
		"ZUNION 2 a b", "ZUNION 3 a b c WEIGHTS 2 -1 0.5 AGGREGATE MAX WITHSCORES", "ZUNION 2 c nokey AGGREGATE COUNT WITHSCORES",
		"ZINTER 2 a c WITHSCORES", "ZINTER 3 c b a AGGREGATE MIN WITHSCORES", "ZINTERCARD 2 a c", "ZINTERCARD 2 a c LIMIT 7",
		"ZDIFF 2 a c", "ZDIFF 3 a b c WITHSCORES",
	} {
		require.NoError(t, d.later(line)(), line)
		got := d.taken()
		require.True(t, d.now(line) == got, line)
		lines++
	}
	for _, line := range []string{
		"ZUNIONSTORE d 2 a b WEIGHTS 1 3", "ZINTERSTORE d 2 a c", "ZDIFFSTORE d 2 c a", "ZDIFFSTORE d 2 c c",
		"ZRANGESTORE d c 5 -6", "ZRANGESTORE d c 96 (3 BYSCORE REV LIMIT 3 230", "ZRANGESTORE d c 0 -5 REV",
	} {
		d.ask("ZADD d 1 old")
		d.ask("PEXPIRE d 100000")
		n := d.now(line)
		want := d.now("ZRANGE d 0 -1 WITHSCORES")
		d.ask("DEL d")
		d.ask("ZADD d 1 old")
		d.ask("PEXPIRE d 100000")
		require.NoError(t, d.later(line)(), line)
		require.Equal(t, n, d.taken(), line)
		require.True(t, d.now("ZRANGE d 0 -1 WITHSCORES") == want, line)
		require.Contains(t, []string{":-1\r\n", ":-2\r\n"}, d.ask("TTL d"), "%s: the expiry goes with what was there", line)
		lines++
	}
	for _, line := range []string{"ZUNION 2 few b", "ZINTER 2 few c WITHSCORES", "ZDIFF 2 few c", "ZRANGESTORE d c 0 99"} {
		s, keys := d.step(line)
		later, err := tryNow(d.Client, s, keys, true)
		require.NoError(t, err)
		require.Nil(t, later, "%s is little work", line)
		d.taken()
	}
	t.Logf("%d operations, by the engine and in a transaction", lines)
}

// TestBigOperationsOvertaken changes the value of a key between the first transaction of a command and its deferred operation.
func TestBigOperationsOvertaken(t *testing.T) {
	for _, row := range []struct{ line, change, want string }{
		{"ZUNION 2 a b", "SET a x", "-" + string(command.ErrWrongType)},
		{"ZINTERCARD 2 a b", "SET b x", "-" + string(command.ErrWrongType)},
		{"ZUNIONSTORE d 2 a b", "SET a x", "-" + string(command.ErrWrongType)},
		{"ZUNIONSTORE d 2 a b", "SET d x", ":150"},
		{"ZUNIONSTORE d 2 a b", "DEL a b", ":0"},
		{"ZDIFFSTORE d 2 a b", "DEL a", ":0"},
		{"ZDIFFSTORE d 2 a b", "SET d x", ":0"},
		{"ZRANGESTORE d a 0 -1", "SET a x", "-" + string(command.ErrWrongType)},
		{"ZRANGESTORE d a 0 -1", "SADD d x", ":150"},
	} {
		d := newDesk(t, sessiontest.Options{}).deferAbove(130)
		d.fill("a", 150, 1)
		d.fill("b", 150, 1)
		later := d.later(row.line)
		d.ask(row.change)
		if err := later(); err != nil {
			require.ErrorIs(t, err, errInputChanged)
			d.taken()
			require.Equal(t, row.want+"\r\n", d.ask(row.line), row.line)
			continue
		}
		require.Equal(t, row.want+"\r\n", d.taken(), row.line)
		if row.want != ":0" {
			require.Equal(t, "+zset\r\n", d.ask("TYPE d"))
			require.Equal(t, ":1\r\n", d.ask("DEL d"))
		}
		if strings.HasSuffix(row.change, " d x") {
			require.Equal(t, "+none\r\n", d.ask("TYPE d"), "nothing is left below the set")
		}
	}
}

// TestBigOperationsAbandoned: a deferred operation ends when Close stops waiting for it, and stores nothing.
func TestBigOperationsAbandoned(t *testing.T) {
	for _, line := range []string{"ZUNION 2 a b", "ZINTERCARD 2 a b", "ZUNIONSTORE d 2 a b", "ZRANGESTORE d a 0 -1"} {
		d := newDesk(t, sessiontest.Options{}).deferAbove(130)
		d.fill("a", 150, 1)
		d.fill("b", 150, 1)
		later := d.later(line)
		d.abandon()
		require.ErrorIs(t, later(), context.Canceled, line)
		require.Empty(t, d.taken(), line)
		n, err := d.Host.Engine.Count()
		require.NoError(t, err)
		require.Equal(t, 2, n, line)
	}
}

// TestBigOperationsOnInts: if an input becomes a set with int64 scores before the deferred operation, the command runs in a transaction, on the
// scores that clients see.
func TestBigOperationsOnInts(t *testing.T) {
	d := newDesk(t, sessiontest.Options{}).deferAbove(130)
	d.fill("a", 150, 1)
	later := d.later("ZUNION 2 a nokey")
	require.NoError(t, d.Host.Engine.Update(t.Context(), func(tx *engine.Tx) error {
		if _, err := tx.Drop("a"); err != nil {
			return err
		}
		s, err := tx.IntSet("a", engine.Form{})
		if err != nil {
			return err
		}
		for i := range int64(150) {
			if _, err := s.Add(fmt.Appendf(nil, "m%d", i), i<<40); err != nil {
				return err
			}
		}
		return nil
	}, "a"))
	require.ErrorIs(t, later(), engine.ErrKind)
	d.taken()
	require.NoError(t, deferring(d.Client, sessiontest.Words("ZUNION 2 a nokey WITHSCORES")))
	got := d.taken()
	require.True(t, d.now("ZRANGE a 0 -1 WITHSCORES") == got)
	require.Equal(t, "-"+string(command.ErrReadOnly)+"\r\n", d.ask("ZUNIONSTORE a 1 nokey"))
	require.Equal(t, "-"+string(command.ErrReadOnly)+"\r\n", d.ask("ZADD a 1 x"))
	require.Equal(t, ":150\r\n", d.ask("ZRANGESTORE d a 0 -1"))
	require.Equal(t, "$13\r\n1099511627776\r\n", d.ask("ZSCORE d m1"))
}

// TestBigOperationsWhileTypesChange: one client stores a set and a string under a key in turn while others combine it. Each sees the whole
// set, or the string.
func TestBigOperationsWhileTypesChange(t *testing.T) {
	d := newDesk(t, sessiontest.Options{}).deferAbove(130)
	d.fill("a", 150, 1)
	d.fill("b", 150, 1)
	seen := map[string]int{}
	done := make(chan struct{})
	var group sync.WaitGroup
	var mu sync.Mutex
	for range 2 {
		other := d.another(t)
		group.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				err := deferring(other.Client, sessiontest.Words("ZINTERCARD 2 a b"))
				text := other.taken()
				if refused := command.Refusal(""); errors.As(err, &refused) {
					text = string(refused)
				}
				mu.Lock()
				seen[text]++
				mu.Unlock()
			}
		})
	}
	for i := range 30 {
		if i%2 == 0 {
			d.ask("SET a x")
		} else {
			d.ask("ZRANGESTORE a b 0 -1")
		}
	}
	close(done)
	group.Wait()
	t.Logf("replies: %v", seen)
	delete(seen, ":150\r\n")
	delete(seen, "-"+string(command.ErrWrongType)+"\r\n")
	require.Empty(t, seen)
}

// TestLongReply: a reply above the limit is refused, and the changes of its command are undone.
func TestLongReply(t *testing.T) {
	const limit = 150_000
	d := newDesk(t, sessiontest.Options{MaxReply: limit})
	d.fill("a", 100, 1)
	for i := range 60 {
		d.ask(fmt.Sprintf("ZADD a 100 %d%s", i, strings.Repeat("x", 4000)))
	}
	lines := []string{
		"ZRANGE a 0 -1", "ZREVRANGE a 0 90 WITHSCORES", "ZUNION 2 a a", "ZINTER 1 a WITHSCORES", "ZDIFF 1 a", "ZPOPMIN a 150",
		"ZPOPMAX a 9223372036854775807", "ZMPOP 1 a MAX COUNT 100", "ZRANDMEMBER a 150", "ZRANDMEMBER a -9223372036854775807",
		"ZSCAN a 0 COUNT 15000",
	}
	for _, line := range lines {
		require.Equal(t, fmt.Sprintf("-ERR reply is larger than the limit of %d bytes\r\n", limit), d.ask(line), line)
	}
	require.Equal(t, ":160\r\n", d.ask("ZCARD a"))
	require.Equal(t, "*2\r\n$7\r\nm000000\r\n$1\r\n0\r\n", d.ask("ZPOPMIN a"))
	t.Logf("%d commands with replies over %d bytes", len(lines), limit)
}

// TestOptionsInAnyOrder: with random options a set operation has the same result when it is deferred and in a transaction.
func TestOptionsInAnyOrder(t *testing.T) {
	d := newDesk(t, sessiontest.Options{}).deferAbove(130)
	d.fill("a", 150, 1)
	d.fill("b", 30, 5)
	r := rand.New(rand.NewPCG(7, 7))
	for range 6 {
		options := []string{"WITHSCORES", "WEIGHTS 2 0.1", "AGGREGATE " + []string{"SUM", "min", "MAX", "count"}[r.IntN(4)], "WEIGHTS inf -1"}
		r.Shuffle(len(options), func(i, j int) { options[i], options[j] = options[j], options[i] })
		line := "ZUNION 2 a b " + strings.Join(options[:r.IntN(4)], " ")
		require.NoError(t, deferring(d.Client, sessiontest.Words(line)))
		got := d.taken()
		require.True(t, d.now(line) == got, line)
	}
}
