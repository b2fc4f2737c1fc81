package main

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/cmd/zrank/internal/console"
	"github.com/zrankdb/zrank/cmd/zrank/internal/datadir"
	"github.com/zrankdb/zrank/cmd/zrank/internal/flags"
	"github.com/zrankdb/zrank/engine"
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

It exits with 0 if nothing is wrong and with 1 if anything is; each problem is one line of the output. A note is what may be wrong, and only you can know: a closed
period of a board of groups that has other scores than the present members make. That is right if members have joined or left since.`,
		Example: `  zrank check --dir data`,
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			start := time.Now()
			bar := newReadBar(c.ErrOrStderr(), dir)
			defer bar.stop()
			rep, err := local.CheckDir(c.Context(), dir, engine.Options{}, bar.move)
			bar.stop()
			if err != nil {
				return datadir.Explain(dir, err)
			}
			if err := writeReport(c.OutOrStdout(), rep, time.Since(start)); err != nil {
				return err
			}
			if n := len(rep.Problems); n > 0 {
				return fmt.Errorf("%s: %s; %s", dir, numbers.Plural(n, "problem"), remedy(rep))
			}
			return nil
		},
	}
	flags.Dir(c, &dir)
	return c
}

// remedy says what can be done about the problems of a check.
func remedy(rep local.Report) string {
	others := rep.OfBoards - rep.Rebuilds
	switch {
	case len(rep.Problems) > rep.OfBoards:
		return `"zrank salvage" copies what is whole`
	case rep.Rebuilds == 0:
		return "the files are whole, and boards in them are not what they were: a backup from before has them"
	case others == 0:
		return `"zrank groups rebuild" with the name of the board corrects that`
	}
	return fmt.Sprintf(`"zrank groups rebuild" with the name of the board corrects %s of them; for the others the files are whole, and a backup from before has what boards were`,
		numbers.Count(rep.Rebuilds))
}

// writeReport writes the numbers of the check, and a line for each problem.
func writeReport(w io.Writer, rep local.Report, took time.Duration) error {
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
	for _, p := range rep.Notes {
		fmt.Fprintf(t, "note\t%s\n", oneLine(p.String()))
	}
	if len(rep.Problems) == 0 {
		fmt.Fprintf(t, "problems\tnone\n")
	}
	return t.Flush()
}
