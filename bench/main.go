package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := newRoot().ExecuteContext(ctx)
	stop()
	if err != nil {
		os.Exit(1) // cobra has printed it
	}
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:          "bench",
		Short:        "Compare zrank with what a Go program would use in its place",
		SilenceUsage: true,
	}
	root.AddCommand(
		newCompare(),
		newGrowth(),
		newLatency(),
		newWorkloads(),
		newTargets(),
		newDurable(),
		newRecover(),
		newEngine(),
		newKeyspace(),
		newPauses(),
		newBoards(),
		newResp(),
		newReport(),
		newDiff(),
		newTable(),
		newMeasure(),
		newChild(),
	)
	return root
}
