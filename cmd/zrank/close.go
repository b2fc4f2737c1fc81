package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/cmd/zrank/internal/console"
	"github.com/zrankdb/zrank/cmd/zrank/internal/flags"
	"github.com/zrankdb/zrank/cmd/zrank/internal/show"
	"github.com/zrankdb/zrank/cmd/zrank/internal/target"
	"github.com/zrankdb/zrank/internal/numbers"
)

// closing has the flags of "zrank close".
type closing struct {
	at       target.Target
	window   string
	yes, dry bool

	terminal func(in any) bool // reports whether in is a terminal, where a person can answer
	c        *cobra.Command
}

func newClose() *cobra.Command { return closeCommand(console.IsTerminal) }

// closeCommand returns the command "zrank close". terminal reports whether a reader is a terminal; tests replace it.
func closeCommand(terminal func(any) bool) *cobra.Command {
	f := &closing{terminal: terminal}
	f.c = &cobra.Command{
		Use:   "close BOARD",
		Short: "Close the live period of a window by hand",
		Long: `Close the live period of the window that --window names, and those before it that still take late results, or only these where none
is live, as after an event. Nothing enters a closed period any more. A result counts in all windows of its board or in none, so until
the next period of this window begins the board refuses every result of now.

It lists what it would close and asks. In a script say --yes; without a terminal and without --yes it exits with 2 and closes nothing.
--dry-run lists only. It exits with 1 if the answer is not yes.

What is live goes by the time of the data where replay has fed the directory, and else by the clock.`,
		Example: `  zrank close --dir data --window week --dry-run arena
  zrank close --dir data --window week arena
  zrank close --dir data --window week --yes arena`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return f.run(c.Context(), args[0]) },
	}
	f.at.Flags(f.c)
	fs := f.c.Flags()
	fs.StringVar(&f.window, "window", "", "window of the board, by its name; required")
	fs.BoolVar(&f.yes, "yes", false, "close without a question")
	fs.BoolVar(&f.dry, "dry-run", false, "list what would be closed, and close nothing")
	return f.c
}

// run lists the open periods of a board, asks, and closes them.
func (f *closing) run(ctx context.Context, name string) error {
	if f.window != "" && !f.yes && !f.dry && !f.terminal(f.c.InOrStdin()) {
		return flags.Errorf("close asks before it closes, and standard input is not a terminal: say --yes, or --dry-run to see what it would close")
	}
	return f.at.Open(func(d target.Boards) error {
		b, err := d.Board(ctx, name)
		if err != nil {
			return err
		}
		if f.window == "" {
			return flags.Errorf("--window is missing: %q has %s", name, endingWindows(b))
		}
		open, err := openPeriods(ctx, b, f.window)
		if err != nil {
			return err
		}
		if len(open) == 0 {
			_, err := fmt.Fprintf(f.c.OutOrStdout(), "%s: nothing is open\n", show.Printable(show.Title(name, f.window, f.window)))
			return err
		}
		if err := f.list(b, open); err != nil || f.dry {
			return err
		}
		if !f.yes && !confirmed(f.c, "Close?") {
			return errNotClosed
		}
		info, err := b.CloseNow(ctx, f.window)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(f.c.OutOrStdout(), "%s is closed\n", show.Printable(show.Title(info.Board, info.Window, info.Period)))
		return err
	})
}

// endingWindows names the windows of a board whose periods end.
func endingWindows(b board.Board) string {
	var names []string
	for _, w := range b.Spec().Windows {
		if w.Ends() {
			names = append(names, w.Name)
		}
	}
	if names == nil {
		return "no window whose periods end"
	}
	return strings.Join(names, ", ")
}

// openPeriods returns the periods that CloseNow would close, oldest first: those that still take late results, then the live period, even if
// it is empty. Where no period is live, the last of them is the one that ended last. The list is empty if the live period is closed
// already. Errors: ErrNoWindow, ErrNoEnd, and ErrOutside if no period is live and the one before is closed.
func openPeriods(ctx context.Context, b board.Board, win string) (open []board.Usage, err error) {
	r, err := b.Live(ctx, win)
	if outside := new(board.OutsideError); errors.As(err, &outside) && outside.Before != nil {
		last, err := b.At(ctx, win, outside.Before.Start)
		if err != nil {
			return nil, err
		}
		info, err := last.Info(ctx)
		if err != nil {
			return nil, err
		}
		if info.Closed {
			return nil, outside
		}
		r = last
	} else if err != nil {
		return nil, err
	}
	last, err := r.Info(ctx)
	if err != nil {
		return nil, err
	}
	if last.End.IsZero() {
		return nil, fmt.Errorf("%w: %s of %q", board.ErrNoEnd, win, b.Name())
	}
	if last.Closed {
		return nil, nil
	}
	all, err := b.Periods(ctx, win)
	for _, u := range all {
		if !u.Closed && !u.End.After(last.End) {
			open = append(open, u)
		}
	}
	if !contains(open, last.Period) { // the last one is empty
		open = append(open, board.Usage{Info: last})
	}
	return open, err
}

// list writes the periods that would be closed, and which results the board would then refuse.
func (f *closing) list(b board.Board, open []board.Usage) error {
	zone, err := zoneOf(b, f.window)
	if err != nil {
		return err
	}
	var text strings.Builder
	for _, u := range open {
		fmt.Fprintf(&text, "%s: %s, ends %s\n", show.Printable(show.Title(u.Board, u.Window, u.Period)), numbers.Plural(u.Members, "member"),
			u.End.In(zone).Format(time.RFC3339))
	}
	fmt.Fprintf(&text, "Once closed, %s refuses every result from before %s, in all its windows: %s.\n", show.Printable(b.Name()),
		open[len(open)-1].End.In(zone).Format(time.RFC3339), strings.Join(windowNames(b), ", "))
	_, err = io.WriteString(f.c.OutOrStdout(), text.String())
	return err
}

// errNotClosed is returned when the answer is not yes.
var errNotClosed = errors.New("nothing was closed")
