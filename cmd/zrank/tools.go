package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/cmd/zrank/internal/datadir"
	"github.com/zrankdb/zrank/cmd/zrank/internal/flags"
	"github.com/zrankdb/zrank/cmd/zrank/internal/show"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/numbers"
)

// oneLine returns text in one line that is safe to print.
func oneLine(text string) string {
	return show.Printable(strings.Join(strings.Fields(text), " "))
}

// newTool makes a command that does something with the data directory dir and its argument, the directory other.
func newTool(use, short, long, example string, run func(c *cobra.Command, dir, other string) error) *cobra.Command {
	var dir string
	c := &cobra.Command{Use: use, Short: short, Long: long, Example: example, Args: cobra.ExactArgs(1)}
	c.RunE = func(c *cobra.Command, args []string) error { return run(c, dir, args[0]) }
	flags.Dir(c, &dir)
	return c
}

func newBackup() *cobra.Command {
	return newTool("backup DEST", "Copy a data directory, checked",
		`Copy the data directory that --dir names, which no process may have open, to DEST, which must not exist or be empty. Files are shared by
hard links where both are on one file system. The copy is read in full before it gets its name.

A program that has the directory open backs it up itself, while it goes on: Engine.Backup of the library.`,
		`  zrank backup --dir data backups/monday`,
		func(c *cobra.Command, dir, other string) error {
			bar := newReadBar(c.ErrOrStderr(), dir)
			defer bar.stop()
			err := datadir.OpenEngine(dir, engine.Options{MustExist: true, SnapshotBytes: -1}, func(e *engine.Engine) error {
				return e.Backup(bar.context(c.Context()), other)
			})
			bar.stop()
			if errors.Is(err, engine.ErrLocked) {
				return fmt.Errorf("%s is in use: the program that has it open can back it up with Engine.Backup (%w)", dir, err)
			}
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(c.OutOrStdout(), "%s is in %s, checked\n", show.Printable(dir), show.Printable(other))
			return err
		})
}

func newRestore() *cobra.Command {
	return newTool("restore BACKUP", "Make a data directory of a backup",
		`Copy BACKUP, or any data directory that no process has open, to the directory that --dir names, which must not exist or be empty. All of it is read
before and after, and flushed. The new directory is a store of its own: it may be used beside the one that was backed up.`,
		`  zrank restore --dir data backups/monday`,
		func(c *cobra.Command, dir, other string) error {
			bar := newReadBar(c.ErrOrStderr(), other)
			defer bar.stop()
			rep, err := engine.Restore(bar.context(c.Context()), other, dir, engine.Options{})
			bar.stop()
			if err != nil {
				return datadir.Explain(other, err)
			}
			_, err = fmt.Fprintf(c.OutOrStdout(), "%s is in %s, checked: %s, %s, commit %s\n", show.Printable(other), show.Printable(dir),
				numbers.Plural(rep.Sets, "set"), numbers.Plural(rep.PrivateKeys, "private key"), numbers.Count(rep.LastSeq))
			return err
		})
}

func newSalvage() *cobra.Command {
	return newTool("salvage NEWDIR", "Copy what is whole of a damaged data directory",
		`Copy what can be read of the damaged data directory that --dir names to NEWDIR, which must not exist or be empty: every commit up
to the first one that is damaged or missing, every set, and the private keys. Of a set with damaged pages the other members are
copied, and the set is named. Nothing is changed in the damaged directory but files called LOCK.

Each thing that is wrong with it, and each set that is not in NEWDIR as it was, is one line of the output. It exits with 0 if it could
make the copy, whatever is missing there.`,
		`  zrank salvage --dir data rescued`,
		func(c *cobra.Command, dir, other string) error {
			bar := newReadBar(c.ErrOrStderr(), dir)
			defer bar.stop()
			done, err := engine.Salvage(bar.context(c.Context()), dir, other, engine.Options{})
			bar.stop()
			if err != nil {
				return datadir.Explain(dir, err)
			}
			return writeSalvaged(c.OutOrStdout(), done)
		})
}

// writeSalvaged writes the problems, the damaged sets and lost parts, and the contents of the copy.
func writeSalvaged(w io.Writer, done engine.Salvaged) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, p := range done.Source.Problems {
		fmt.Fprintf(t, "problem\t%s\n", oneLine(p.String()))
	}
	for _, s := range done.Sets {
		loss := fmt.Sprintf("%s of %s lost", numbers.Count(s.Lost), numbers.Plural(s.Pages, "page"))
		if s.Pages == 0 {
			loss = "its record is lost; it has what the log says"
		}
		if s.Ahead > 0 {
			loss += fmt.Sprintf("; it holds some of what commits up to %s did, which are lost", numbers.Count(s.Ahead))
		}
		fmt.Fprintf(t, "damaged set\t%s\n", oneLine(fmt.Sprintf("%q: %s", s.Key, loss)))
	}
	if done.Gaps > 0 {
		fmt.Fprintf(t, "sets lost\tin %s of the list of sets, so their names are lost too; the log may have parts of them\n", numbers.Plural(done.Gaps, "gap"))
	}
	if done.Stale {
		fmt.Fprintf(t, "sets in doubt\tfiles of Pebble are missing or damaged, so any set may be missing, or be older than the commit below\n")
	}
	if done.Dropped > 0 {
		fmt.Fprintf(t, "log lost\t%s, after commit %s\n", numbers.Plural(done.Dropped, "group"), numbers.Count(done.Copy.LastSeq))
	}
	fmt.Fprintf(t, "copied\t%s, %s, to commit %s\n", numbers.Plural(done.Copy.Sets, "set"), numbers.Plural(done.Copy.PrivateKeys, "private key"),
		numbers.Count(done.Copy.LastSeq))
	return t.Flush()
}
