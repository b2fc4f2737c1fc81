package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/cmd/zrank/internal/flags"
	"github.com/zrankdb/zrank/cmd/zrank/internal/show"
	"github.com/zrankdb/zrank/cmd/zrank/internal/specs"
	"github.com/zrankdb/zrank/cmd/zrank/internal/target"
	"github.com/zrankdb/zrank/engine/board"
	"github.com/zrankdb/zrank/internal/numbers"
)

func newMigrate() *cobra.Command {
	var at target.Target
	var file string
	var dry bool
	c := &cobra.Command{
		Use:   "migrate",
		Short: "Give boards other specs, and rank all they keep anew",
		Long: `Give each board of the spec file that --spec names the spec that stands there: all periods that it keeps are ranked anew under it, closed ones too. The
differences are listed first, the stored value before the new one. A board changes over in one commit: whatever stops it, the
board is as it was or as it is to be.

Columns are matched by name: new ones are 0, those that are not in the spec any more go. A window that is new is empty, one that is
not in the spec any more takes its periods with it, and one that is cut another way must have another name. Seasons can be added behind
the last.`,
		Example: `  zrank migrate --dir data --spec arena.json --dry-run
  zrank migrate --dir data --spec arena.json`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if file == "" {
				return flags.Errorf("--spec FILE is missing")
			}
			all, _, err := specs.ReadFile(file)
			if err != nil {
				return err
			}
			return at.Open(func(d target.Boards) error {
				all, err := specs.Complete(func(name string) (board.Spec, error) {
					b, err := d.Board(name)
					if err != nil {
						return board.Spec{}, err
					}
					return b.Spec(), nil
				}, all)
				if err != nil {
					return err
				}
				if err := differences(d, c.OutOrStdout(), all); err != nil || dry {
					return err
				}
				return migrate(c.Context(), d, c.OutOrStdout(), all)
			})
		},
	}
	at.Flags(c)
	c.Flags().StringVar(&file, "spec", "", "file with one spec as JSON, or an array of them")
	c.Flags().BoolVar(&dry, "dry-run", false, "list the differences only")
	return c
}

// differences writes the differences between the specs and those of the boards. All boards must exist.
func differences(d target.Boards, w io.Writer, all []board.Spec) error {
	var text strings.Builder
	for _, spec := range all {
		b, err := d.Board(spec.Name)
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
		b, err := d.Board(spec.Name)
		if err != nil {
			return err
		}
		if spec.Differences(b.Spec()) == nil {
			continue
		}
		start := time.Now()
		if b, err = d.Migrate(ctx, spec); err != nil {
			return err
		}
		periods, err := target.Usage(b)
		if err != nil {
			return err
		}
		entries := 0
		for _, u := range periods {
			entries += u.Members
		}
		if _, err := fmt.Fprintf(w, "%s: %d entries in %s ranked anew in %s, version %d\n", show.Printable(spec.Name), entries,
			numbers.Plural(len(periods), "period"), time.Since(start).Round(time.Millisecond), b.Version()); err != nil {
			return err
		}
	}
	return nil
}
