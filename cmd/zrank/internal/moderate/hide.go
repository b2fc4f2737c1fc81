package moderate

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/board"
)

func newHide() *cobra.Command {
	v := &verb{kind: "hide", did: "is hidden", would: "would be hidden"}
	v.do = func(ctx context.Context, b board.Board, names []string, a board.Action) (outcome, error) {
		return moderated(b.Hide(ctx, names[0], a))
	}
	return v.command(&cobra.Command{
		Use:   "hide BOARD MEMBER",
		Short: "Hide a member: it is in no list and has no rank, and its results still count",
		Long: `Hide a member of BOARD: it is in no list and has no rank, and its results still count, until "zrank show".

` + actionHelp,
		Example: `  zrank hide --dir data --reason suspected arena eve`,
		Args:    cobra.ExactArgs(2),
	})
}

func newShow() *cobra.Command {
	v := &verb{kind: "show", did: "is shown again", would: "would be shown again"}
	v.do = func(ctx context.Context, b board.Board, names []string, a board.Action) (outcome, error) {
		return moderated(b.Show(ctx, names[0], a))
	}
	return v.command(&cobra.Command{
		Use:   "show BOARD MEMBER",
		Short: "Show a hidden member again",
		Long: `Show a hidden member of BOARD again, with the scores that it has by now.

` + actionHelp,
		Example: `  zrank show --dir data arena eve`,
		Args:    cobra.ExactArgs(2),
	})
}
