package zsetcmd

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/server/resp/internal/command"
	"github.com/zrankdb/zrank/server/resp/internal/session"
	"github.com/zrankdb/zrank/server/resp/internal/sessiontest"
)

// items returns the strings of a RESP2 array, such as the reply of ZRANDMEMBER.
func items(reply string) (list []string) {
	for _, line := range strings.Split(reply, "\r\n") {
		if line != "" && line[0] != '*' && line[0] != '$' {
			list = append(list, line)
		}
	}
	return list
}

// scanAll walks a set with ZSCAN and returns the scores by member, and the number of calls.
func (d desk) scanAll(key, options string) (scores map[string]string, calls int) {
	scores = map[string]string{}
	for cursor := "0"; ; {
		list := items(d.ask("ZSCAN " + key + " " + cursor + " " + options))
		calls++
		for i := 1; i+1 < len(list); i += 2 {
			scores[list[i]] = list[i+1]
		}
		if cursor = list[0]; cursor == "0" {
			return scores, calls
		}
	}
}

// TestScanWhole: ZSCAN returns every member that stays in the set, while others are added and removed, in both encodings.
func TestScanWhole(t *testing.T) {
	d := newDesk(t, sessiontest.Options{})
	for _, n := range []int{5, 128, 129, 300} {
		d.ask("DEL k")
		d.fill("k", n, 1)
		scores, calls := d.scanAll("k", "COUNT 20")
		require.Len(t, scores, n)
		for i := range n {
			require.Equal(t, strconv.Itoa(i%97), scores[fmt.Sprintf("m%06d", i)])
		}
		if n <= 128 {
			require.Equal(t, 1, calls, "a listpack is returned in one call")
		} else {
			require.Greater(t, calls, n/200)
		}
		matched, _ := d.scanAll("k", "MATCH m0000?[3-4] COUNT 20")
		want := 0
		for i := range min(n, 100) {
			if i%10 == 3 || i%10 == 4 {
				want++
			}
		}
		require.Len(t, matched, want)
	}
	d.ask("DEL k")
	d.fill("k", 200, 2)
	seen := map[string]bool{}
	for cursor, i := "0", 0; ; i++ {
		list := items(d.ask("ZSCAN k " + cursor))
		for at := 1; at+1 < len(list); at += 2 {
			seen[list[at]] = true
		}
		d.ask(fmt.Sprintf("ZADD k 1 new%d 2 newer%d", i, i))
		d.ask(fmt.Sprintf("ZREM k new%d", i))
		if cursor = list[0]; cursor == "0" {
			break
		}
	}
	for i := range 200 {
		require.True(t, seen[fmt.Sprintf("m%06d", 2*i)])
	}
	t.Logf("%d members seen of 200 that stay and some that do not", len(seen))
}

// TestRandomMembers: ZRANDMEMBER draws the same members for the same seed, all with equal probability, and different ones if the count is
// positive.
func TestRandomMembers(t *testing.T) {
	draw := func(seed uint64, line string) []string {
		d := newDesk(t, sessiontest.Options{})
		d.Host.Rand = session.NewRandomness(seed)
		d.fill("k", 200, 1)
		return items(d.ask(line))
	}
	require.Equal(t, draw(1, "ZRANDMEMBER k 50"), draw(1, "ZRANDMEMBER k 50"))
	require.NotEqual(t, draw(1, "ZRANDMEMBER k -50"), draw(2, "ZRANDMEMBER k -50"))
	d := newDesk(t, sessiontest.Options{})
	d.Host.Rand = session.NewRandomness(3)
	d.fill("k", 10, 1)
	times := map[string]int{}
	for _, line := range []string{"ZRANDMEMBER k", "ZRANDMEMBER k 3", "ZRANDMEMBER k -5", "ZRANDMEMBER k -1100"} {
		for range 200 {
			list := items(d.ask(line))
			distinct := map[string]bool{}
			for _, m := range list {
				times[m]++
				distinct[m] = true
			}
			if line == "ZRANDMEMBER k 3" {
				require.Len(t, distinct, 3)
			}
		}
	}
	drawn, square := 0, 0.0
	for _, n := range times {
		drawn += n
	}
	for _, n := range times {
		square += math.Pow(float64(n)-float64(drawn)/10, 2) / (float64(drawn) / 10)
	}
	require.Len(t, times, 10)
	require.Equal(t, 200*(1+3+5+1100), drawn)
	require.Less(t, square, 40.0, "%v", times)
	t.Logf("%d draws, chi squared %.1f", drawn, square)
}

