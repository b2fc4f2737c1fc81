package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/cmd/zrank/internal/console"
	"github.com/zrankdb/zrank/cmd/zrank/internal/datadir"
	"github.com/zrankdb/zrank/cmd/zrank/internal/flags"
	"github.com/zrankdb/zrank/cmd/zrank/internal/show"
	"github.com/zrankdb/zrank/cmd/zrank/internal/specs"
	"github.com/zrankdb/zrank/cmd/zrank/internal/target"
	"github.com/zrankdb/zrank/internal/numbers"
)

// migration has the flags of "zrank migrate".
type migration struct {
	at       target.Target
	file     string
	yes, dry bool

	terminal func(in any) bool // reports whether in is a terminal, where a person can answer
	c        *cobra.Command
}

func newMigrate() *cobra.Command { return migrateCommand(console.IsTerminal) }

// migrateCommand returns the command "zrank migrate". terminal reports whether a reader is a terminal; tests replace it.
func migrateCommand(terminal func(any) bool) *cobra.Command {
	f := &migration{terminal: terminal}
	f.c = &cobra.Command{
		Use:   "migrate",
		Short: "Give boards other specs, and rank all they keep anew",
		Long: `Give each board of the spec file that --spec names the spec that stands there: all periods that it keeps are ranked anew under it, closed ones too. The
differences are listed first, the stored value before the new one. A board changes over in one commit: whatever stops it, the
board is as it was or as it is to be.

Columns are matched by name: new ones are 0, those that are not in the spec any more go. A window that is new is empty, one that is
not in the spec any more takes its periods with it, and one that is cut another way must have another name. Seasons can be added behind
the last.

What would be deleted is listed, and migrate asks before it deletes a window, a column or periods. In a script say --yes; without a
terminal and without --yes it exits with 2 and changes nothing. It exits with 1 if the answer is not yes.`,
		Example: `  zrank migrate --dir data --spec arena.json --dry-run
  zrank migrate --dir data --spec arena.json`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return f.run(c.Context()) },
	}
	f.at.Flags(f.c)
	fs := f.c.Flags()
	fs.StringVar(&f.file, "spec", "", "file with one spec as JSON, or an array of them")
	fs.BoolVar(&f.yes, "yes", false, "delete windows, columns and periods without a question")
	fs.BoolVar(&f.dry, "dry-run", false, "list the differences only")
	return f.c
}

// run lists the differences, asks if anything would be deleted, and migrates.
func (f *migration) run(ctx context.Context) error {
	if f.file == "" {
		return flags.Errorf("--spec FILE is missing")
	}
	all, _, err := specs.ReadFile(f.file)
	if err != nil {
		return err
	}
	return f.at.Open(func(d target.Boards) error {
		all, err := specs.Complete(func(name string) (board.Spec, error) {
			b, err := d.Board(ctx, name)
			if err != nil {
				return board.Spec{}, err
			}
			return b.Spec(), nil
		}, all)
		if err != nil {
			return err
		}
		out := f.c.OutOrStdout()
		if err := differences(ctx, d, out, all); err != nil {
			return err
		}
		lost, err := losses(ctx, d, all)
		if err != nil {
			return err
		}
		for _, text := range lost {
			fmt.Fprintln(out, show.Printable(text))
		}
		switch {
		case f.dry:
			return nil
		case len(lost) == 0 || f.yes:
		case !f.terminal(f.c.InOrStdin()):
			return flags.Errorf("migrate asks before it deletes, and standard input is not a terminal: say --yes, or --dry-run to see the differences")
		case !confirmed(f.c, "Delete?"):
			return errNotMigrated
		}
		return migrate(f.c.Context(), d, out, all)
	})
}

// errNotMigrated is returned when the answer is not yes.
var errNotMigrated = errors.New("no board was changed")

// losses says what the specs would delete of their boards.
func losses(ctx context.Context, d target.Boards, all []board.Spec) (texts []string, err error) {
	for _, spec := range all {
		b, err := d.Board(ctx, spec.Name)
		if err != nil {
			return nil, err
		}
		diff := spec.Differences(b.Spec()) // it knows the defaults
		for _, c := range b.Spec().Columns {
			if slices.Contains(diff, "column "+c.Name+" is gone") {
				texts = append(texts, fmt.Sprintf("%s: column %s would be deleted", spec.Name, c.Name))
			}
		}
		for _, w := range b.Spec().Windows {
			periods, err := b.Periods(ctx, w.Name)
			if err != nil {
				return nil, err
			}
			gone := slices.Contains(diff, "window "+w.Name+" is gone")
			if text := windowLoss(spec, w, periods, gone); text != "" {
				texts = append(texts, spec.Name+": "+text)
			}
		}
	}
	return texts, nil
}

// windowLoss says what a spec would delete of the periods of a window that is stored; "" is nothing.
func windowLoss(spec board.Spec, stored board.Window, periods []board.Usage, gone bool) string {
	if gone {
		members := 0
		for _, u := range periods {
			members += u.Members
		}
		return fmt.Sprintf("window %s would be deleted: %s with %s", stored.Name, numbers.Plural(len(periods), "period"), numbers.Plural(members, "place"))
	}
	i := slices.IndexFunc(spec.Windows, func(x board.Window) bool { return x.Label() == stored.Name })
	if i < 0 { // all, the default, of which no period is closed
		return ""
	}
	keep, closed := spec.Windows[i].Keep, 0
	for _, u := range periods {
		if u.Closed {
			closed++
		}
	}
	if keep == 0 || closed <= keep {
		return ""
	}
	return fmt.Sprintf("window %s: the oldest %s would be deleted", stored.Name, numbers.Plural(closed-keep, "period"))
}

// differences writes the differences between the specs and those of the boards. All boards must exist.
func differences(ctx context.Context, d target.Boards, w io.Writer, all []board.Spec) error {
	var text strings.Builder
	for _, spec := range all {
		b, err := d.Board(ctx, spec.Name)
		if err != nil {
			return err
		}
		diff := spec.Differences(b.Spec())
		if diff == nil {
			diff = []string{"is so already"}
		}
		for _, line := range diff {
			fmt.Fprintf(&text, "%s: %s\n", show.Printable(spec.Name), show.Printable(line))
		}
	}
	_, err := io.WriteString(w, text.String())
	return err
}

// migrate migrates the boards whose spec differs, and writes how long each took.
func migrate(ctx context.Context, d target.Boards, w io.Writer, all []board.Spec) error {
	for _, spec := range all {
		b, err := d.Board(ctx, spec.Name)
		if err != nil {
			return err
		}
		if spec.Differences(b.Spec()) == nil {
			continue
		}
		start, before := time.Now(), b.Version()
		if b, err = d.Migrate(ctx, spec); err != nil {
			return err
		}
		periods, err := datadir.Periods(ctx, b)
		if err != nil {
			return err
		}
		entries := 0
		for _, u := range periods {
			entries += u.Members
		}
		what := "the spec is stored, and no ranking changes" // if the new spec is about what comes
		if entries > 0 && b.Version() != before {
			what = fmt.Sprintf("%d entries in %s ranked anew in %s", entries, numbers.Plural(len(periods), "period"), time.Since(start).Round(time.Millisecond))
		}
		if _, err := fmt.Fprintf(w, "%s: %s, version %d\n", show.Printable(spec.Name), what, b.Version()); err != nil {
			return err
		}
	}
	return nil
}
