package pebbledb

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/persist/wal"
)

func TestDecodeNumber(t *testing.T) {
	for n := range 12 {
		got, err := decodeNumber(make([]byte, n))
		if n == 8 {
			require.NoError(t, err)
			require.Zero(t, got)
			continue
		}
		require.ErrorIs(t, err, wal.ErrCorrupt)
	}
}
