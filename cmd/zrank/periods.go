package main

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/board/window"
	"github.com/zrankdb/zrank/cmd/zrank/internal/flags"
	"github.com/zrankdb/zrank/cmd/zrank/internal/show"
	"github.com/zrankdb/zrank/cmd/zrank/internal/target"
)

// periodInfo is one line of "zrank periods".
type periodInfo struct {
	Board   string     `json:"board"`
	Window  string     `json:"window"`
	Period  string     `json:"period"`
	Start   *time.Time `json:"start,omitempty"` // in the window's zone; nil: it has none
	End     *time.Time `json:"end,omitempty"`
	State   string     `json:"state"`
	Members int        `json:"members"`
	Memory  int64      `json:"memory"`
	Disk    int64      `json:"disk"`
	Next    *time.Time `json:"nextReset,omitempty"` // of the live period: when the next one begins
	Waiting *int       `json:"waiting,omitempty"`   // awards that wait to be delivered or claimed; nil: the window awards nothing
}

func newPeriods() *cobra.Command {
	var at target.Target
	var format, win string
	c := &cobra.Command{
		Use:   "periods BOARD",
		Short: "List the periods of a board",
		Long: `List the periods of a board that hold anybody, and the live ones: when they start and end in the window's zone, whether they are
live, take late results still, or are closed, how many members they have and what they take of memory and disk (as of the last
snapshot), and when the next reset is; and, of a board with awards, how many wait to be delivered or claimed.

What is live goes by the time of the data where replay has fed the directory, and else by the clock.`,
		Example: `  zrank periods --dir data arena
  zrank periods --dir data --window week --format json arena`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			f, err := flags.ParseFormat(format)
			if err != nil {
				return err
			}
			return at.Open(func(d target.Boards) error {
				infos, err := periods(c.Context(), d, args[0], win)
				if err != nil {
					return err
				}
				awards := slices.ContainsFunc(infos, func(i periodInfo) bool { return i.Waiting != nil })
				return periodList(awards).Write(c.OutOrStdout(), f, infos)
			})
		},
	}
	at.Flags(c)
	flags.Format(c, &format)
	c.Flags().StringVar(&win, "window", "", "window of the board, by its name (default: all of them)")
	return c
}

// periods describes the periods of a window, or of all windows.
func periods(ctx context.Context, d target.Boards, name, win string) ([]periodInfo, error) {
	b, err := d.Board(ctx, name)
	if err == nil && b.Spec().Awards != nil {
		_, err = d.SettleDue(ctx) // so that it is known how many awards wait
	}
	if err != nil {
		return nil, err
	}
	var infos []periodInfo
	found := win == ""
	for _, w := range b.Spec().Windows {
		if win != "" && w.Name != win {
			continue
		}
		found = true
		windowInfos, err := periodsOf(ctx, d, b, w)
		if err != nil {
			return nil, err
		}
		infos = append(infos, windowInfos...)
	}
	if !found {
		_, err = b.Live(ctx, win) // for its error, ErrNoWindow
	}
	return infos, err
}

// periodsOf describes the periods of one window, the live one last, even if it is empty.
func periodsOf(ctx context.Context, d target.Boards, b board.Board, w board.Window) ([]periodInfo, error) {
	all, err := b.Periods(ctx, w.Name)
	if err != nil {
		return nil, err
	}
	live, isLive, err := liveOf(ctx, b, w.Name)
	if err != nil {
		return nil, err
	}
	if isLive && !contains(all, live.Period) {
		all = append(all, board.Usage{Info: live})
	}
	next, resets, err := b.NextReset(ctx, w.Name)
	if err != nil {
		return nil, err
	}
	zone, err := time.LoadLocation(w.TimeZone)
	if err != nil {
		return nil, err
	}
	awards := slices.ContainsFunc(b.Spec().Awards, func(p awards.Plan) bool { return p.Window == w.Name })
	var infos []periodInfo
	for _, u := range all {
		i := periodInfo{Board: b.Name(), Window: w.Name, Period: u.Period, Members: u.Members, Memory: u.Memory, Disk: u.Disk,
			Start: moment(u.Start, zone), End: moment(u.End, zone), State: state(u.Info, live, w, zone)}
		if resets && isLive && u.Period == live.Period {
			i.Next = moment(next, zone)
		}
		if awards || u.Waiting > 0 { // also where the plan has gone
			i.Waiting = &u.Waiting
		}
		infos = append(infos, i)
	}
	if !isLive {
		i := periodInfo{Board: b.Name(), Window: w.Name, State: "none is live"}
		if resets {
			i.Next = moment(next, zone)
		}
		infos = append(infos, i)
	}
	return infos, nil
}

// liveOf returns the live period of a window. Between seasons none is live: then Start is the beginning of the next one, if there is one.
func liveOf(ctx context.Context, b board.Board, win string) (live board.Info, is bool, err error) {
	r, err := b.Live(ctx, win)
	if outside := new(board.OutsideError); errors.As(err, &outside) {
		if outside.After != nil {
			live.Start = outside.After.Start
		}
		return live, false, nil
	}
	if err != nil {
		return live, false, err
	}
	live, err = r.Info(ctx)
	return live, err == nil, err
}

func contains(all []board.Usage, period string) bool {
	for _, u := range all {
		if u.Period == period {
			return true
		}
	}
	return false
}

// moment returns a time in a zone, nil for none.
func moment(t time.Time, zone *time.Location) *time.Time {
	if t.IsZero() {
		return nil
	}
	t = t.In(zone)
	return &t
}

// state returns the state of a period: live, taking late results, or closed. live is as liveOf returns it: periods that begin then or later are not over.
func state(i, live board.Info, w board.Window, zone *time.Location) string {
	switch {
	case i.Closed:
		return "closed"
	case i.End.IsZero() || !live.Start.IsZero() && !i.Start.Before(live.Start):
		return "live"
	case w.Grace == window.Forever:
		return "late results until closed by hand"
	}
	return "late results until " + i.End.Add(time.Duration(w.Grace)).In(zone).Format(time.RFC3339)
}

// periodList writes periods, a line each, perhaps with a column of the awards that wait.
func periodList(awards bool) show.List[periodInfo] {
	l := show.List[periodInfo]{
		Columns: []string{"window", "period", "start", "end", "state", "members", "memory", "disk", "next reset"},
		Right:   []int{6, 7, 8, 10},
	}
	if awards {
		l.Columns = append(l.Columns, "waiting")
	}
	l.Cells = func(i periodInfo, people bool) []string {
		cells := []string{i.Window, i.Period, timeText(i.Start), timeText(i.End), i.State, strconv.Itoa(i.Members),
			bytesText(i.Memory, people), bytesText(i.Disk, people), timeText(i.Next)}
		switch {
		case i.Waiting != nil:
			cells = append(cells, strconv.Itoa(*i.Waiting))
		case awards:
			cells = append(cells, "")
		}
		return cells
	}
	return l
}

func timeText(t *time.Time) string {
	if t == nil {
		return ""
	}
	return t.Format(time.RFC3339)
}
