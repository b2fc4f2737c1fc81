package keyspace

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// TestSetSize holds a Set in the allocator's class of 80 bytes: a million sets have one each.
func TestSetSize(t *testing.T) { require.LessOrEqual(t, int(unsafe.Sizeof(Set{})), 80) }
