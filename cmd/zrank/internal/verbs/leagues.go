package verbs

import (
	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/ops"
	"github.com/zrankdb/zrank/cmd/zrank/internal/show"
	"github.com/zrankdb/zrank/cmd/zrank/internal/target"
)

// League returns the command "zrank league".
func League() *cobra.Command {
	return Command{Ops: []*ops.Op{ops.GetLeague.Op, ops.ListPromotions.Op}, Use: "league BOARD [MEMBER]", Short: "Show the cohort of a member, or who was promoted and relegated",
		Long: `Show the cohort that a member is in, of a board with leagues: its places, and who would go up and down if the period ended now, or has gone in one that
is over. Without MEMBER, list who was promoted and relegated by the closed period --period.`,
		Example: `  zrank league --dir data arena ada
  zrank league --dir data --period 2026-W47 arena ada
  zrank league --dir data --period 2026-W47 arena`,
		Empty: "nobody",
		Flags: []Flag{{Argument: "period", Help: "period of the leagues' window: " + target.PeriodHelp + " (default: the live one)"}},
		write: func(o *output, result any) error {
			l, ok := result.(board.League)
			if !ok || o.format == show.JSON {
				return o.write(result)
			}
			var lines []any
			for _, row := range l.Rows {
				lines = append(lines, cohortRow{l.Period, l.Tier, l.Cohort, row})
			}
			return o.writeLines(lines, cohortRow{})
		}}.New()
}

// cohortRow is a member of a cohort, with what the cohort is.
type cohortRow struct {
	Period string `json:"period"`
	Tier   string `json:"tier"`
	Cohort uint64 `json:"cohort"`
	board.LeagueRow
}
