package moderate

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/cmd/zrank/internal/flags"
	"github.com/zrankdb/zrank/cmd/zrank/internal/target"
	"github.com/zrankdb/zrank/internal/boardjson"
)

func newCorrect() *cobra.Command {
	var sub board.ClosedSubmission
	var score, at string
	v := &verb{kind: "correct", did: "is corrected", would: "would be corrected"}
	v.do = func(ctx context.Context, b board.Board, names []string, a board.Action) (o outcome, err error) {
		if sub.Period, err = target.PeriodName(ctx, b, sub.Window, sub.Period); err != nil {
			return o, err
		}
		return moderated(b.Correct(ctx, names[0], sub, a))
	}
	v.check = func() (err error) {
		if sub.Window == "" || sub.Period == "" || score == "" {
			return flags.Errorf("want --window, --period and --score")
		}
		if sub.At, err = flags.ParseTime("at", at); err != nil {
			return err
		}
		if sub.Score, err = boardjson.ParseScore(score); err != nil {
			return flags.Errorf("--score is %q, want a number for each column with commas between them", score)
		}
		return nil
	}
	c := v.command(&cobra.Command{
		Use:   "correct BOARD MEMBER",
		Short: "Submit a result to a closed period",
		Long: `Submit a result of a member to one closed period of BOARD, by its rules: a sum adds it, and so on. Other windows and what the period awards stay as they
are: see "zrank settle --period". Where the board keeps a journal, "zrank revert" takes the result back.

` + actionHelp,
		Example: `  zrank correct --dir data --window day --period 2026-11-20 --score 15 --reason outage arena bob
  zrank correct --dir data --window day --period 2026-11-20 --score 3,120 --at 2026-11-20T18:00:00Z --dry-run arena bob`,
		Args: cobra.ExactArgs(2),
	})
	fs := c.Flags()
	fs.StringVar(&sub.Window, "window", "", "window of the closed period")
	fs.StringVar(&sub.Period, "period", "", "name of the closed period, or last, the last one: see \"zrank periods\"")
	fs.StringVar(&score, "score", "", "the result: a number for each column, with commas between them")
	fs.StringVar(&at, "at", "", "when it happened (default: the last microsecond of the period): "+flags.TimeHelp)
	return c
}
