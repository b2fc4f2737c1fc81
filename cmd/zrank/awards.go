package main

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/cmd/zrank/internal/flags"
	"github.com/zrankdb/zrank/cmd/zrank/internal/show"
	"github.com/zrankdb/zrank/cmd/zrank/internal/target"
)

// awardsFlags has the flags of "zrank awards".
type awardsFlags struct {
	at                        target.Target
	format, window, period    string
	member                    string
	tooMuch                   bool
	states                    []string
	n                         int
	withhold, release, reason string

	c    *cobra.Command
	args []string // the board, if one is named
	only []awards.State
}

func newAwards() *cobra.Command {
	f := &awardsFlags{}
	f.c = &cobra.Command{
		Use:   "awards [BOARD]",
		Short: "List what closed periods award, and what has become of it; withhold and release awards",
		Long: `List the closed periods that award something, with how many awards each has, how many of them wait to be delivered or claimed, how many of
those have failed, and how many have expired. With --period, --member, --state or --too-much list the awards themselves, by place; --state
with all states lists every award.

--withhold makes an award that waits one that is not granted, --release makes one that is withheld or has failed wait again. ID is that of
the list.

--member is as MEMBER of other commands: its bytes, or base64: and their base64url. A table shows the beginning of a long payload.`,
		Example: `  zrank awards --dir data
  zrank awards --dir data --window day --period 2026-11-20 arena
  zrank awards --dir data --state waiting,failed --format json arena
  zrank awards --dir data --member ada
  zrank awards --dir data --withhold arena/day/2026-11-20/1/ada --reason cheated
  zrank awards --dir data --release arena/day/2026-11-20/1/ada`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			f.args = args
			return f.run(c.Context())
		},
	}
	f.at.Flags(f.c)
	flags.Format(f.c, &f.format)
	fs := f.c.Flags()
	fs.StringVar(&f.window, "window", "", "window of BOARD, by its name (default: all of them)")
	fs.StringVar(&f.period, "period", "", "closed period of --window, or last, the last one")
	fs.StringVar(&f.member, "member", "", "awards of this member only")
	fs.StringSliceVar(&f.states, "state", nil, "awards in these states only: waiting, failed, granted, withheld, expired")
	fs.BoolVar(&f.tooMuch, "too-much", false, "awards only of which more was granted than is due")
	fs.IntVarP(&f.n, "number", "n", 0, "how many awards (default: all of them)")
	fs.StringVar(&f.withhold, "withhold", "", "id of an award to withhold")
	fs.StringVar(&f.release, "release", "", "id of an award to release")
	fs.StringVar(&f.reason, "reason", "", "why, with --withhold")
	return f.c
}

// run lists awards or periods, or changes an award.
func (f *awardsFlags) run(ctx context.Context) (err error) {
	format, err := flags.ParseFormat(f.format)
	if err != nil {
		return err
	}
	if err := f.validate(); err != nil {
		return err
	}
	if f.member, err = flags.ParseMember(f.member); err != nil {
		return err
	}
	return f.at.OpenSettled(f.c.Context(), func(d target.Boards) error {
		boards, err := target.Named(ctx, d, f.args)
		if err == nil && f.period != "" {
			f.period, err = target.PeriodName(ctx, boards[0], f.window, f.period)
		}
		switch {
		case err != nil:
			return err
		case f.withhold != "":
			return f.change(boards, f.withhold, "is withheld", func(b board.Board) error { return b.Withhold(ctx, f.withhold, f.reason) })
		case f.release != "":
			return f.change(boards, f.release, "waits", func(b board.Board) error { return b.Release(ctx, f.release) })
		case f.period != "" || f.member != "" || f.only != nil || f.tooMuch:
			return show.Awards.WriteAll(f.c.OutOrStdout(), format, f.awards(ctx, boards))
		}
		var list []settlement
		for _, b := range boards {
			all, err := settlements(ctx, b, f.window, f.period)
			if err != nil {
				return err
			}
			for _, s := range all {
				list = append(list, settlement{Settlement: s})
			}
		}
		return settlementList.Write(f.c.OutOrStdout(), format, list)
	})
}

