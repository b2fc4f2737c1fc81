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

Stop zrank serve first: it makes no backup itself. A Go program that has the directory open makes one while it goes on: Engine.Backup of the library.`,
		`  zrank backup --dir data backups/monday`,
		func(c *cobra.Command, dir, other string) error {
			bar := newReadBar(c.ErrOrStderr(), dir)
			defer bar.stop()
			err := datadir.OpenEngine(dir, engine.Options{MustExist: true, SnapshotBytes: -1}, func(e *engine.Engine) error {
				return e.Backup(bar.context(c.Context()), other)
			})
			bar.stop()
			if err != nil {
				return stopFirst(dir, "Engine.Backup", err)
			}
			_, err = fmt.Fprintf(c.OutOrStdout(), "%s is in %s, checked\n", show.Printable(dir), show.Printable(other))
			return err
		})
}

// stopFirst says what to do about a directory that is in use: a server and a command of ours must end, and a program of Go may call the library. It
// returns other errors as they are.
func stopFirst(dir, call string, err error) error {
	if used := new(datadir.InUseError); errors.As(err, &used) {
		return fmt.Errorf("%w: stop it first, as it cannot do this itself", used)
	}
	if errors.Is(err, engine.ErrLocked) {
		return fmt.Errorf("%s is in use: stop the process that has it open, or if that is a Go program of yours let it call %s (%w)", show.Printable(dir), call, err)
	}
	return err
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

// missingError is returned by a command that has done what it could, and something is missing. The process exits with 3.
type missingError struct{ error }

func newSalvage() *cobra.Command {
	return newTool("salvage NEWDIR", "Copy what is whole of a damaged data directory",
		`Copy what can be read of the damaged data directory that --dir names to NEWDIR, which must not exist or be empty. Nothing is changed in the damaged
directory but files called LOCK.

If the damage leaves one, the copy is a prefix: the state after a commit, the latest that can be read, with everything before it. It does if only the log is damaged, or
files beside the tables. Otherwise the copy has what is whole: each set that may be older, newer or have holes is named. Sets of a board that are named
may not fit together with the others of that board: "zrank check" on NEWDIR finds what closed periods, stored unions and groups have lost.

Each thing that is wrong with the directory, and each set that is not in NEWDIR as it was, is one line of the output. It exits with 0 if nothing is missing,
and with 3 if something is or may be. What was lost at the end of the log in a crash, within a second before it, may leave no trace.`,
		`  zrank salvage --dir data rescued`,
		func(c *cobra.Command, dir, other string) error {
			bar := newReadBar(c.ErrOrStderr(), dir)
			defer bar.stop()
			done, err := engine.Salvage(bar.context(c.Context()), dir, other, engine.Options{})
			bar.stop()
			if err != nil {
				return datadir.Explain(dir, err)
			}
			if err := writeSalvaged(c.OutOrStdout(), done); err != nil || done.Whole() {
				return err
			}
			return missingError{fmt.Errorf("%s has not everything that %s had, or may not: see above", other, dir)}
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
		if s.Lost == 0 && s.Pages > 0 {
			loss = "all its pages are there"
		}
		if s.Ahead > 0 {
			loss += fmt.Sprintf("; it may hold some of what commits up to %s or later did, which are lost", numbers.Count(s.Ahead))
		}
		fmt.Fprintf(t, "damaged set\t%s\n", oneLine(fmt.Sprintf("%q: %s", s.Key, loss)))
	}
	if done.Gaps > 0 {
		fmt.Fprintf(t, "sets lost\tin %s of the list of sets, so their names are lost too; the log may have parts of them\n", numbers.Plural(done.Gaps, "gap"))
	}
	if done.PrivateGaps > 0 {
		fmt.Fprintf(t, "private keys lost\tin %s\n", numbers.Plural(done.PrivateGaps, "gap"))
	}
	if done.PrivateAhead {
		fmt.Fprintf(t, "private keys in doubt\tsome may be as commits after the one below left them\n")
	}
	if done.Stale {
		fmt.Fprintf(t, "all in doubt\tfiles of Pebble are missing or damaged, so any set and private key may be missing, or be older than the commit below\n")
	}
	if done.Dropped > 0 {
		fmt.Fprintf(t, "log lost\t%s, after commit %s\n", numbers.Plural(done.Dropped, "group"), numbers.Count(done.Copy.LastSeq))
	}
	fmt.Fprintf(t, "copied\t%s, %s, to commit %s\n", numbers.Plural(done.Copy.Sets, "set"), numbers.Plural(done.Copy.PrivateKeys, "private key"),
		numbers.Count(done.Copy.LastSeq))
	for _, p := range done.Copy.Problems {
		fmt.Fprintf(t, "problem in the copy\t%s\n", oneLine(p.String()))
	}
	fmt.Fprintf(t, "missing\t%s\n", missing(done))
	return t.Flush()
}

// missing says what is missing from a copy.
func missing(done engine.Salvaged) string {
	at := numbers.Count(done.Copy.LastSeq)
	switch {
	case done.Whole():
		return "nothing"
	case done.Prefix() && len(done.Copy.Problems) > 0:
		return "what the problems in the copy say, which the directory has too"
	case done.Prefix():
		return "at most commits after " + at + ": the copy is the state after it"
	case done.Stale:
		return "nobody can tell: the copy is not the state after one commit"
	}
	return "what is named above: the rest is as after commit " + at
}
