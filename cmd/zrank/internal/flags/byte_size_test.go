package flags

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestByteSize(t *testing.T) {
	for text, want := range map[string]int64{"0": 0, "4096": 4096, "7B": 7, "64MiB": 64 << 20, "1GiB": 1 << 30, "3TiB": 3 << 40, "1025KiB": 1025 << 10} {
		var b, again ByteSize
		require.NoError(t, b.Set(text))
		require.EqualValues(t, want, b)
		require.NoError(t, again.Set(b.String()))
		require.Equal(t, b, again)
	}
	for _, text := range []string{"", "-1", "1.5GiB", "1GB", "MiB", "9999999TiB", " 1", "+1"} {
		require.Error(t, new(ByteSize).Set(text), text)
	}
}
