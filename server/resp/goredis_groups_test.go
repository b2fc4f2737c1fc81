package resp_test

import (
	"fmt"
	"testing"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/server/resp"
)

// TestGoRedisGroups: a client of go-redis makes guilds, lets members join in a pipeline and submit, and reads the board of guilds, in both protocols.
func TestGoRedisGroups(t *testing.T) {
	for _, protocol := range []int{2, 3} {
		e, err := engine.New(engine.Options{})
		require.NoError(t, err)
		boards, err := local.Open(e, local.Options{})
		require.NoError(t, err)
		_, err = boards.DefineGroups(t.Context(), "guild")
		require.NoError(t, err)
		for _, spec := range []board.Spec{{Name: "arena"}, {Name: "guilds", Derived: &board.Derived{From: "arena", Groups: "guild"}}} {
			_, err = boards.Define(t.Context(), spec)
			require.NoError(t, err)
		}
		s, err := resp.New(t.Context(), e, resp.Options{Boards: boards})
		require.NoError(t, err)
		addr, err := s.Listen("127.0.0.1:0")
		require.NoError(t, err)
		c := redis.NewClient(&redis.Options{Addr: addr.String(), Protocol: protocol})

		ctx := t.Context()
		_, err = c.Pipelined(ctx, func(p redis.Pipeliner) error {
			for i := range 10 {
				p.Do(ctx, "GROUP.CREATE", "guild", fmt.Sprint("g", i))
				p.Do(ctx, "GROUP.JOIN", "guild", fmt.Sprint("a", i), fmt.Sprint("g", i), fmt.Sprint("b", i), fmt.Sprint("g", i))
				p.Do(ctx, "BOARD.SUBMIT", "arena", fmt.Sprint("a", i), i)
				p.Do(ctx, "BOARD.SUBMIT", "arena", fmt.Sprint("b", i), 1)
			}
			return nil
		})
		require.NoError(t, err)
		top, err := c.Do(ctx, "BOARD.TOP", "guilds", "all", 2).Slice()
		require.NoError(t, err)
		require.Equal(t, []any{[]any{int64(1), "g9", int64(10), int64(2)}, []any{int64(2), "g8", int64(9), int64(2)}}, top)
		group, err := c.Do(ctx, "GROUP.OF", "guild", "b3").Text()
		require.NoError(t, err)
		require.Equal(t, "g3", group)
		require.ErrorIs(t, c.Do(ctx, "GROUP.OF", "guild", "nobody").Err(), redis.Nil)
		members, err := c.Do(ctx, "GROUP.MEMBERS", "guild", "g3").StringSlice()
		require.NoError(t, err)
		require.Equal(t, []string{"a3", "b3"}, members)
		require.EqualError(t, c.Do(ctx, "GROUP.LEAVE", "guild", "nobody").Err(), `ERR board: member is in no group: "nobody" is in no guild`)

		require.NoError(t, c.Close())
		require.NoError(t, s.Close())
		require.NoError(t, boards.Close())
		require.NoError(t, e.Close())
	}
}
