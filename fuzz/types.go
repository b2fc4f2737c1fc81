package fuzz

import (
	"io"
	"os/exec"

	"github.com/zrankdb/zrank/fuzz/internal/machine"
	"github.com/zrankdb/zrank/fuzz/internal/processes"
	"github.com/zrankdb/zrank/fuzz/internal/runner"
	"github.com/zrankdb/zrank/fuzz/internal/script"
)

// Op is one operation of a script. String returns the line that Parse reads.
type Op = script.Op

// Operation describes a kind of operations, for people: see Operations.
type Operation = script.Operation

// Config is a configuration: Name, Layer, and Rates, which lists the operations that the runner adds. Generate and Decode make scripts
// for it.
type Config = machine.Config

// Result is the outcome of a run: History and Counts.
type Result = runner.Result

// Counts are the numbers of operations, commits, crashes and so on in one run, or in many.
type Counts = runner.Counts

// Difference is the first reply of a configuration that is not the oracle's. It is an error.
type Difference = runner.Difference

// Parse reads a script: one operation a line. It skips empty lines and lines that begin with #.
func Parse(text string) ([]Op, error) { return script.Parse(text) }

// Print is the inverse of Parse.
func Print(ops []Op) string { return script.Print(ops) }

// Operations lists every kind of operation.
func Operations() []Operation { return script.Operations() }

// Run runs a script under a configuration, in lockstep with an oracle, and compares their replies. Errors: *Difference, also for a
// panic of a layer, and errors of opening and closing the machine. O(operations x members).
func Run(c Config, ops []Op) (Result, error) { return runner.Run(c, ops) }

// Processes returns configurations of engines on a real disk, each in a child process that is killed by SIGKILL. The operation kill kills it
// between blocks. The operation plant kills it in the middle of a block, which is then stored whole or not at all. The engines' directories
// are in dir. start returns a command that calls ServeProcess with its standard input, its standard output and the given arguments.
func Processes(dir string, start func(args ...string) *exec.Cmd) []Config {
	return processes.Configs(dir, start)
}

// ServeProcess is the main function of such a process: it serves an engine to Processes until in ends, and closes it. Errors: arguments
// that Processes does not pass, and errors of the engine.
func ServeProcess(in io.Reader, out io.Writer, args ...string) error {
	return processes.Serve(in, out, args...)
}
