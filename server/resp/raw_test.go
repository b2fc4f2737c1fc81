package resp_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/resptest"
	"github.com/zrankdb/zrank/server/resp"
)

// TestRawRequests sends valid, malformed and random requests as bytes to the server and to a real Redis. Both must send the same bytes back,
// and close the connection in the same cases. ZRANK_COMMANDS is the number of exchanges, ZRANK_SEED the first seed.
func TestRawRequests(t *testing.T) {
	redis, server := resptest.Redis(t), zrank(t, resp.Options{Scores: resp.Redis70, MaxRequest: 512 << 20})
	first, n, broken := number(t, "ZRANK_SEED", 1), number(t, "ZRANK_COMMANDS", 600), 0
	for seed := first; seed < first+n; seed++ {
		b := resptest.GenerateRaw(uint64(seed))
		want, err := redis.Exchange(b)
		require.NoError(t, err, "seed %d: %q", seed, b)
		got, err := server.Exchange(b)
		require.NoError(t, err, "seed %d: %q", seed, b)
		require.Equal(t, string(want), string(got), "seed %d: %q", seed, b)
		if strings.Contains(string(want), "-ERR Protocol error") {
			broken++
		}
	}
	t.Logf("%d exchanges, %d with an error of protocol", n, broken)
}