// validate returns an error for flags that contradict each other, and parses --state.
func (f *awardsFlags) validate() error {
	for _, text := range f.states {
		state, err := awards.ParseState(text)
		if err != nil {
			return flags.Errorf("--state has %q, want some of waiting, failed, granted, withheld, expired", text)
		}
		f.only = append(f.only, state)
	}
	switch {
	case f.withhold != "" && f.release != "":
		return flags.Errorf("--withhold and --release are both set")
	case (f.withhold != "") != (f.reason != ""):
		return flags.Errorf("want --withhold and --reason together")
	case f.window != "" && len(f.args) == 0:
		return flags.Errorf("--window needs BOARD")
	case f.period != "" && f.window == "":
		return flags.Errorf("--period needs --window")
	case f.n < 0:
		return flags.Errorf("-n is %d, want 0 or more", f.n)
	}
	return nil
}

// settlements returns the settlements of a window, or of all windows if it is "", and of one period unless that is "". Errors: board.ErrNoWindow,
// awards.ErrNoAward if the period has no settlement.
func settlements(ctx context.Context, b board.Board, win, period string) (list []awards.Settlement, err error) {
	windows := []string{win}
	if win == "" {
		windows = windowNames(b)
	}
	for _, win := range windows {
		of, err := b.Settlements(ctx, win)
		if err != nil {
			return nil, err
		}
		list = append(list, slices.DeleteFunc(of, func(s awards.Settlement) bool { return period != "" && s.Period != period })...)
	}
	if period != "" && len(list) == 0 {
		for _, err := range b.Awards(ctx, win, period) {
			return nil, err
		}
	}
	return list, nil
}

// awards iterates over the awards that the flags choose.
func (f *awardsFlags) awards(ctx context.Context, boards []board.Board) iter.Seq2[awards.Award, error] {
	return func(yield func(awards.Award, error) bool) {
		n := 0
		for a, err := range f.all(ctx, boards) {
			if err == nil && (f.only != nil && !slices.Contains(f.only, a.State) || f.tooMuch && a.TooMuch == nil) {
				continue
			}
			if n++; !yield(a, err) || n == f.n {
				return
			}
		}
	}
}

// all iterates over the awards of the periods and of the member that the flags choose.
func (f *awardsFlags) all(ctx context.Context, boards []board.Board) iter.Seq2[awards.Award, error] {
	return func(yield func(awards.Award, error) bool) {
		for _, b := range boards {
			periods, err := settlements(ctx, b, f.window, f.period)
			if err != nil {
				yield(awards.Award{}, err)
				return
			}
			if f.member != "" {
				if !f.ofMember(ctx, b, periods, yield) {
					return
				}
				continue
			}
			for _, s := range periods {
				for a, err := range b.Awards(ctx, s.Window, s.Period) {
					if !yield(a, err) {
						return
					}
				}
			}
		}
	}
}

// ofMember yields the awards of the member in some periods. It reports whether yield wants more.
func (f *awardsFlags) ofMember(ctx context.Context, b board.Board, periods []awards.Settlement, yield func(awards.Award, error) bool) bool {
	all, err := b.AwardsOf(ctx, f.member)
	if err != nil {
		return yield(awards.Award{}, err)
	}
	for _, a := range all {
		of := func(s awards.Settlement) bool { return s.Window == a.Window && s.Period == a.Period }
		if slices.ContainsFunc(periods, of) && !yield(a, nil) {
			return false
		}
	}
	return true
}

// change changes an award, which one of the boards has, and says what it is now. Error: awards.ErrNoAward if none has it.
func (f *awardsFlags) change(boards []board.Board, id, is string, change func(b board.Board) error) error {
	for _, b := range boards {
		switch err := change(b); {
		case err == nil:
			_, err = fmt.Fprintf(f.c.OutOrStdout(), "%s %s\n", show.Printable(id), is)
			return err
		case !errors.Is(err, awards.ErrNoAward):
			return err
		}
	}
	return fmt.Errorf("%w: %s", awards.ErrNoAward, id)
}
