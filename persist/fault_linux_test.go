package persist

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/matrix"
)

// TestFullTmpfs fills real file systems of several sizes. It needs the right to mount.
func TestFullTmpfs(t *testing.T) {
	var filled fillings
	for mb := 4; mb <= 64; mb += matrix.Pick(30, 1) {
		dir := t.TempDir()
		if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, fmt.Sprintf("size=%dm", mb)); err != nil {
			t.Skipf("no right to mount: %v", err)
		}
		refused, err := fillDisk(nil, filepath.Join(dir, "store"), Options{}, func() error {
			return syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_REMOUNT, fmt.Sprintf("size=%dm", mb+32))
		})
		require.NoError(t, errors.Join(err, syscall.Unmount(dir, 0)), "%d MB", mb)
		filled.add(t, refused)
	}
	matrix.Row(t, 24, "%d tmpfs of 4 to 64 MB filled: %d answered ErrDiskFull and went on, %d answered ErrPersistence; 0 hangs, all acknowledged commits recovered", filled.full+filled.failed, filled.full, filled.failed)
}

const limitVariable = "ZRANK_TEST_LIMIT"

// TestNoFileDescriptorsLeft starts processes that open a store and then run out of file descriptors. The disk must not count as failed: commits that
// need a file get ErrStalled, and when there are descriptors again the store goes on, with all that it has acknowledged.
func TestNoFileDescriptorsLeft(t *testing.T) {
	if dir := os.Getenv(limitVariable); dir != "" {
		withoutDescriptors(t, dir)
		return
	}
	cases, stalled := 0, 0
	for spare := range matrix.Pick(3, 12) {
		dir := t.TempDir()
		child := exec.Command(os.Args[0], "-test.run=^TestNoFileDescriptorsLeft$", "-test.timeout=60s")
		child.Env = append(os.Environ(), limitVariable+"="+dir, fmt.Sprintf("ZRANK_TEST_SPARE=%d", spare))
		out, err := child.CombinedOutput()
		require.NoError(t, err, "%s", out)
		var acked uint64
		var refused bool
		_, err = fmt.Sscanf(string(out[strings.Index(string(out), "ACKED"):]), "ACKED %d %t", &acked, &refused)
		require.NoError(t, err, "%s", out)
		s, err := Open(dir, Options{})
		require.NoError(t, err)
		require.GreaterOrEqual(t, s.LastSeq(), acked)
		require.NoError(t, s.Close())
		cases++
		if refused {
			stalled++
		}
	}
	require.Positive(t, stalled)
	matrix.Row(t, 26, "%d processes with no or few file descriptors left: %d answered ErrStalled, all went on when there were some, 0 panics, all acknowledged commits recovered", cases, stalled)
}

// withoutDescriptors is the child: it commits until a commit fails for want of descriptors, and goes on when there are some.
func withoutDescriptors(t *testing.T, dir string) {
	s, err := open(dir, Options{StallTimeout: 200 * time.Millisecond}, small)
	require.NoError(t, err)
	var spare int
	_, err = fmt.Sscan(os.Getenv("ZRANK_TEST_SPARE"), &spare)
	require.NoError(t, err)
	open, err := os.ReadDir("/proc/self/fd")
	require.NoError(t, err)
	var was syscall.Rlimit
	require.NoError(t, syscall.Getrlimit(syscall.RLIMIT_NOFILE, &was))
	limit := func(n uint64) {
		require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_NOFILE, &syscall.Rlimit{Cur: n, Max: was.Max}))
	}
	limit(uint64(len(open) - 1 + spare))
	seq, refused := fillUntil(s, 2000)
	if refused != nil {
		require.ErrorIs(t, refused, ErrStalled)
		require.ErrorIs(t, refused, syscall.EMFILE)
	}
	limit(was.Cur)
	for err = s.Wait(t.Context(), seq); err != nil; err = s.Wait(t.Context(), seq) {
		require.ErrorIs(t, err, ErrStalled)
		runtime.Gosched()
	}
	seq = mustAppend(t, s, put("a", "m", "v"))
	fmt.Println("ACKED", seq, refused != nil)
	require.NoError(t, s.Close())
}
