package main

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSlowFeed writes rows one by one and kills the replay while it waits for more: all rows are stored. Then it interrupts a replay that
// waits, which ends with a message.
func TestSlowFeed(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	for _, end := range []os.Signal{os.Kill, os.Interrupt} {
		c := process("replay", "--dir", dir, "--stdin-name", end.String(), "--skip-bad", "-")
		in, err := c.StdinPipe()
		require.NoError(t, err)
		errs, err := c.StderrPipe()
		require.NoError(t, err)
		require.NoError(t, c.Start())
		said := bufio.NewReader(errs)
		in.Write([]byte("time,member,delta\n"))
		for range 3 {
			// Replay reports a bad row only after it has committed the rows before it.
			in.Write([]byte("1,ada,1\n"))
			in.Write([]byte("bad\n"))
			line, err := said.ReadString('\n')
			require.NoError(t, err)
			require.Contains(t, line, "skipped")
		}
		require.NoError(t, c.Process.Signal(end))
		rest, _ := said.ReadString(0)
		require.Error(t, c.Wait())
		if end == os.Interrupt {
			require.Contains(t, rest, "the same command goes on from there")
			require.Equal(t, 1, c.ProcessState.ExitCode())
		}
	}
	score := strings.TrimSpace(must(t, "score", "--dir", dir, "main", "ada"))
	require.Contains(t, []string{"5", "6"}, score, "all rows but, perhaps, one that was read together with the bad row after it")
}
