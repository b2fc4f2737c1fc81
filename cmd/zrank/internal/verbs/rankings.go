package verbs

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/board/ops"
	"github.com/zrankdb/zrank/cmd/zrank/internal/datadir"
	"github.com/zrankdb/zrank/cmd/zrank/internal/show"
	"github.com/zrankdb/zrank/cmd/zrank/internal/target"
)

// Rankings returns the commands that read a ranking.
func Rankings() []*cobra.Command {
	return []*cobra.Command{
		Command{Ops: []*ops.Op{ops.Top.Op}, Use: "top", Short: "Show the best of a board",
			Long: `Show the best of a board: of the window that --window names, in its latest period that holds anybody, or in the one that --period
names. It exits with 0 also where nobody is ranked yet.`,
			Example: `  zrank top --dir data arena
  zrank top --dir data --window week --period 2026-W47 --ranks competition -n 100 arena
  zrank top --dir data --window week --period last arena
  zrank top --dir data --window week --since 2026-W46 arena
  zrank top --addr http://127.0.0.1:8080 arena
  zrank top --dir data --window week --as-of 2026-11-20T12:00:00Z arena
  zrank top --dir data --as-of '#4711' arena`,
			Flags: []Flag{{Argument: "n", Name: "number", Short: "n", Help: "how many places", Least: 1}},
			add: func(c *cobra.Command) {
				c.Flags().String("since", "", "another period of the window, or last, the last closed one: shows how far each has risen or fallen since")
			},
			write: (*output).writeTop}.New(),
		Command{Ops: []*ops.Op{ops.Rank.Op}, Use: "rank", Short: "Show a member's place",
			Long:    "Show a member's place. It exits with 1 if the member is not ranked.",
			Example: `  zrank rank --dir data --window week arena ada`}.New(),
		Command{Ops: []*ops.Op{ops.Around.Op}, Use: "around", Short: "Show a member's place with the places before and after it",
			Long:    "Show a member's place with the places before and after it. It exits with 1 if the member is not ranked.",
			Example: `  zrank around --dir data -n 3 arena ada`,
			Flags:   []Flag{{Argument: "each", Name: "number", Short: "n", Default: "5", Help: "how many places on each side; near an end the other side shows more"}}}.New(),
		Command{Ops: []*ops.Op{ops.Rank.Op}, Use: "score", Short: "Print a member's score: the numbers alone, or a row with --format csv or json",
			Long:    "Print a member's score: the numbers alone, or a row with --format csv or json. It exits with 1 if the member is not ranked.",
			Example: `  zrank score --dir data arena ada`,
			write: func(o *output, result any) error {
				if o.format != show.Table {
					return o.write(result)
				}
				_, err := fmt.Fprintln(o.OutOrStdout(), result.(ops.Own).Row.Score)
				return err
			}}.New(),
	}
}

// writeTop writes the first rows and, with --since, how far each has risen or fallen.
func (o *output) writeTop(result any) error {
	since, _ := o.Flags().GetString("since")
	if since == "" {
		return o.write(result)
	}
	base, err := target.Period(o.Context(), o.named[0], o.info.Window, since)
	if err != nil {
		return err
	}
	rows := datadir.Shown(o.info, result.(ops.Rows).Rows)
	members := make([]string, len(rows))
	for i := range rows {
		members[i] = rows[i].Member
	}
	was, err := o.ranking.Arrows(o.Context(), base, members...)
	if err != nil {
		return err
	}
	for i := range rows {
		rows[i].Was = was[i].Was
	}
	return o.writeRows(rows, show.Layout{Was: true}, ", since "+since)
}
