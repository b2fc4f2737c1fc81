package pebbledb

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestReserve checks the default reserve of disks of 8 MiB, 64 MiB, 512 MiB and 1 PiB.
func TestReserve(t *testing.T) {
	p := space{}
	require.Equal(t, []int64{4 << 20, 24 << 20, 64 << 20, 64 << 20}, []int64{p.keep(8 << 20), p.keep(64 << 20), p.keep(512 << 20), p.keep(1 << 50)})
}
