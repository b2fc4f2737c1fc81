package moderate

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/ops"
	"github.com/zrankdb/zrank/cmd/zrank/internal/show"
	"github.com/zrankdb/zrank/cmd/zrank/internal/target"
)

func newTier() *cobra.Command {
	v := &verb{kind: "tier"}
	v.do = func(ctx context.Context, b board.Board, names []string, a board.Action) (outcome, error) {
		entry, err := b.SetTier(ctx, names[0], v.tier, a)
		return outcome{Moderated: board.Moderated{Entry: entry}, answer: ops.Entry{Entry: entry}}, err
	}
	c := v.command(&cobra.Command{
		Use:   "tier BOARD MEMBER [TIER]",
		Short: "Show the tier of a member in the leagues of a board, or give it another one",
		Long: `Show the tier that a member has in the leagues of BOARD, in which its next period begins. With TIER give it that one. A cohort that the member is in stays as it is;
when it is settled, the member goes up or down from the tier that it has then.

` + actionHelp,
		Example: `  zrank tier --dir data arena ada
  zrank tier --dir data --reason returned arena ada gold`,
		Args: cobra.RangeArgs(2, 3),
	})
	c.RunE = func(c *cobra.Command, args []string) error {
		if len(args) == 2 {
			return v.showTier(c, args[0], args[1:])
		}
		v.tier = args[2]
		tier := show.Printable(v.tier)
		v.did, v.would = "is in tier "+tier, "would be in tier "+tier
		return v.run(c, args[0], args[1:2])
	}
	return c
}

// showTier shows the tier of a member of a board.
func (v *verb) showTier(c *cobra.Command, name string, args []string) error {
	f, names, err := v.parse(args)
	if err != nil {
		return err
	}
	return v.at.Open(func(d target.Boards) error {
		b, err := d.Board(c.Context(), name)
		if err != nil {
			return err
		}
		tier, err := b.Tier(c.Context(), names[0])
		if err != nil {
			return err
		}
		return tierList.Write(c.OutOrStdout(), f, []tierOf{{Board: b.Name(), Member: names[0], Tier: tier}})
	})
}

// tierOf is the answer of "zrank tier".
type tierOf struct {
	Board  string `json:"board"`
	Member string `json:"member,text"`
	Tier   string `json:"tier"`
}

// tierList writes the tier of a member, in a line.
var tierList = show.List[tierOf]{
	Columns: []string{"board", "member", "tier"},
	Cells: func(t tierOf, people bool) []string {
		member := t.Member
		if people {
			member = show.Name(member)
		}
		return []string{t.Board, member, t.Tier}
	},
}
