package processes_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/fuzz/internal/machine"
	"github.com/zrankdb/zrank/fuzz/internal/processes"
	"github.com/zrankdb/zrank/fuzz/internal/processtest"
	"github.com/zrankdb/zrank/fuzz/internal/script"
)

// TestProcessChild is the child process of the configurations in processtest.
func TestProcessChild(t *testing.T) { processtest.Child(t) }

// TestProcessKilled expects a new process after each kill, and the same one after other operations.
func TestProcessKilled(t *testing.T) {
	made, err := processtest.Configs(t)[0].Open()
	require.NoError(t, err)
	m := made.(interface {
		machine.Crashable
		Pid() int
	})
	defer func() { require.NoError(t, m.Close()) }()
	first := m.Pid()
	require.NoError(t, m.Between(script.Op{Kind: "snapshot"}))
	require.Equal(t, first, m.Pid())
	require.NoError(t, m.Between(script.Op{Kind: "kill"}))
	require.NotEqual(t, first, m.Pid())
	require.NoError(t, m.Between(script.Op{Kind: "plant"}))
	require.False(t, m.Crashed())
	_, _ = m.Run(script.Block{Ops: []script.Op{{Kind: "len", Key: "a"}}}) // it may answer in time, or not
	require.True(t, m.Crashed())
	require.NoError(t, m.Restart())
}

// TestProcessEnds: if the process ends by itself, the error quotes its standard error.
func TestProcessEnds(t *testing.T) {
	configs := processes.Configs(t.TempDir(), func(...string) *exec.Cmd { return exec.Command(os.Args[0], "-test.run=^$", "-nosuchflag") })
	_, err := configs[0].Open()
	require.ErrorContains(t, err, "the process has ended")
	require.ErrorContains(t, err, "nosuchflag")
	require.ErrorContains(t, processes.Serve(strings.NewReader(""), os.Stdout, "nobody", t.TempDir(), "0"), `"nobody"`)
}
