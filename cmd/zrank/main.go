package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"strings"
	"syscall"
	_ "time/tzdata" // windows have zones, and not every machine has them

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/cmd/zrank/internal/demo"
	"github.com/zrankdb/zrank/cmd/zrank/internal/flags"
	"github.com/zrankdb/zrank/cmd/zrank/internal/groups"
	"github.com/zrankdb/zrank/cmd/zrank/internal/move"
	"github.com/zrankdb/zrank/cmd/zrank/internal/redisfile"
	"github.com/zrankdb/zrank/cmd/zrank/internal/replay"
	"github.com/zrankdb/zrank/cmd/zrank/internal/serve"
	"github.com/zrankdb/zrank/cmd/zrank/internal/show"
	"github.com/zrankdb/zrank/cmd/zrank/internal/verbs"
)

func main() {
	log.SetOutput(io.Discard) // net/http writes there what strange servers send; an error is one line
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // the second signal ends the process at once
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

const (
	exitFailed  = 1
	exitUsage   = 2
	exitMissing = 3
)

// run runs one command line and returns the exit code.
func run(ctx context.Context, args []string, in io.Reader, out, errs io.Writer) int {
	started := false
	root := newRoot(&started)
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(errs)
	if len(args) == 0 {
		fmt.Fprint(out, start)
		return 0
	}
	var err error
	if args[0] == "" { // cobra ignores an empty word
		err = noCommand(root, "")
	} else if err = root.ExecuteContext(ctx); err == nil {
		return 0
	}
	if _, rest, unknown := root.Find(args); !started && unknown != nil { // cobra's own error has several lines
		err = unknownCommand(root, rest, unknown)
	}
	fmt.Fprintln(errs, "zrank:", show.Printable(strings.ReplaceAll(err.Error(), "\n", "; ")))
	if !started || errors.As(err, new(flags.Error)) {
		return exitUsage
	}
	if errors.As(err, new(missingError)) {
		return exitMissing
	}
	return exitFailed
}

// newRoot builds the command tree. It sets started once cobra has parsed flags and arguments.
func newRoot(started *bool) *cobra.Command {
	root := &cobra.Command{
		Use:   "zrank",
		Short: "Leaderboards in a directory: exact ranks, durable",
		Long: `zrank keeps leaderboards in a directory: exact ranks, durable.

Begin with "zrank demo", or feed it your own results:

  zrank replay --dir data --window all,week results.csv
  zrank top    --dir data BOARD
  zrank rank   --dir data BOARD MEMBER
  zrank serve  --dir data

A directory has one process at a time. While "zrank serve" has it open, --addr in place of --dir makes the same commands ask that process; ZRANK_DIR,
ZRANK_ADDR and ZRANK_KEY are in place of --dir, --addr and --key.

It exits with 0, with 1 when something went wrong, and with 2 when it was called wrongly; salvage exits with 3 when something is missing. An error is one line on standard error.`,
		Version: version(),
		PersistentPreRunE: func(c *cobra.Command, _ []string) error {
			*started = true
			return checkDirectory(c)
		},
	}
	root.SetVersionTemplate("{{.Version}}")
	root.SetHelpCommand(newHelp())
	root.AddCommand(demo.New(), replay.New(), newBoards(), newPeriods(), newHistory(), newUnion(),
		newFollow(), newClose(), newSettle(), newAwards(), verbs.Claim(), verbs.League(), verbs.Board(), verbs.Groups(groups.NewImport()), newMigrate(), move.New(), redisfile.NewImport(), redisfile.NewExport(), serve.New(), newCheck(), newBackup(), newRestore(), newSalvage(), newCompact(), newSchema(), newVersion(), newCompletion())
	root.AddCommand(verbs.Rankings()...)
	root.AddCommand(verbs.Moderation()...)
	root.AddCommand(verbs.Audit()...)
	root.InitDefaultHelpCmd()
	root.SetHelpFunc(writeShort)
	group(root)
	plainErrors(root)
	completions(root)
	return root
}
