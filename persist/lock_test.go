package persist

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/matrix"
	"github.com/zrankdb/zrank/persist/internal/storedir"
)

// child runs a helper test of this binary in a new process, and waits for the first line of its output.
func child(t *testing.T, helper, dir string) (*exec.Cmd, string) {
	t.Helper()
	c := exec.Command(os.Args[0], "-test.run=^"+helper+"$")
	c.Env = append(os.Environ(), "PERSIST_DIR="+dir)
	out, err := c.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, c.Start())
	t.Cleanup(func() { _ = c.Process.Kill(); _ = c.Wait() })
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if said, ok := strings.CutPrefix(lines.Text(), "child: "); ok {
			return c, said
		}
	}
	t.Fatal("the child said nothing")
	return nil, ""
}

// childDir returns the directory that an environment variable names, in a child process of the lock tests; others skip the test.
func childDir(t *testing.T, variable string) string {
	dir := os.Getenv(variable)
	if dir == "" {
		t.Skip("a child process of the lock tests")
	}
	return dir
}

// TestHelperOpen opens the store, says how that went, and holds it.
func TestHelperOpen(t *testing.T) {
	dir := childDir(t, "PERSIST_DIR")
	s, err := Open(dir, Options{})
	if err != nil {
		fmt.Printf("child: locked=%v %v\n", errors.Is(err, ErrLocked), err)
		return
	}
	mustAppend(t, s, put("a", "m", "v"))
	fmt.Printf("child: opened\n")
	select {}
}

// TestHelperParent opens the store and starts a child process, which outlives it.
func TestHelperParent(t *testing.T) {
	dir := childDir(t, "PERSIST_DIR")
	_, err := Open(dir, Options{})
	require.NoError(t, err)
	c := exec.Command(os.Args[0], "-test.run=^TestHelperSleep$")
	c.Env = append(os.Environ(), "PERSIST_SLEEP=1")
	require.NoError(t, c.Start())
	fmt.Printf("child: %d\n", c.Process.Pid)
	select {}
}

// TestHelperSleep lives until it is killed.
func TestHelperSleep(t *testing.T) {
	if os.Getenv("PERSIST_SLEEP") == "" {
		t.Skip("a child process of the lock tests")
	}
	<-time.After(time.Minute)
}

// requireLocked makes sure that neither this process nor another one can open the directory.
func requireLocked(t *testing.T, dir string) {
	t.Helper()
	_, err := Open(dir, Options{})
	require.ErrorIs(t, err, ErrLocked)
	_, said := child(t, "TestHelperOpen", dir)
	require.Contains(t, said, "locked=true")
}

func TestSecondProcessIsRefused(t *testing.T) {
	dir := t.TempDir()
	c, said := child(t, "TestHelperOpen", dir)
	require.Equal(t, "opened", said)
	n := matrix.Pick(20, 1000)
	for range n {
		_, err := Open(dir, Options{})
		require.ErrorIs(t, err, ErrLocked)
	}
	require.NoError(t, c.Process.Kill())
	_ = c.Wait()
	s, err := Open(dir, Options{})
	require.NoError(t, err)
	requireLocked(t, dir)
	require.NoError(t, s.Close())
	matrix.Row(t, 28, "%d attempts while another process holds the store: %d refused", n+2, n+2)
}

