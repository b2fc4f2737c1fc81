package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/bench/internal/adminpages"
	"github.com/zrankdb/zrank/bench/internal/bench"
	"github.com/zrankdb/zrank/bench/internal/boards"
	"github.com/zrankdb/zrank/bench/internal/clustered"
	"github.com/zrankdb/zrank/bench/internal/httpapi"
	"github.com/zrankdb/zrank/bench/internal/imported"
	"github.com/zrankdb/zrank/bench/internal/keyspace"
	"github.com/zrankdb/zrank/bench/internal/measure"
	"github.com/zrankdb/zrank/bench/internal/recovery"
	"github.com/zrankdb/zrank/bench/internal/render"
	"github.com/zrankdb/zrank/bench/internal/served"
	"github.com/zrankdb/zrank/bench/internal/traffic"
)

// benchmarks are all benchmarks. To add one, declare it in a package and add it here.
var benchmarks = []*bench.Benchmark{
	&measure.Compare, &measure.Growth, &measure.Latency, &traffic.Durable, &recovery.Benchmark, &traffic.Engine,
	&keyspace.Benchmark, &recovery.Pauses, &boards.Benchmark, &boards.Hot, &served.Benchmark, &clustered.Benchmark, &httpapi.Benchmark, &adminpages.Benchmark, &imported.Benchmark,
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := newRoot().ExecuteContext(ctx)
	stop()
	if err != nil {
		os.Exit(1) // cobra has printed it
	}
}

func newRoot() *cobra.Command {
	root := &cobra.Command{Use: "bench", Short: "Compare zrank with what a Go program would use in its place", SilenceUsage: true}
	for _, b := range benchmarks {
		root.AddCommand(newBenchmark(b))
	}
	root.AddCommand(newWorkloads(), newTargets(), newReport(), newDiff(), newTable(), &cobra.Command{
		Use: bench.ChildCommand + " job", Short: "Do a job in this process", Args: cobra.ExactArgs(1), Hidden: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			return bench.Serve(cmd.Context(), benchmarks, args[0], cmd.InOrStdin(), cmd.OutOrStdout())
		},
	})
	return root
}

// newBenchmark is the command of a benchmark.
func newBenchmark(b *bench.Benchmark) *cobra.Command {
	var o bench.Options
	cmd := &cobra.Command{
		Use: b.Name, Short: b.Short, Long: b.Long, Args: cobra.NoArgs,
		Example: "  go run . " + b.Name + " " + strings.ReplaceAll(b.Example, "\n", "\n  go run . "+b.Name+" ") + "\n  go run . " + b.Name + " --json > raw.json",
	}
	cmd.RunE = func(*cobra.Command, []string) error {
		if o.Rounds < bench.MinRounds {
			return fmt.Errorf("--rounds is %d; a median and a spread need %d or more", o.Rounds, bench.MinRounds)
		}
		r, err := b.Run(cmd.Context(), cmd.Flags(), o, cmd.ErrOrStderr())
		if err != nil {
			return err
		}
		if o.JSON {
			return r.WriteJSON(cmd.OutOrStdout())
		}
		return render.Text(cmd.OutOrStdout(), r, false)
	}
	b.AddFlags(cmd.Flags(), &o)
	return cmd
}

// newTable is the command that prints a file of figures.
func newTable() *cobra.Command {
	markdown := false
	cmd := &cobra.Command{
		Use:   "table raw.json",
		Short: "Print the tables of what was measured before",
		Long: "Table prints again what the --json of another command wrote, as tables or as Markdown for a README.\n\n" +
			"The figures are the file's. The targets are this program's, held against them anew.",
		Example: "  go run . table raw.json\n  go run . table raw.json --markdown",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := load(args...)
			if err != nil {
				return err
			}
			return render.Text(cmd.OutOrStdout(), r[0], markdown)
		},
	}
	cmd.Flags().BoolVar(&markdown, "markdown", false, "print Markdown")
	return cmd
}

// newTargets is the command that lists the targets.
func newTargets() *cobra.Command {
	return &cobra.Command{
		Use:   "targets [raw.json ...]",
		Short: "List the targets, the commands that measure them, and which are met",
		Long: "Targets prints every target: the rows of the design's section 8, and what issues ask for besides, each with the\n" +
			"command that measures it. Files that --json of those commands wrote tell which are met and which are missed.",
		Example: "  go run . targets\n  go run . targets results/*.json",
		RunE: func(cmd *cobra.Command, args []string) error {
			results, err := load(args...)
			if err != nil {
				return err
			}
			return render.Targets(cmd.OutOrStdout(), benchmarks, results...)
		},
	}
}

// load reads files of figures.
func load(names ...string) (list []*bench.Result, err error) {
	for _, name := range names {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		r, err := bench.Read(f, benchmarks)
		_ = f.Close() // it was only read
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		list = append(list, r)
	}
	return list, nil
}