// TestOperandsOfAllKinds combines a sorted set, a plain set and sets with int64 scores.
func TestOperandsOfAllKinds(t *testing.T) {
	d := newDesk(t, sessiontest.Options{})
	d.ask("ZADD z 1.5 a 2 b")
	d.ask("SADD p b c")
	require.NoError(t, d.Host.Engine.Update(t.Context(), func(tx *engine.Tx) error {
		s, err := tx.IntSet("i", engine.Form{})
		if err != nil {
			return err
		}
		_, err = s.Add([]byte("c"), 1<<60)
		return err
	}, "i"))
	for _, row := range []struct{ line, want string }{
		{"ZUNION 3 z p i WITHSCORES", "a 1.5 b 3 c 1152921504606846977"},
		{"ZUNION 3 z p i WEIGHTS 1 10 0 WITHSCORES", "a 1.5 c 10 b 12"},
		{"ZINTER 2 p i WITHSCORES", "c 1152921504606846977"},
		{"ZINTER 2 z p AGGREGATE MAX WITHSCORES", "b 2"},
		{"ZDIFF 3 z p i WITHSCORES", "a 1.5"},
		{"ZDIFF 2 p z WITHSCORES", "c 1"},
		{"ZRANGE i 0 -1 WITHSCORES", "c 1152921504606846976"},
	} {
		want := strings.Fields(row.want)
		for i := range want {
			want[i] = strings.Replace(want[i], "6846977", "6846976", 1) // as float64 has it
		}
		require.Equal(t, want, items(d.ask(row.line)), row.line)
	}
	require.Equal(t, ":2\r\n", d.ask("ZINTERSTORE p 1 p"))
	require.Equal(t, "+zset\r\n", d.ask("TYPE p"))
	for _, line := range []string{"ZADD i 1 a", "ZREM i c", "ZPOPMIN i", "ZINCRBY i 1 c", "ZREMRANGEBYRANK i 0 -1", "ZUNIONSTORE i 1 z", "ZRANGESTORE i z 0 0"} {
		require.Equal(t, "-"+string(command.ErrReadOnly)+"\r\n", d.ask(line), line)
	}
	require.Equal(t, ":1\r\n", d.ask("ZCARD i"))
}

// TestRefusalsChangeNothing sends a refused command among others in one pipeline: it changes nothing, and the others are executed.
func TestRefusalsChangeNothing(t *testing.T) {
	d := newDesk(t, sessiontest.Options{})
	d.ask("SET s x")
	lines := []string{"ZADD k 1 a", "ZADD k 2 b x c", "ZADD s 1 a", "ZINCRBY k inf b", "ZINCRBY k -inf b", "ZADD k 1 c"}
	for _, line := range lines {
		d.Request(sessiontest.Words(line))
	}
	d.Finish()
	require.Equal(t, ":1\r\n-ERR value is not a valid float\r\n-"+string(command.ErrWrongType)+"\r\n$3\r\ninf\r\n"+
		"-ERR resulting score is not a number (NaN)\r\n:1\r\n", d.taken())
	require.Equal(t, []string{"a", "1", "c", "1", "b", "inf"}, items(d.ask("ZRANGE k 0 -1 WITHSCORES")))

	// If the engine refuses the commit, all commands of the run are undone, and each is executed again by itself.
	d = newDeskOf(t, engine.Options{MaxSets: 2}, sessiontest.Options{})
	for _, line := range []string{"ZADD a 1 m", "ZADD b 1 m", "ZADD c 1 m", "ZADD a 2 n"} {
		d.Request(sessiontest.Words(line))
	}
	d.Finish()
	require.Equal(t, ":1\r\n:1\r\n-ERR engine: too many sets: 2 and 1 more, the limit is 2\r\n:1\r\n", d.taken())
}

// TestOneZero: -0 is stored as 0, as in Redis's listpacks.
func TestOneZero(t *testing.T) {
	d := newDesk(t, sessiontest.Options{})
	d.fill("k", 200, 1)
	d.ask("ZADD k -0 zero")
	require.Equal(t, "$1\r\n0\r\n", d.ask("ZSCORE k zero"))
	require.Equal(t, "$1\r\n0\r\n", d.ask("ZINCRBY k -0 zero"))
	require.Equal(t, ":0\r\n", d.ask("ZADD k CH 0 zero"))
}

// TestAddAllocates: ZADD allocates nothing beside the engine's memory for the members.
func TestAddAllocates(t *testing.T) {
	d := newDesk(t, sessiontest.Options{})
	d.fill("k", 200, 1)
	s, keys := d.step("ZADD k 1 m000001 2 m000002")
	add := sessiontest.Words("ZADD k GT 1 m000001 2.5 m000002 -3e2 m000003 inf m000004")
	read := [][][]byte{sessiontest.Words("ZSCORE k m000001"), sessiontest.Words("ZRANK k m000001"), sessiontest.Words("ZCARD k"),
		sessiontest.Words("ZRANGE k 50 149 WITHSCORES"), sessiontest.Words("ZREVRANGE k 50 149 WITHSCORES"), sessiontest.Words("ZRANGE k 0 9 REV")}
	require.NoError(t, d.Transact(keys, true, func(x *session.Txn) error {
		x.Step = s
		set, err := x.Change([]byte("k"))
		if err != nil {
			return err
		}
		engine := testing.AllocsPerRun(100, func() {
			for i := 3; i < len(add); i += 2 {
				_, _ = set.AddIf(add[i+1], 1, 0)
			}
		})
		here := testing.AllocsPerRun(100, func() {
			_ = zadd(x, add)
			d.Out.Truncate(0)
		})
		require.LessOrEqual(t, here, engine)
		for _, a := range read {
			require.Zero(t, testing.AllocsPerRun(100, func() {
				_ = d.Host.Commands.Lookup(a[0]).Tx(x, a)
				d.Out.Truncate(0)
			}), "%s", a)
		}
		t.Logf("ZADD of 4: %v allocations, the engine's own %v; reads none", here, engine)
		return nil
	}))
}
