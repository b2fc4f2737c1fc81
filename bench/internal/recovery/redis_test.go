package recovery

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/bench/internal/redis"
)

func TestRedisLoadsWhatItSaved(t *testing.T) {
	program, err := redis.Find()
	require.NoError(t, err)
	if program == "" {
		t.Skip("no redis-server in the path")
	}
	dir := t.TempDir()
	for _, build := range []bool{true, false} {
		s, err := redis.Start(t.Context(), program, dir)
		require.NoError(t, err)
		c, err := s.Dial()
		require.NoError(t, err)
		if build {
			require.NoError(t, BuildRedis(c, 1234, 1))
		}
		require.NoError(t, RedisHolds(c, 1234))
		assert.ErrorContains(t, RedisHolds(c, 1235), "it loaded :1234 members of 1235")
		require.NoError(t, c.Close())
		require.NoError(t, s.Close())
	}
}