// TestOtherSpellingIsRefused opens the directory of an open store under other spellings of its path, such as symbolic links, and after a
// rename. Open must return ErrLocked each time.
func TestOtherSpellingIsRefused(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "Store")
	s, err := Open(dir, Options{})
	require.NoError(t, err)
	require.NoError(t, os.Symlink(dir, filepath.Join(parent, "link")))
	require.NoError(t, os.Symlink(parent, filepath.Join(parent, "up")))
	t.Chdir(parent)
	spellings := []string{dir, dir + "/", dir + "//", dir + "/.", "Store", "./Store", "../" + filepath.Base(parent) + "/Store",
		"link", parent + "/link", "up/Store", "up/link"}
	bind := filepath.Join(parent, "bind")
	require.NoError(t, os.Mkdir(bind, 0o755))
	if out, err := exec.Command("mount", "--bind", dir, bind).CombinedOutput(); err == nil {
		spellings = append(spellings, bind)
		t.Cleanup(func() { _ = exec.Command("umount", bind).Run() })
	} else {
		t.Logf("no bind mount here: %s", bytes.TrimSpace(out))
	}
	if lower := filepath.Join(parent, "store"); exists(lower) {
		spellings = append(spellings, lower)
	}
	for _, spelling := range spellings {
		_, err := Open(spelling, Options{})
		require.ErrorIs(t, err, ErrLocked, spelling)
	}
	moved := filepath.Join(parent, "moved")
	require.NoError(t, os.Rename(dir, moved))
	requireLocked(t, moved)
	require.NoError(t, os.Rename(moved, dir))
	require.NoError(t, s.Close())
	s, err = Open("up/link", Options{})
	require.NoError(t, err)
	require.NoError(t, s.Close())
	matrix.Row(t, 29, "%d spellings of an open directory, 1 rename: all refused", len(spellings))
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// TestLockFileDeletedByOthers reads, deletes, replaces and renames LOCK while a store is open. The directory must stay locked.
func TestLockFileDeletedByOthers(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, storedir.LockName)
	s, err := Open(dir, Options{})
	require.NoError(t, err)
	cases := map[string]func() error{
		"opened and closed by a backup": func() error { _, err := os.ReadFile(name); return err },
		"deleted":                       func() error { return os.Remove(name) },
		"replaced":                      func() error { return os.WriteFile(name, nil, 0o644) },
		"renamed away":                  func() error { return os.Rename(name, name+".old") },
	}
	for _, what := range []string{"opened and closed by a backup", "deleted", "replaced", "renamed away"} {
		require.NoError(t, cases[what]())
		requireLocked(t, dir)
	}
	mustAppend(t, s, put("a", "m", "v"))
	require.NoError(t, s.Close())
	require.NoError(t, os.Remove(name+".old"))
	s, err = Open(dir, Options{})
	require.NoError(t, err)
	require.NoError(t, s.Close())
	matrix.Row(t, 30, "LOCK read, deleted, replaced and renamed under an open store: %d of %d still exclusive", len(cases), len(cases))
}

func TestChildProcessOutlivesParent(t *testing.T) {
	dir := t.TempDir()
	n := matrix.Pick(2, 20)
	for range n {
		c, pid := child(t, "TestHelperParent", dir)
		require.NoError(t, c.Process.Kill())
		_ = c.Wait()
		s, err := Open(dir, Options{})
		require.NoError(t, err, "the grandchild has no lock")
		require.NoError(t, s.Close())
		kill(t, pid)
	}
	matrix.Row(t, 31, "%d parents killed with a child alive: %d locks free at once", n, n)
}

// kill ends the process with this id, which the tests have started.
func kill(t *testing.T, pid string) {
	t.Helper()
	var id int
	_, err := fmt.Sscan(pid, &id)
	require.NoError(t, err)
	p, err := os.FindProcess(id)
	require.NoError(t, err)
	require.NoError(t, p.Kill())
}

func TestStaleLockAfterKill(t *testing.T) {
	dir := t.TempDir()
	n := matrix.Pick(3, 50)
	for i := range n {
		c, said := child(t, "TestHelperOpen", dir)
		require.Equal(t, "opened", said)
		require.NoError(t, c.Process.Kill())
		_ = c.Wait()
		require.FileExists(t, filepath.Join(dir, storedir.LockName))
		s, err := Open(dir, Options{})
		require.NoError(t, err)
		require.Equal(t, uint64(i+1), s.LastSeq())
		require.NoError(t, s.Close())
	}
	matrix.Row(t, 32, "%d kills with the lock held: %d opened at once", n, n)
}
