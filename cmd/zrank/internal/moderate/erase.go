package moderate

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/board"
)

func newErase() *cobra.Command {
	var all bool
	v := &verb{kind: "erase", did: "is erased", would: "would be erased", receipt: true}
	v.do = func(ctx context.Context, b board.Board, names []string, a board.Action) (outcome, error) {
		return moderated(b.Erase(ctx, names[0], a))
	}
	c := v.command(&cobra.Command{
		Use:   "erase {BOARD MEMBER | --all MEMBER}",
		Short: "Erase all that a board, or all boards, keep of a member",
		Long: `Erase a member from the open and closed periods of BOARD, from metadata, best ranks, baselines, awards, Once keys and the journal. In the audit log
a salted hash takes the place of the name. With --all erase it from all boards and from the stored unions. List the places and what else was
erased, with that hash: this is the receipt, of each board that had the member. It cannot be undone. Without --all other boards and stored
unions keep the member. The bytes of the name are in the files until "zrank compact". --dry-run lists all that would be erased.

` + actionHelp,
		Example: `  zrank erase --dir data --dry-run arena eve
  zrank erase --dir data --reason asked --format json arena eve
  zrank erase --dir data --reason asked --format csv --all eve`,
		Args: func(c *cobra.Command, args []string) error {
			if all {
				return cobra.ExactArgs(1)(c, args)
			}
			return cobra.ExactArgs(2)(c, args)
		},
	})
	one := c.RunE
	c.RunE = func(c *cobra.Command, args []string) error {
		if all {
			return v.eraseAll(c, args)
		}
		return one(c, args)
	}
	c.Flags().BoolVar(&v.action.KeepRanks, "keep-ranks", false, "leave the others the ranks that they have in closed periods")
	c.Flags().BoolVar(&all, "all", false, "from all boards and stored unions")
	return c
}
