package engine

import (
	"os"
	"os/exec"
	"regexp"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/matrix"
	"github.com/zrankdb/zrank/persist"
)

const onDisk = "ZRANK_TEST_ON_DISK"

// limitFS returns the file system of TestRow39Limit: memory, or the disk in the process that TestRow39Pressure starts.
func limitFS() persist.FS {
	if os.Getenv(onDisk) != "" {
		return vfs.Default
	}
	return persist.MemFS()
}

// TestRow39Pressure runs TestRow39Limit on the disk, in a process whose GOMEMLIMIT is less than it needs. Everything is slower, but right.
func TestRow39Pressure(t *testing.T) {
	if os.Getenv(onDisk) != "" {
		t.Skip("this is that process")
	}
	args := []string{"-test.run=^TestRow39Limit$", "-test.v"}
	if matrix.Pick(0, 1) == 1 {
		args = append(args, "-long")
	}
	cmd := exec.Command(os.Args[0], args...)
	cmd.Dir = t.TempDir()
	cmd.Env = append(os.Environ(), "GOMEMLIMIT=6MiB", onDisk+"=1")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	figure := regexp.MustCompile(`matrix row 39: (.*)`).FindSubmatch(out)
	require.NotNil(t, figure, "%s", out)
	matrix.Row(t, 39, "in a process with GOMEMLIMIT=6MiB, on the disk: %s", figure[1])
}
