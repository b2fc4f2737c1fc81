package fuzz

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// processChild is the environment variable that makes the test program be an engine: its arguments.
const processChild = "ZRANK_FUZZ_PROCESS"

// TestProcessChild is the child.
func TestProcessChild(t *testing.T) {
	args := strings.Fields(os.Getenv(processChild))
	if len(args) == 0 {
		t.Skip("runs as a child process only")
	}
	require.NoError(t, ServeProcess(os.Stdin, os.Stdout, args...))
	os.Stdout.Close() // the test framework's last words are none of the answers
}

// processes are the engines in processes of their own, in directories that the test removes.
func processes(t *testing.T) []Config {
	return Processes(t.TempDir(), func(args ...string) *exec.Cmd {
		cmd := exec.Command(os.Args[0], "-test.run=^TestProcessChild$")
		cmd.Env = append(os.Environ(), processChild+"="+strings.Join(args, " "))
		return cmd
	})
}

// TestProcess kills engines on a real disk, between blocks and in the middle of them.
func TestProcess(t *testing.T) {
	var all Counts
	for i, c := range processes(t) {
		script := c.Generate(*seedFlag+uint64(i), 60)
		result, err := Run(c, script)
		require.NoError(t, err, "%s\n%s", c.Name, Print(script))
		all.Add(result.Counts)
	}
	require.Positive(t, all.Kills)
	t.Logf("%+v", all)
}

// TestProcessEnds has a process that ends by itself: that is said, with what it wrote.
func TestProcessEnds(t *testing.T) {
	configs := Processes(t.TempDir(), func(...string) *exec.Cmd { return exec.Command(os.Args[0], "-test.run=^$", "-nosuchflag") })
	_, err := Run(configs[0], nil)
	require.ErrorContains(t, err, "the process has ended")
	require.ErrorContains(t, err, "nosuchflag")
	require.ErrorContains(t, ServeProcess(strings.NewReader(""), os.Stdout, "nobody", t.TempDir(), "0"), `"nobody"`)
}
