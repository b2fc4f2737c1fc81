package processtest

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/zrankdb/zrank/fuzz/internal/machine"
	"github.com/zrankdb/zrank/fuzz/internal/processes"
)

// variable is the environment variable that holds the arguments of a child process.
const variable = "ZRANK_FUZZ_PROCESS"

// Configs returns the configurations of package processes, in directories that the test removes. The test program must have a test
// called TestProcessChild that calls Child.
func Configs(t *testing.T) []machine.Config {
	return processes.Configs(t.TempDir(), func(args ...string) *exec.Cmd {
		cmd := exec.Command(os.Args[0], "-test.run=^TestProcessChild$")
		cmd.Env = append(os.Environ(), variable+"="+strings.Join(args, " "))
		return cmd
	})
}

// Child serves an engine in a child process. In any other process it skips the test.
func Child(t *testing.T) {
	args := strings.Fields(os.Getenv(variable))
	if len(args) == 0 {
		t.Skip("runs as a child process only")
	}
	if err := processes.Serve(os.Stdin, os.Stdout, args...); err != nil {
		t.Fatal(err)
	}
	os.Stdout.Close() // the parent must not read what the test framework prints at the end
}
