package main

import (
	"fmt"
	"io"
	"time"

	"github.com/jedib0t/go-pretty/v6/progress"
	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/cmd/zrank/internal/console"
	"github.com/zrankdb/zrank/cmd/zrank/internal/datadir"
	"github.com/zrankdb/zrank/cmd/zrank/internal/flags"
	"github.com/zrankdb/zrank/cmd/zrank/internal/show"
	"github.com/zrankdb/zrank/engine"
)

// compacted is the line that compact writes.
type compacted struct {
	Dir     string  `json:"dir"`
	Before  int64   `json:"before"` // bytes of files
	After   int64   `json:"after"`
	Seconds float64 `json:"seconds"`
}

var compactedList = show.List[compacted]{
	Columns: []string{"directory", "before", "after", "seconds"},
	Right:   []int{2, 3, 4},
	Cells: func(c compacted, people bool) []string {
		return []string{show.Printable(c.Dir), bytesText(c.Before, people), bytesText(c.After, people), fmt.Sprintf("%.3f", c.Seconds)}
	},
}

func newCompact() *cobra.Command {
	var dir, format string
	c := &cobra.Command{
		Use:   "compact",
		Short: "Remove every byte of what was deleted from the files of a data directory",
		Long: `Rewrite the files of the data directory that --dir names, which no process may have open, until none has a byte of a member, a set or another
key that was deleted before, nor of a value that was replaced. A deleted name stays in the files otherwise until the store gets round to it.

Copies of the directory, such as backups, keep what they have. A file system may keep the bytes of files that are removed, and a flash disk those of
blocks that are written anew: what must not be readable there has to be encrypted.

It needs free space for about 256 MiB. Stop zrank serve first: it does not compact itself. A Go program that has the directory open does it while it goes
on: Engine.Compact of the library.`,
		Example: `  zrank compact --dir data
  zrank compact --dir data --format json`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			f, err := flags.ParseFormat(format)
			if err != nil {
				return err
			}
			sum, err := compact(c, dir)
			if err != nil {
				return stopFirst(dir, "Engine.Compact", err)
			}
			return compactedList.Write(c.OutOrStdout(), f, []compacted{sum})
		},
	}
	flags.Dir(c, &dir)
	flags.Format(c, &format)
	return c
}

// compact opens a directory and compacts it.
func compact(c *cobra.Command, dir string) (sum compacted, err error) {
	began := time.Now()
	bar := newCompactBar(c.ErrOrStderr(), dir)
	defer bar.stop()
	err = datadir.OpenEngine(dir, engine.Options{MustExist: true, SnapshotBytes: -1}, func(e *engine.Engine) error {
		done, err := e.Compact(c.Context(), bar.move)
		sum = compacted{Dir: dir, Before: done.Before, After: done.After}
		return err
	})
	sum.Seconds = time.Since(began).Seconds()
	return sum, err
}

// compactBar shows the progress of a compaction on a terminal, and nothing elsewhere.
type compactBar struct {
	p       progress.Writer // nil: not a terminal
	tracker *progress.Tracker
}

func newCompactBar(w io.Writer, dir string) *compactBar {
	b := &compactBar{}
	if console.IsTerminal(w) {
		b.p, b.tracker = console.NewProgress(w), &progress.Tracker{Message: dir, Units: progress.UnitsBytes}
		b.p.AppendTracker(b.tracker)
		go b.p.Render()
	}
	return b
}

// move shows how much has been compacted.
func (b *compactBar) move(c engine.Compaction) {
	if b.tracker != nil {
		b.tracker.UpdateTotal(c.Bytes)
		b.tracker.SetValue(c.Done)
	}
}

func (b *compactBar) stop() { console.StopProgress(b.p) }
