package resp

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/invariants"
	"github.com/zrankdb/zrank/server/resp/internal/command"
	"github.com/zrankdb/zrank/server/resp/internal/keyspace"
	"github.com/zrankdb/zrank/server/resp/internal/session"
)

// TestRankingsAsRedis: commands that read give the same replies, byte for byte, for a ranking and for a sorted set with the same scores.
func TestRankingsAsRedis(t *testing.T) {
	p, boards := withBoards(t, engine.Options{}, Options{})
	r := rand.New(rand.NewPCG(1, 2))
	sent := map[string]int{} // by command
	p.line("ZADD own 1 m1 2.5 m2 7 other")
	p.line("SADD some m1 m3 another")
	for _, kind := range []board.Column{{}, {Order: board.Asc}, {Kind: board.Float64}, {Kind: board.Float64, Order: board.Asc}} {
		for _, members := range []int{5, 140} { // a listpack, a skiplist
			name := fmt.Sprint("b", len(boards.All()))
			b, err := boards.Define(t.Context(), board.Spec{Name: name, Columns: []board.Column{kind, {Name: "second"}}})
			require.NoError(t, err)
			for i, at := range r.Perm(members) {
				score := board.Values(board.Int(int64(3*at-50)), board.Int(0))
				member := fmt.Sprint("m", i)
				_, err := b.Submit(t.Context(), board.Submission{Member: member, Score: score})
				require.NoError(t, err)
				require.Equal(t, ":1\r\n", p.do("ZADD", name, score.At(0).String(), member))
			}
			ranking := "board/" + name + "/all/all/v1"
			for range 50 {
				line := someRead(r, members)
				sent[strings.Fields(line)[0]]++
				want := p.line(strings.ReplaceAll(line, "KEY", name))
				require.NotEqual(t, byte('-'), want[0], "%s: %s", line, want)
				stored := p.line("ZRANGE to 0 -1 WITHSCORES")
				require.Equal(t, want, p.line(strings.ReplaceAll(line, "KEY", ranking)), line)
				require.Equal(t, stored, p.line("ZRANGE to 0 -1 WITHSCORES"), line)
			}
			refuseRankings(t, p, ranking, members)
		}
	}
	t.Log(sent)
}

// someRead returns a command that reads KEY.
func someRead(r *rand.Rand, members int) string {
	rank := func() string { return fmt.Sprint(r.IntN(members+10) - 5 - members*r.IntN(2)) }
	bound := func() string {
		if r.IntN(6) == 0 {
			return []string{"-inf", "+inf"}[r.IntN(2)]
		}
		return []string{"", "("}[r.IntN(2)] + fmt.Sprint(r.IntN(3*members+20)-60)
	}
	member := func() string { return fmt.Sprint("m", r.IntN(members+3)) }
	limit := []string{"", fmt.Sprint(" LIMIT ", r.IntN(5)-1, " ", r.IntN(9)-1)}[r.IntN(2)]
	scores := []string{"", " WITHSCORES"}[r.IntN(2)]
	two := []string{"", " WEIGHTS 2 -1", " AGGREGATE MAX", " AGGREGATE COUNT"}[r.IntN(4)]
	return []string{
		"ZCARD KEY",
		"ZSCORE KEY " + member(),
		"ZMSCORE KEY " + member() + " " + member(),
		"ZRANK KEY " + member(),
		"ZREVRANK KEY " + member() + " WITHSCORE",
		"ZCOUNT KEY " + bound() + " " + bound(),
		"ZRANGE KEY " + rank() + " " + rank() + scores,
		"ZRANGE KEY " + rank() + " " + rank() + " REV" + scores,
		"ZRANGE KEY " + bound() + " " + bound() + " BYSCORE" + limit + scores,
		"ZRANGE KEY " + bound() + " " + bound() + " BYSCORE REV" + limit + scores,
		"ZREVRANGE KEY " + rank() + " " + rank() + scores,
		"ZRANGEBYSCORE KEY " + bound() + " " + bound() + scores + limit,
		"ZREVRANGEBYSCORE KEY " + bound() + " " + bound() + scores + limit,
		"ZSCAN KEY 0 COUNT 1000 MATCH " + member(),
		"TYPE KEY",
		"EXISTS KEY",
		"TTL KEY",
		"OBJECT ENCODING KEY",
		"ZUNION 3 own KEY some" + strings.Replace(two, "2", "1 2", 1) + scores,
		"ZINTER 2 KEY own" + two + scores,
		"ZDIFF 2 KEY own" + scores,
		"ZINTERCARD 2 KEY some",
		"ZUNIONSTORE to 2 KEY own",
		"ZRANGESTORE to KEY " + rank() + " " + rank(),
	}[r.IntN(24)]
}

