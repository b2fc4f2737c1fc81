package main

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/cmd/zrank/internal/console"
	"github.com/zrankdb/zrank/cmd/zrank/internal/datadir"
	"github.com/zrankdb/zrank/cmd/zrank/internal/flags"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board"
	"github.com/zrankdb/zrank/internal/numbers"
)

func newCheck() *cobra.Command {
	var dir string
	c := &cobra.Command{
		Use:   "check",
		Short: "Read everything in a data directory and report what is wrong",
		Long: `Read everything in a data directory and report what is wrong with it: the log and the chain through it, every set and page,
every private key, every block of the tables they are in; and each closed period and each stored union that is not what it was when
it was closed or stored. No file is changed but those called LOCK. What can be read is read, also where nothing else opens the directory any more.

It exits with 0 if nothing is wrong and with 1 if anything is; each problem is one line of the output.`,
		Example: `  zrank check --dir data`,
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			start := time.Now()
			bar := newReadBar(c.ErrOrStderr(), dir)
			defer bar.stop()
			rep, err := board.CheckDir(c.Context(), dir, engine.Options{}, bar.move)
			bar.stop()
			if err != nil {
				return datadir.Explain(dir, err)
			}
			if err := writeReport(c.OutOrStdout(), rep, time.Since(start)); err != nil {
				return err
			}
			if n := len(rep.Problems); n > 0 {
				return fmt.Errorf("%s: %s; \"zrank salvage\" copies what is whole", dir, numbers.Plural(n, "problem"))
			}
			return nil
		},
	}
	flags.Dir(c, &dir)
	return c
}

// writeReport writes the numbers of the check, and a line for each problem.
func writeReport(w io.Writer, rep board.Report, took time.Duration) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "snapshot\tnumber %s\n", numbers.Count(rep.Snapshot))
	fmt.Fprintf(t, "sets\t%s on %s\n", numbers.Count(rep.Sets), numbers.Plural(rep.Pages, "page"))
	fmt.Fprintf(t, "log\t%s in %s, to number %s\n", numbers.Plural(rep.Commits, "commit"), numbers.Plural(rep.Groups, "group"), numbers.Count(rep.LastSeq))
	fmt.Fprintf(t, "private keys\t%s\n", numbers.Count(rep.PrivateKeys))
	if rep.Closed+rep.Unrecorded > 0 {
		fmt.Fprintf(t, "closed periods\t%s as they were closed, %s closed without a checksum\n", numbers.Count(rep.Closed), numbers.Count(rep.Unrecorded))
	}
	if rep.Unions > 0 {
		fmt.Fprintf(t, "stored unions\t%s as they were stored\n", numbers.Count(rep.Unions))
	}
	fmt.Fprintf(t, "read\t%s in %s\n", console.Size(rep.Bytes), took.Round(time.Millisecond))
	for _, p := range rep.Problems {
		fmt.Fprintf(t, "problem\t%s\n", oneLine(p.String()))
	}
	if len(rep.Problems) == 0 {
		fmt.Fprintf(t, "problems\tnone\n")
	}
	return t.Flush()
}
