package moderate

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/engine/board"
)

func newErase() *cobra.Command {
	v := &verb{kind: "erase", did: "is erased", would: "would be erased"}
	v.do = func(ctx context.Context, b *board.Board, names []string, a board.Action) (outcome, error) {
		m, err := b.Erase(ctx, names[0], a)
		return outcome{Moderated: m}, err
	}
	c := v.command(&cobra.Command{
		Use:   "erase BOARD MEMBER",
		Short: "Erase all that a board keeps of a member",
		Long: `Erase a member from the open and closed periods of BOARD, from metadata, best ranks, baselines, awards, Once keys and the journal. In the audit log
a salted hash takes the place of the name. List the places, and with --format json what else was erased: this is the receipt. It cannot be
undone. Other boards and stored unions keep the member. The bytes of the name are in the files until "zrank compact".

` + actionHelp,
		Example: `  zrank erase --dir data --dry-run arena eve
  zrank erase --dir data --reason asked --format json arena eve`,
		Args: cobra.ExactArgs(2),
	})
	c.Flags().BoolVar(&v.action.KeepRanks, "keep-ranks", false, "the ranks of the others in closed periods stay as they are")
	return c
}
