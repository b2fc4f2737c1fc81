package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/cmd/zrank/internal/datadir"
	"github.com/zrankdb/zrank/cmd/zrank/internal/flags"
	"github.com/zrankdb/zrank/cmd/zrank/internal/show"
	"github.com/zrankdb/zrank/cmd/zrank/internal/target"
)

// look is a command that shows a part of one ranking: top, rank, around or score.
type look struct {
	at                            target.Target
	format, window, period, ranks string
	asOf                          string // "#ROW" or a time
	since                         string // a period to compare with, of "zrank top"
	n, least                      int    // -n, and its minimum
	hex                           bool   // the member is given in hexadecimal

	c      *cobra.Command
	name   string // of the board
	member string // if the command takes one
	boards target.Boards
	b      board.Board
	r      board.Ranking
	info   board.Info
	f      show.Format
}

// newLook makes a command with the flags of all look commands. It takes one argument, BOARD, or two, BOARD MEMBER; show writes its output.
func newLook(use, short, example string, args int, show func(l *look) error) (*cobra.Command, *look) {
	l := &look{}
	l.c = &cobra.Command{
		Use:     use,
		Short:   short,
		Example: example,
		Args:    cobra.ExactArgs(args),
		RunE: func(c *cobra.Command, args []string) (err error) {
			l.name = args[0]
			if len(args) > 1 {
				if l.member, err = flags.ParseMember(args[1]); err != nil {
					return err
				}
			}
			return l.run(c.Context(), show)
		},
	}
	if args > 1 {
		l.c.Long = short + ". It exits with 1 if the member is not ranked.\n\n" + flags.MemberHelp
	}
	l.at.Flags(l.c)
	flags.Format(l.c, &l.format)
	fs := l.c.Flags()
	fs.StringVar(&l.window, "window", "", "window of the board, by its name (default: its first)")
	fs.StringVar(&l.period, "period", "", "period of the window: "+target.PeriodHelp+", which is the default")
	fs.StringVar(&l.asOf, "as-of", "", "the ranking as it was at "+flags.TimeHelp+", or after a row of the board's journal, as #123")
	flags.Ranks(l.c, &l.ranks)
	return l.c, l
}

// run checks the flags, opens the ranking and calls show.
func (l *look) run(ctx context.Context, show func(l *look) error) (err error) {
	if l.n < l.least {
		return flags.Errorf("-n is %d, want %d or more", l.n, l.least)
	}
	mode, err := flags.ParseRanks(l.ranks)
	if err != nil {
		return err
	}
	if l.f, err = flags.ParseFormat(l.format); err != nil {
		return err
	}
	return l.at.Open(func(d target.Boards) error {
		l.boards = d
		if l.b, l.r, err = target.Ranking(ctx, d, l.name, l.window, l.period); err == nil && l.asOf != "" {
			l.r, err = l.past(l.c.Context())
		}
		if err == nil {
			l.info, err = l.r.Info(ctx)
		}
		if err != nil {
			return err
		}
		l.r = l.r.By(mode)
		return show(l)
	})
}

// past returns the ranking as it was at the moment of --as-of: of the period that contains the time, or after a row of the journal, of the period chosen.
func (l *look) past(ctx context.Context) (board.Ranking, error) {
	i, err := l.r.Info(ctx)
	if err != nil {
		return nil, err
	}
	if text, ok := strings.CutPrefix(l.asOf, "#"); ok {
		row, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			return nil, flags.Errorf("--as-of is %q, want a row as #123, or a time", l.asOf)
		}
		return l.b.AsOfRow(ctx, i.Window, i.Period, row)
	}
	if l.period != "" {
		return nil, flags.Errorf("--period and a time of --as-of name a period each: give one of them")
	}
	at, err := flags.ParseTime("as-of", l.asOf)
	if err != nil {
		return nil, err
	}
	return l.b.AsOf(ctx, i.Window, at)
}

