package verbs

import (
	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/ops"
	"github.com/zrankdb/zrank/cmd/zrank/internal/flags"
	"github.com/zrankdb/zrank/cmd/zrank/internal/show"
	"github.com/zrankdb/zrank/cmd/zrank/internal/target"
)

// Command is what the table does not say of a command.
type Command struct {
	Ops     []*ops.Op // the first that takes as many arguments as are given
	Use     string    // its name and arguments; only the name: the arguments are those of the operation
	Short   string    // "": what the table says of the first operation
	Long    string    // "": Short
	Example string
	Empty   string // the line in place of an empty table
	Flags   []Flag
	All     bool // without BOARD it goes through all boards

	add    func(c *cobra.Command)                   // adds more flags
	asked  func(c *cobra.Command, op *ops.Op) bool  // whether the flags say that it is this operation; nil: the number of arguments says it
	before func(o *output) error                    // is called before the operation
	do     func(o *output, e *ops.Env) (any, error) // in place of the operation
	write  func(o *output, result any) error        // in place of output.write
}

// command is a Command with its flags.
type command struct {
	*Command
	c          *cobra.Command
	names      []string // of the arguments, as the help has them
	operations []*operation

	at                             target.Target
	format, ranks                  string
	window, period, asOf, baseline string // of a read
}

// output is what a result is of, and where it goes.
type output struct {
	*cobra.Command
	command *command
	op      *ops.Op
	format  show.Format
	boards  target.Boards
	args    any           // of the operation
	all     bool          // it goes through all boards
	named   []board.Board // those that it is of; none: it is of no board
	ranking board.Ranking // of a read
	info    board.Info    // of the ranking
}

// checkArgs checks the number of arguments.
func (k *command) checkArgs(c *cobra.Command, words []string) error {
	if k.chosen(len(words)) == nil {
		return flags.Errorf("%d arguments", len(words)) // the command line says what it takes
	}
	return nil
}

// chosen returns the operation that takes n arguments, nil if none does.
func (k *command) chosen(n int) *operation {
	for _, o := range k.operations {
		if k.asked != nil && !k.asked(k.c, o.op) {
			continue
		}
		if n == len(o.places) || k.All && n == 0 && len(o.places) == 1 {
			return o
		}
	}
	return nil
}
