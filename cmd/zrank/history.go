package main

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/cmd/zrank/internal/datadir"
	"github.com/zrankdb/zrank/cmd/zrank/internal/flags"
	"github.com/zrankdb/zrank/cmd/zrank/internal/show"
	"github.com/zrankdb/zrank/cmd/zrank/internal/target"
)

// past is one line of "zrank history": a closed period and one member of it.
type past struct {
	Board   string       `json:"board"`
	Window  string       `json:"window"`
	Period  string       `json:"period"`
	Start   *time.Time   `json:"start"`
	End     *time.Time   `json:"end"`
	Members int          `json:"members"`
	Rank    int          `json:"rank,omitempty"` // of the member; 0: it is not ranked there
	Member  string       `json:"member,text"`
	Score   *board.Score `json:"score,omitempty"`
	Best    bool         `json:"best,omitempty"` // this is the first period with the member's best rank
}

// historyFlags has the flags of "zrank history".
type historyFlags struct {
	at                    target.Target
	format, window, ranks string
}

func newHistory() *cobra.Command {
	var f historyFlags
	c := &cobra.Command{
		Use:   "history BOARD [MEMBER]",
		Short: "List the closed periods of a board with their winners, or with a member's rank",
		Long: `List the closed periods of a window that are kept, with the winner of each. With MEMBER, its rank and score in each, and where it
was best; a period that it is not ranked in has neither. It exits with 0 also where no period is closed yet, or MEMBER was in none.

` + flags.MemberHelp,
		Example: `  zrank history --dir data --window week arena
  zrank history --dir data --window week --ranks competition arena ada`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(c *cobra.Command, args []string) error { return f.run(c, append(args, "")) },
	}
	f.at.Flags(c)
	flags.Format(c, &f.format)
	c.Flags().StringVar(&f.window, "window", "", "window of the board, by its name (default: its first whose periods end)")
	flags.Ranks(c, &f.ranks)
	return c
}

// run shows the history of the board args[0], or of the member args[1] in it.
func (f *historyFlags) run(c *cobra.Command, args []string) error {
	mode, err := flags.ParseRanks(f.ranks)
	if err != nil {
		return err
	}
	member, err := flags.ParseMember(args[1])
	if err != nil {
		return err
	}
	format, err := flags.ParseFormat(f.format)
	if err != nil {
		return err
	}
	return f.at.Open(func(d target.Boards) error {
		b, err := d.Board(c.Context(), args[0])
		if err != nil {
			return err
		}
		win, err := target.EndingWindow(b, f.window)
		if err != nil {
			return err
		}
		all, err := history(c.Context(), b, win, member, mode)
		if err != nil {
			return err
		}
		list := historyList(datadir.ColumnNames(b.Spec()))
		list.Empty = show.Title(b.Name(), win, win) + ": no period with members is closed yet"
		return list.Write(c.OutOrStdout(), format, all)
	})
}

// history returns the closed periods of a window with their winners, or with the rank of a member.
func history(ctx context.Context, b board.Board, win, member string, mode board.Mode) ([]past, error) {
	periods, err := b.Periods(ctx, win)
	if err != nil {
		return nil, err
	}
	zone, err := zoneOf(b, win)
	if err != nil {
		return nil, err
	}
	var all []past
	best := -1
	for _, u := range periods {
		if !u.Closed {
			continue
		}
		p := past{Board: b.Name(), Window: win, Period: u.Period, Members: u.Members, Member: member,
			Start: moment(u.Start, zone), End: moment(u.End, zone)}
		if err := p.find(ctx, b, mode); err != nil {
			return nil, err
		}
		if all = append(all, p); member != "" && p.Rank > 0 && (best < 0 || p.Rank < all[best].Rank) {
			best = len(all) - 1
		}
	}
	if best >= 0 {
		all[best].Best = true
	}
	return all, nil
}

// find fills in the member's place, or the winner's if no member is named.
func (p *past) find(ctx context.Context, b board.Board, mode board.Mode) error {
	r, err := b.Period(ctx, p.Window, p.Period)
	if err != nil {
		return err
	}
	r = r.By(mode)
	row, ok, err := r.At(ctx, 1)
	if p.Member != "" {
		row, ok, err = r.Rank(ctx, p.Member)
	}
	if ok {
		p.Rank, p.Member, p.Score = row.Rank, row.Member, &row.Score
	}
	return err
}

// zoneOf returns the zone of a window.
func zoneOf(b board.Board, win string) (*time.Location, error) {
	for _, w := range b.Spec().Windows {
		if w.Name == win {
			return time.LoadLocation(w.TimeZone)
		}
	}
	return nil, fmt.Errorf("%w: %q", board.ErrNoWindow, win)
}

// historyList writes closed periods, a line each.
func historyList(columns []string) show.List[past] {
	l := show.List[past]{Columns: append([]string{"period", "start", "end", "members", "rank", "member"}, columns...), Right: []int{4, 5}}
	for i := range columns {
		l.Right = append(l.Right, 7+i)
	}
	l.Columns = append(l.Columns, "best")
	l.Cells = func(p past, people bool) []string {
		cells := []string{p.Period, timeText(p.Start), timeText(p.End), strconv.Itoa(p.Members), "", p.Member}
		if people {
			cells[5] = show.Name(p.Member)
		}
		if p.Rank > 0 {
			cells[4] = strconv.Itoa(p.Rank)
		}
		for i := range columns {
			if p.Score == nil {
				cells = append(cells, "")
			} else {
				cells = append(cells, p.Score.At(i).String())
			}
		}
		best := ""
		if p.Best {
			best = "best"
		}
		return append(cells, best)
	}
	return l
}
