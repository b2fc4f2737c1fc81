package main

import (
	"context"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/cmd/zrank/internal/flags"
	"github.com/zrankdb/zrank/cmd/zrank/internal/show"
	"github.com/zrankdb/zrank/cmd/zrank/internal/target"
)

// leagueFlags has the flags of "zrank league".
type leagueFlags struct {
	at             target.Target
	format, period string
}

func newLeague() *cobra.Command {
	var f leagueFlags
	c := &cobra.Command{
		Use:   "league BOARD [MEMBER]",
		Short: "Show the cohort of a member, or who was promoted and relegated",
		Long: `Show the cohort that a member is in, of a board with leagues: its places, and who would go up and down if the period ended now, or has gone in one that
is over. Without MEMBER, list who was promoted and relegated by the closed period --period.

` + flags.MemberHelp,
		Example: `  zrank league --dir data arena ada
  zrank league --dir data --period 2026-W47 arena ada
  zrank league --dir data --period 2026-W47 arena`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(c *cobra.Command, args []string) error { return f.run(c, append(args, "")) },
	}
	f.at.Flags(c)
	flags.Format(c, &f.format)
	c.Flags().StringVar(&f.period, "period", "", "period of the leagues' window: "+target.PeriodHelp+" (default: the live one)")
	return c
}

// run shows the cohort of the member args[1] of the board args[0], or the promotions of a period.
func (f *leagueFlags) run(c *cobra.Command, args []string) error {
	format, err := flags.ParseFormat(f.format)
	if err != nil {
		return err
	}
	member, err := flags.ParseMember(args[1])
	if err != nil {
		return err
	}
	if member == "" && f.period == "" {
		return flags.Errorf("want MEMBER, or the --period whose promotions to list")
	}
	return f.at.Open(func(d target.Boards) error {
		b, err := d.Board(c.Context(), args[0])
		if err != nil {
			return err
		}
		period := f.period
		if l := b.Spec().Leagues; l != nil {
			if period, err = target.PeriodName(c.Context(), b, l.Window, period); err != nil {
				return err
			}
		}
		var lines []leagueInfo
		if member == "" {
			lines, err = promotionsOf(c.Context(), b, period)
		} else {
			lines, err = cohortOf(c.Context(), b, period, member)
		}
		if err != nil {
			return err
		}
		return leagueList.WriteAll(c.OutOrStdout(), format, func(yield func(leagueInfo, error) bool) {
			for _, line := range lines {
				if !yield(line, nil) {
					return
				}
			}
		})
	})
}

// leagueInfo is one line of "zrank league".
type leagueInfo struct {
	Period string       `json:"period"`
	Tier   string       `json:"tier"`
	Cohort uint64       `json:"cohort"`
	Rank   int          `json:"rank,omitempty"` // in the cohort; 0: the member is not ranked, or it is a promotion
	Member string       `json:"member,text"`
	Score  *board.Score `json:"score,omitempty"`
	Zone   string       `json:"zone"`
	To     string       `json:"to,omitempty"` // the tier that a promotion leads to
}

func cohortOf(ctx context.Context, b board.Board, period, member string) (lines []leagueInfo, err error) {
	l, err := b.League(ctx, member)
	if period != "" {
		l, err = b.LeagueOf(ctx, period, member)
	}
	if err != nil {
		return nil, err
	}
	for _, row := range l.Rows {
		line := leagueInfo{Period: l.Period, Tier: l.Tier, Cohort: l.Cohort, Rank: row.Rank, Member: row.Member, Zone: row.Zone.String()}
		if row.Rank > 0 {
			line.Score = &row.Score
		}
		lines = append(lines, line)
	}
	return lines, nil
}

func promotionsOf(ctx context.Context, b board.Board, period string) (lines []leagueInfo, err error) {
	for p, err := range b.Promotions(ctx, period) {
		if err != nil {
			return nil, err
		}
		lines = append(lines, leagueInfo{Period: period, Tier: p.From, Cohort: p.Cohort, Member: p.Member, Zone: p.Zone.String(), To: p.To})
	}
	return lines, nil
}

// leagueList writes members of a cohort, or promotions, a line each.
var leagueList = show.List[leagueInfo]{
	Empty:   "nobody",
	Sparse:  true,
	Columns: []string{"period", "tier", "cohort", "rank", "member", "score", "zone", "to"},
	Right:   []int{3, 4, 6},
	Cells: func(l leagueInfo, people bool) []string {
		member, rank, score := l.Member, "", ""
		if people {
			member = show.Name(member)
		}
		if l.Rank > 0 {
			rank, score = strconv.Itoa(l.Rank), l.Score.String()
		}
		return []string{l.Period, l.Tier, fmt.Sprint(l.Cohort), rank, member, score, l.Zone, l.To}
	},
}
