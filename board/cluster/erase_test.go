package cluster

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/audit"
	"github.com/zrankdb/zrank/internal/testclock"
)

// TestErasedEverywhere: after Boards.Erase no key of the server has the name of the member, in a ranking, beside it, in a Once key of another member, or in what operators wrote.
func TestErasedEverywhere(t *testing.T) {
	client := redis.NewClient(&redis.Options{Addr: start(t, 1).one()})
	t.Cleanup(func() { require.NoError(t, client.Close()) })
	const name = "zoe-the-third"
	for _, partitions := range []int{1, 5} {
		require.NoError(t, client.FlushAll(t.Context()).Err())
		clock := testclock.New()
		boards, err := Open(client, Options{Partitions: partitions, Clock: clock.Now})
		require.NoError(t, err)
		for _, board1 := range []string{"a", "b", "empty"} {
			b, err := boards.Define(t.Context(), board.Spec{Name: board1, Op: board.Sum, MaxMeta: 50, Windows: []board.Window{board.All, board.Hour}})
			require.NoError(t, err)
			if board1 == "empty" {
				continue
			}
			for i := range 20 {
				for _, member := range []string{name, fmt.Sprint("m", i)} {
					_, err = b.Submit(t.Context(), board.Submission{Member: member, Score: board.Ints(1), Once: fmt.Sprint(i, name, member), Meta: []byte(member)})
					require.NoError(t, err)
				}
				_, err = b.Hide(t.Context(), fmt.Sprint("m", i), board.Action{By: "a friend of " + name, Reason: "not " + name})
				require.NoError(t, err)
				clock.Add(10 * time.Minute)
			}
			require.NoError(t, b.SaveBaseline(t.Context(), "hour", "now"))
			require.NoError(t, b.SaveBaseline(t.Context(), "all", "before"))
			_, err = b.Hide(t.Context(), name, board.Action{By: "ops"})
			require.NoError(t, err)
		}
		require.NotEmpty(t, keysWith(t, client, name))
		r, err := boards.Erase(t.Context(), name, board.Action{By: "ops", Reason: name + " has asked"})
		require.NoError(t, err)
		require.Len(t, r.Boards, 2)
		require.Len(t, r.Boards["a"].Places, 5)
		require.Equal(t, []audit.Trace{{Kind: "baseline", Name: "all before", Count: 1}, {Kind: "baseline", Name: "hour now", Count: 1}, {Kind: "Once key", Count: 40}}, r.Boards["a"].Traces)
		require.Empty(t, keysWith(t, client, name))

		r, err = boards.Erase(t.Context(), name, board.Action{By: "ops"})
		require.NoError(t, err)
		require.Empty(t, r.Boards)
	}
}

// keysWith returns the keys that have a text in them, or in what they hold.
func keysWith(t *testing.T, client redis.UniversalClient, text string) (with []string) {
	ctx := context.Background()
	all, err := client.Keys(ctx, "*").Result()
	require.NoError(t, err)
	for _, key := range all {
		kind, err := client.Type(ctx, key).Result()
		require.NoError(t, err)
		held := any(nil)
		switch kind {
		case "hash":
			held, err = client.HGetAll(ctx, key).Result()
		case "zset":
			held, err = client.ZRange(ctx, key, 0, -1).Result()
		default:
			t.Fatal(kind)
		}
		require.NoError(t, err)
		if strings.Contains(fmt.Sprint(key, held), text) {
			with = append(with, key)
		}
	}
	return with
}