// write shows rows and, if was is not nil, their earlier ranks.
func (l *look) write(rows []board.Row, was []board.Arrow) error {
	w := show.New(l.c.OutOrStdout(), l.f, show.Layout{Columns: datadir.ColumnNames(l.b.Spec()), Was: was != nil})
	lines, title := datadir.Shown(l.info, rows), show.Title(l.info.Board, l.info.Window, l.info.Period)
	if was != nil {
		title += ", since " + l.since
	}
	for k := range was {
		lines[k].Was = was[k].Was
	}
	if err := w.Write(title, datadir.ColumnNames(l.b.Spec()), lines); err != nil {
		return err
	}
	return w.Close()
}

// row returns the row of the member.
func (l *look) row(ctx context.Context) (board.Row, error) {
	row, ok, err := l.r.Rank(ctx, l.member)
	if err == nil && row.Within == board.Unknown { // members may have to be counted first
		if err = l.boards.CountDue(l.c.Context()); err == nil {
			row, ok, err = l.r.Rank(ctx, l.member)
		}
	}
	if err == nil && !ok {
		err = l.notRanked()
	}
	return row, err
}

func (l *look) notRanked() error {
	return fmt.Errorf("%q is not on board %q in %s", l.member, l.name, l.info.Period)
}

func newTop() *cobra.Command {
	c, l := newLook("top BOARD", "Show the best of a board",
		`  zrank top --dir data arena
  zrank top --dir data --window week --period 2026-W47 --ranks competition -n 100 arena
  zrank top --dir data --window week --period last arena
  zrank top --dir data --window week --since 2026-W46 arena
  zrank top --addr http://127.0.0.1:8080 arena
  zrank top --dir data --window week --as-of 2026-11-20T12:00:00Z arena
  zrank top --dir data --as-of '#4711' arena`, 1, func(l *look) error {
			rows, err := l.r.Top(l.c.Context(), l.n)
			if err != nil {
				return err
			}
			was, err := l.was(l.c.Context(), rows)
			if err != nil {
				return err
			}
			return l.write(rows, was)
		})
	l.least = 1
	c.Long = `Show the best of a board: of the window that --window names, in its latest period that holds anybody, or in the one that --period
names. It exits with 0 also where nobody is ranked yet.`
	c.Flags().IntVarP(&l.n, "number", "n", 10, "how many places")
	c.Flags().StringVar(&l.since, "since", "", "another period of the window, or last, the last closed one: shows how far each has risen or fallen since")
	return c
}

// was returns the ranks of rows in the period --since, or nil without --since.
func (l *look) was(ctx context.Context, rows []board.Row) ([]board.Arrow, error) {
	if l.since == "" {
		return nil, nil
	}
	base, err := target.Period(ctx, l.b, l.info.Window, l.since)
	if err != nil {
		return nil, err
	}
	members := make([]string, len(rows))
	for i, row := range rows {
		members[i] = row.Member
	}
	return l.r.Arrows(ctx, base, members...)
}

func newAround() *cobra.Command {
	c, l := newLook("around BOARD MEMBER", "Show a member's place with the places before and after it",
		`  zrank around --dir data -n 3 arena ada`, 2, func(l *look) error {
			rows, ok, err := l.r.Around(l.c.Context(), l.member, l.n)
			if err == nil && !ok {
				err = l.notRanked()
			}
			if err != nil {
				return err
			}
			return l.write(rows, nil)
		})
	c.Flags().IntVarP(&l.n, "number", "n", 5, "how many places on each side; near an end the other side shows more")
	return c
}

func newRank() *cobra.Command {
	c, _ := newLook("rank BOARD MEMBER", "Show a member's place",
		`  zrank rank --dir data --window week arena ada`, 2, func(l *look) error {
			row, err := l.row(l.c.Context())
			if err != nil {
				return err
			}
			return l.write([]board.Row{row}, nil)
		})
	return c
}

func newScore() *cobra.Command {
	c, _ := newLook("score BOARD MEMBER", "Print a member's score: the numbers alone, or a row with --format csv or json",
		`  zrank score --dir data arena ada`, 2, func(l *look) error {
			row, err := l.row(l.c.Context())
			if err != nil {
				return err
			}
			if l.f == show.Table {
				_, err = fmt.Fprintln(l.c.OutOrStdout(), row.Score)
				return err
			}
			return l.write([]board.Row{row}, nil)
		})
	return c
}
