package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	_ "time/tzdata" // boards have zones, and not every machine has them

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/internal/seeded"
)

func main() {
	seeded.Set(os.Getenv(bugVariable)) // the engines that this process starts inherit it
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // the second signal ends the process at once
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run runs one command line and returns the exit code.
func run(ctx context.Context, args []string, in io.Reader, out, errs io.Writer) int {
	started := false
	root := newRoot()
	root.PersistentPreRun = func(*cobra.Command, []string) { started = true }
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(errs)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return 0
	}
	fmt.Fprintln(errs, "zrankfuzz:", strings.ReplaceAll(err.Error(), "\n", "; "))
	if !started || errors.As(err, new(usageError)) {
		return exitUsage
	}
	return exitFailed
}

// newRoot builds the command tree. The root itself is a campaign.
func newRoot() *cobra.Command {
	root := newCampaign()
	root.SilenceUsage, root.SilenceErrors = true, true
	root.CompletionOptions = cobra.CompletionOptions{HiddenDefaultCmd: true}
	root.AddCommand(newReplay(), newList(), newPrint(), newCombinations(), newBugs(), newOverlay(), newFind(), newChild())
	return root
}
