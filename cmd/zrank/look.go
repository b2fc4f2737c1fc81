package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/cmd/zrank/internal/show"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board"
)

// look is what the commands that look at one ranking have in common.
type look struct {
	dir, format, window, period string
	n, least                    int // -n, and the least that makes sense

	c      *cobra.Command
	board  string
	member string // of commands that take one
	r      board.Ranking
	w      *show.Writer
}

// newLook makes a command that shows something of one ranking.
func newLook(use, short string, args int, show func(l *look) error) (*cobra.Command, *look) {
	l := &look{}
	l.c = &cobra.Command{
		Use:   use,
		Short: short,
		Args:  cobra.ExactArgs(args),
		RunE: func(_ *cobra.Command, args []string) error {
			l.board = args[0]
			if len(args) > 1 {
				l.member = args[1]
			}
			return l.run(show)
		},
	}
	dirFlag(l.c, &l.dir)
	formatFlag(l.c, &l.format)
	l.c.Flags().StringVar(&l.window, "window", "", "window of the board (default: its first)")
	l.c.Flags().StringVar(&l.period, "period", "", "period of the window, such as 2026-W47 (default: the latest that holds anybody)")
	return l.c, l
}

// run opens the ranking and shows something of it.
func (l *look) run(show func(l *look) error) (err error) {
	if l.n < l.least {
		return usagef("-n is %d, want %d or more", l.n, l.least)
	}
	if l.w, err = newWriter(l.c, l.format); err != nil {
		return err
	}
	return withEngine(l.dir, engine.Options{MustExist: true}, func(e *engine.Engine) error {
		if l.r, err = findRanking(e, l.board, board.Window(l.window), l.period); err != nil {
			return err
		}
		if err := show(l); err != nil {
			return err
		}
		return l.w.Close()
	})
}

// findRanking finds a ranking; no window means the board's first, no period the latest that holds anybody.
func findRanking(e *engine.Engine, name string, window board.Window, period string) (board.Ranking, error) {
	b, err := board.Lookup(e, name)
	if err != nil {
		return board.Ranking{}, err
	}
	if window == "" {
		window = b.Spec().Windows[0]
	}
	if period == "" {
		periods, err := b.Periods(window)
		if err != nil {
			return board.Ranking{}, err
		}
		if len(periods) == 0 {
			return b.Live(window)
		}
		period = periods[len(periods)-1]
	}
	return b.Period(window, period)
}

// eachRanking calls fn for every ranking: boards by name, windows as the board has them, periods in order of time.
func eachRanking(e *engine.Engine, fn func(name string, r board.Ranking) error) error {
	all, err := board.Inventory(e)
	if err != nil {
		return err
	}
	for _, r := range all {
		name := r.Board().Spec().Name
		if err := fn(name, r); err != nil {
			return fmt.Errorf("board %q, %s: %w", name, r.Period(), err)
		}
	}
	return nil
}

// shown turns rows of a ranking into rows to show.
func shown(name string, r board.Ranking, rows []board.Row) []show.Row {
	out := make([]show.Row, len(rows))
	for i, row := range rows {
		out[i] = show.Row{Board: name, Window: string(r.Window()), Period: r.Period(), Rank: row.Rank, Member: row.Member, Score: row.Score}
	}
	return out
}

// writeRows shows rows of a ranking under its title.
func writeRows(w *show.Writer, name string, r board.Ranking, rows []board.Row) error {
	return w.Write(show.Title(name, string(r.Window()), r.Period()), shown(name, r, rows))
}

// row returns the member's place.
func (l *look) row() (board.Row, error) {
	row, ok, err := l.r.Rank(l.member)
	if err == nil && !ok {
		err = l.notRanked()
	}
	return row, err
}

func (l *look) notRanked() error {
	return fmt.Errorf("%q is not on board %q in %s", l.member, l.board, l.r.Period())
}

func newTop() *cobra.Command {
	c, l := newLook("top BOARD", "Show the best of a board", 1, func(l *look) error {
		rows, err := l.r.Top(l.n)
		if err != nil {
			return err
		}
		return writeRows(l.w, l.board, l.r, rows)
	})
	l.least = 1
	c.Flags().IntVarP(&l.n, "number", "n", 10, "how many places")
	return c
}

func newAround() *cobra.Command {
	c, l := newLook("around BOARD MEMBER", "Show a member's place with the places before and after it", 2, func(l *look) error {
		rows, ok, err := l.r.Around(l.member, l.n)
		if err == nil && !ok {
			err = l.notRanked()
		}
		if err != nil {
			return err
		}
		return writeRows(l.w, l.board, l.r, rows)
	})
	c.Flags().IntVarP(&l.n, "number", "n", 5, "how many places on each side; near an end the other side shows more")
	return c
}

func newRank() *cobra.Command {
	c, _ := newLook("rank BOARD MEMBER", "Show a member's place", 2, func(l *look) error {
		row, err := l.row()
		if err != nil {
			return err
		}
		return writeRows(l.w, l.board, l.r, []board.Row{row})
	})
	return c
}

func newScore() *cobra.Command {
	c, _ := newLook("score BOARD MEMBER", "Print a member's score: the number alone, or a row with --format csv or json", 2, func(l *look) error {
		row, err := l.row()
		if err != nil {
			return err
		}
		if l.format == show.Table.String() {
			_, err = fmt.Fprintln(l.c.OutOrStdout(), show.Score(row.Score))
			return err
		}
		return writeRows(l.w, l.board, l.r, []board.Row{row})
	})
	return c
}
