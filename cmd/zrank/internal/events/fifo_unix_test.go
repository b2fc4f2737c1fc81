//go:build unix

package events

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestNamedPipe: Check does not open a named pipe, since its writer would see that, and Open reads it.
func TestNamedPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	require.NoError(t, syscall.Mkfifo(path, 0o600))
	require.NoError(t, Check(path, Options{}))
	written := make(chan error)
	go func() { written <- os.WriteFile(path, []byte(threeRows), 0) }()
	all, err := drain(open(t, path))
	require.NoError(t, err)
	require.Len(t, all, 3)
	require.NoError(t, <-written)
}
