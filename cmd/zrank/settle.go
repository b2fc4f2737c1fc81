package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/cmd/zrank/internal/flags"
	"github.com/zrankdb/zrank/cmd/zrank/internal/show"
	"github.com/zrankdb/zrank/cmd/zrank/internal/target"
	"github.com/zrankdb/zrank/internal/numbers"
)

// settleFlags has the flags of "zrank settle".
type settleFlags struct {
	at                     target.Target
	format, window, period string
	without                []string
	plan                   string // a file
	reason                 string
	dry                    bool

	c *cobra.Command
	f show.Format
}

func newSettle() *cobra.Command {
	f := &settleFlags{}
	f.c = &cobra.Command{
		Use:   "settle [BOARD]",
		Short: "Close and settle what is due; settle a closed period again after a correction",
		Long: `Close the periods whose time is up, also those that award nothing, and settle those that award something: from then on it is known who gets
what. List the periods of BOARD, or of all boards, whose awards wait, and those that it has closed. It never delivers an award: that is done by
the program that has the boards open, with Boards.Deliver, or by its members, who claim.

A server closes and settles by itself, so with --addr it lists what waits.

With --period settle this closed period again: members that --without names get nothing, and the ranks of the others close up; --plan is a file
with another plan of awards as JSON, as in a spec. List who has gained and lost, and what was granted too much. What was granted stays granted;
what is due and was not granted waits. --without takes the place of the list of an earlier correction, and --without "" empties it.
--dry-run only lists.`,
		Example: `  zrank settle --dir data
  zrank settle --dir data --window day --period 2026-11-20 --without eve --reason cheated --dry-run arena
  zrank settle --dir data --window day --period 2026-11-20 --plan plan.json --reason generous arena`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return f.run(c.Context(), args) },
	}
	f.at.Flags(f.c)
	flags.Format(f.c, &f.format)
	fs := f.c.Flags()
	fs.StringVar(&f.window, "window", "", "window of BOARD, by its name, with --period")
	fs.StringVar(&f.period, "period", "", "closed period to settle again, or last, the last one")
	fs.StringArrayVar(&f.without, "without", nil, "member that gets nothing; once for each")
	fs.StringVar(&f.plan, "plan", "", "file with another plan of awards")
	fs.StringVar(&f.reason, "reason", "", "why, with --period")
	fs.BoolVar(&f.dry, "dry-run", false, "list what would change, and change nothing")
	return f.c
}

func (f *settleFlags) run(ctx context.Context, args []string) (err error) {
	if f.f, err = flags.ParseFormat(f.format); err != nil {
		return err
	}
	if f.period != "" {
		return f.again(ctx, args)
	}
	for _, name := range []string{"window", "without", "plan", "reason", "dry-run"} {
		if f.c.Flags().Changed(name) {
			return flags.Errorf("--%s needs --period", name)
		}
	}
	return f.at.OpenStill(func(d target.Boards) error {
		boards, err := target.Named(ctx, d, args)
		if err != nil {
			return err
		}
		list, err := settleDue(f.c.Context(), d, boards)
		if err != nil {
			return err
		}
		return f.writeDue(list)
	})
}

// settleDue starts the clock of the directory, closes and settles what is due, and returns the periods of some boards that it has closed or
// whose awards wait.
func settleDue(ctx context.Context, d target.Boards, boards []board.Board) (list []settlement, err error) {
	before := map[[3]string]bool{}
	key := func(s awards.Settlement) [3]string { return [3]string{s.Board, s.Window, s.Period} }
	for _, b := range boards {
		all, err := settlements(ctx, b, "", "")
		if err != nil {
			return nil, err
		}
		for _, s := range all {
			before[key(s)] = true
		}
	}
	if err := d.Start(ctx); err != nil {
		return nil, err
	}
	if _, err := d.SettleDue(ctx); err != nil {
		return nil, err
	}
	for _, b := range boards {
		all, err := settlements(ctx, b, "", "")
		if err != nil {
			return nil, err
		}
		for _, s := range all {
			if !before[key(s)] || s.Waiting > 0 {
				list = append(list, settlement{s, !before[key(s)]})
			}
		}
	}
	return list, nil
}

// writeDue writes what was settled. A table has a line about what is left to do below it.
func (f *settleFlags) writeDue(list []settlement) error {
	due := settlementList
	due.Empty = "nothing is due, and no award waits"
	if err := due.Write(f.c.OutOrStdout(), f.f, list); err != nil || f.f != show.Table {
		return err
	}
	deliver, claim := 0, 0
	for _, s := range list {
		if s.Plan.Claim {
			claim += s.Waiting
		} else {
			deliver += s.Waiting
		}
	}
	if deliver+claim == 0 {
		return nil
	}
	_, err := fmt.Fprintf(f.c.OutOrStdout(), "%s to be delivered by the program, %d to be claimed: settle delivers none\n",
		numbers.Plural(deliver, "award"), claim)
	return err
}

// again settles a period again.
func (f *settleFlags) again(ctx context.Context, args []string) error {
	r, err := f.resettlement(args)
	if err != nil {
		return err
	}
	return f.at.Open(func(d target.Boards) error {
		b, err := d.Board(ctx, args[0])
		if err != nil {
			return err
		}
		if f.period, err = target.PeriodName(ctx, b, f.window, f.period); err != nil {
			return err
		}
		if !f.c.Flags().Changed("without") {
			list, err := settlements(ctx, b, f.window, f.period)
			if err != nil {
				return err
			}
			r.Without = list[0].Without
		}
		c, err := b.Resettle(f.c.Context(), f.window, f.period, r)
		if err != nil {
			return err
		}
		return f.writeDifference(f.c.OutOrStdout(), show.Title(b.Name(), f.window, f.period), c)
	})
}

// resettlement returns the correction that the flags describe.
func (f *settleFlags) resettlement(args []string) (r awards.Resettlement, err error) {
	switch fs := f.c.Flags(); {
	case len(args) == 0 || f.window == "":
		return r, flags.Errorf("--period needs BOARD and --window")
	case !fs.Changed("without") && !fs.Changed("plan"):
		return r, flags.Errorf("--period needs --without or --plan")
	case f.reason == "":
		return r, flags.Errorf("--period needs --reason")
	}
	r.Reason, r.DryRun = f.reason, f.dry
	for _, text := range f.without {
		member, err := flags.ParseMember(text)
		if err != nil {
			return r, err
		}
		if member != "" {
			r.Without = append(r.Without, member)
		}
	}
	if f.plan != "" {
		r.Plan, err = readPlan(f.plan)
	}
	return r, err
}

// writeDifference writes what a Resettle changes. A table has a line with the numbers above it.
func (f *settleFlags) writeDifference(w io.Writer, title string, c awards.Difference) error {
	if f.f == show.Table {
		dry := ""
		if f.dry {
			dry = " (dry run)"
		}
		if _, err := fmt.Fprintf(w, "%s: %d gained, %d lost, %d granted too much%s\n", show.Printable(title), c.Gained, c.Lost, c.TooMuch, dry); err != nil {
			return err
		}
	}
	return changeList.Write(w, f.f, c.Changes)
}
