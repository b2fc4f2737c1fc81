package numbers

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCount(t *testing.T) {
	for n, want := range map[int]string{0: "0", 7: "7", 999: "999", 1000: "1,000", -999: "-999", -1000: "-1,000", 12345678: "12,345,678"} {
		require.Equal(t, want, Count(n))
		require.Equal(t, want, Count(int64(n)))
	}
	require.Equal(t, "1 row", Plural(1, "row"))
	require.Equal(t, "2,000 rows", Plural(2000, "row"))
}