// refuseRankings checks that commands that would change a ranking, and ranges by member, are refused.
func refuseRankings(t *testing.T, p *peer, ranking string, members int) {
	t.Helper()
	for _, line := range []string{"ZADD KEY 1 x", "ZADD KEY XX 1 x", "ZINCRBY KEY 1 m1", "ZREM KEY m1", "ZREM KEY x", "ZPOPMIN KEY", "ZPOPMAX KEY 2",
		"ZREMRANGEBYRANK KEY 0 1", "ZREMRANGEBYSCORE KEY 0 1", "ZMPOP 1 KEY MIN", "DEL KEY", "UNLINK KEY", "RENAME KEY x", "EXPIRE KEY 10", "PERSIST KEY"} {
		reply := p.line(strings.ReplaceAll(line, "KEY", ranking))
		require.True(t, strings.HasPrefix(reply, "-READONLY") || line == "PERSIST KEY" && reply == ":0\r\n", "%s: %s", line, reply)
	}
	for _, line := range []string{"ZRANGEBYLEX KEY - +", "ZREVRANGEBYLEX KEY + -", "ZLEXCOUNT KEY - +", "ZRANGE KEY [a (b BYLEX"} {
		require.Equal(t, "-"+string(keyspace.ErrNotByMember)+"\r\n", p.line(strings.ReplaceAll(line, "KEY", ranking)), line)
	}
	require.Equal(t, "-"+string(command.ErrWrongType)+"\r\n", p.line("GET "+ranking))
	require.Equal(t, fmt.Sprintf(":%d\r\n", members), p.line("ZCARD "+ranking))
	require.Equal(t, 2*members, strings.Count(p.do("ZRANDMEMBER", ranking, fmt.Sprint(members), "WITHSCORES"), "$"))
}

// TestKeysOfBoards: no client command stores a value under a reserved key, for example under that of a board's future period.
func TestKeysOfBoards(t *testing.T) {
	p, _, _ := arena(t)
	key := "board/arena/day/2026-11-21/v1"
	p.line("ZADD own 1 a")
	p.line("SET text x")
	members := 2 * session.DeferAbove
	if invariants.Enabled {
		members = 10 // each change of a set then checks the whole set
	}
	many := []string{"ZADD", "big"}
	for i := range members {
		many = append(many, fmt.Sprint(i), fmt.Sprint("m", i))
	}
	p.do(many...)
	for _, line := range []string{"ZADD KEY 1 a", "ZINCRBY KEY 1 a", "SADD KEY a", "SET KEY x", "RENAME own KEY", "RENAME text KEY", "COPY own KEY",
		"COPY text KEY", "ZUNIONSTORE KEY 1 own", "ZINTERSTORE KEY 1 own", "ZDIFFSTORE KEY 1 own", "ZRANGESTORE KEY own 0 -1",
		"ZUNIONSTORE KEY 1 big", "ZINTERSTORE KEY 2 big big", "ZDIFFSTORE KEY 1 big", "ZRANGESTORE KEY big 0 -1", "RENAME big KEY", "COPY big KEY"} {
		require.Equal(t, "-"+string(command.ErrReadOnly)+"\r\n", p.line(strings.ReplaceAll(line, "KEY", key)), line)
	}
	require.Equal(t, ":0\r\n", p.line("EXISTS "+key))
	require.Equal(t, fmt.Sprintf(":%d\r\n", members), p.line("ZCARD big"))
	for _, line := range []string{"ZADD board/own 1 a", "ZADD board.own 1 a", "SET board/text x", "RENAME own board/own", "BZPOPMIN board/own 0"} {
		require.Equal(t, "-"+string(command.ErrReadOnly)+"\r\n", p.line(line), line)
	}
	require.Equal(t, ":1\r\n", p.line("ZADD boards/own 1 a"))
	require.Equal(t, "+OK\r\n", p.line("SELECT 1"))
	require.Equal(t, ":1\r\n", p.line("ZADD "+key+" 1 a"))
}
