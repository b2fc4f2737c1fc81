package resptest_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/resptest"
)

// TestRawOfTwoOfAKind sends raw bytes to two servers of Redis: their replies are equal.
func TestRawOfTwoOfAKind(t *testing.T) {
	a, b := resptest.Redis(t), resptest.Redis(t)
	broken := 0
	const n = 400
	for seed := range uint64(n) {
		sent := resptest.GenerateRaw(seed)
		want, err := a.Exchange(sent)
		require.NoError(t, err)
		got, err := b.Exchange(sent)
		require.NoError(t, err)
		require.Equal(t, string(want), string(got), "%q", sent)
		if strings.Contains(string(want), "-ERR Protocol error") {
			broken++
		}
	}
	require.Positive(t, broken)
	t.Logf("%d exchanges, %d with an error of protocol", n, broken)
}
