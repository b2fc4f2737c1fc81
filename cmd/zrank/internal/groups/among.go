package groups

import (
	"strconv"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/cmd/zrank/internal/datadir"
	"github.com/zrankdb/zrank/cmd/zrank/internal/flags"
	"github.com/zrankdb/zrank/cmd/zrank/internal/show"
	"github.com/zrankdb/zrank/cmd/zrank/internal/target"
	"github.com/zrankdb/zrank/internal/boardjson"
)

func newAmong() *cobra.Command {
	o := &options{}
	var win, period, ranks string
	var mode board.Mode
	c := o.addOf(&cobra.Command{
		Use:   "among KIND GROUP BOARD",
		Short: "Rank the members of a group among themselves",
		Long: `Rank the members of a group among themselves, by their scores on a board: in the latest period that holds anybody of the window that --window names,
or in the one that --period names. RANK is that in the whole ranking. Members that are not ranked are left out.`,
		Example: `  zrank groups among --dir data guild wolves arena
  zrank groups among --dir data --window week --period 2026-W47 --ranks dense guild wolves arena`,
		Args: cobra.ExactArgs(3),
	}, 1, func(x *call, k board.Groups) error {
		b, r, err := target.Ranking(x.c.Context(), x.d, x.args[2], win, period)
		if err != nil {
			return err
		}
		rows, err := k.Among(x.c.Context(), r.By(mode), x.args[1])
		if err != nil {
			return err
		}
		info, err := r.Info(x.c.Context())
		if err != nil {
			return err
		}
		lines, ranked := make([]standing, len(rows)), datadir.Shown(info, rowsOf(rows))
		for i := range rows {
			lines[i] = standing{Group: x.args[1], Local: rows[i].Local, Row: ranked[i]}
		}
		return write(x, standingList(datadir.ColumnNames(b.Spec())), lines...)
	})
	run := c.RunE
	c.RunE = func(c *cobra.Command, args []string) (err error) {
		if mode, err = flags.ParseRanks(ranks); err != nil {
			return err
		}
		return run(c, args)
	}
	fs := c.Flags()
	fs.StringVar(&win, "window", "", "window of the board, by its name (default: its first)")
	fs.StringVar(&period, "period", "", "period of the window: "+target.PeriodHelp+", which is the default")
	flags.Ranks(c, &ranks)
	return c
}

// standing is a member of a group in a ranking.
type standing struct {
	Group string `json:"group,text"`
	Local int    `json:"local"` // rank among the members of the group
	show.Row
}

// AppendJSON implements boardjson.Appender.
func (s *standing) AppendJSON(dst []byte) ([]byte, error) { return boardjson.Append(dst, s) }

func rowsOf(all []board.AmongRow) []board.Row {
	rows := make([]board.Row, len(all))
	for i := range all {
		rows[i] = all[i].Row
	}
	return rows
}

// standingList writes the members of a group in a ranking whose scores have some columns, a line each.
func standingList(columns []string) show.List[standing] {
	l := show.List[standing]{Empty: "no member of the group is ranked", Columns: append([]string{"board", "window", "period", "group", "local", "rank", "member"}, columns...), Right: []int{5, 6}}
	for i := range columns {
		l.Right = append(l.Right, 8+i)
	}
	l.Cells = func(s standing, people bool) []string {
		cells := []string{s.Board, s.Window, s.Period, name(s.Group, people), strconv.Itoa(s.Local), s.RankText(), name(s.Member, people)}
		for i := range columns {
			cells = append(cells, s.Score.At(i).String())
		}
		return cells
	}
	return l
}
