package moderate

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/board"
)

// moveHelp is the help about what rename and merge share.
const moveHelp = `It refuses a member that is banned or hidden.

`

func newRename() *cobra.Command {
	v := &verb{kind: "rename", did: "is renamed to", would: "would be renamed to"}
	v.do = func(ctx context.Context, b board.Board, names []string, a board.Action) (outcome, error) {
		return moderated(b.Rename(ctx, names[0], names[1], a))
	}
	return v.command(&cobra.Command{
		Use:   "rename BOARD MEMBER NEW",
		Short: "Give a member another name, in open and closed periods",
		Long: `Give MEMBER of BOARD the name NEW: in open and closed periods with metadata, in best ranks, baselines, the journal and awards. List the places with
their new rank: where scores and times are equal, names decide. NEW must have no places: see "zrank merge". Groups know the member under
the old name until "zrank groups rename".

` + moveHelp + actionHelp,
		Example: `  zrank rename --dir data --dry-run arena eve eva
  zrank rename --dir data --reason asked arena eve eva`,
		Args: cobra.ExactArgs(3),
	})
}

func newMerge() *cobra.Command {
	v := &verb{kind: "merge", did: "is merged into", would: "would be merged into"}
	v.do = func(ctx context.Context, b board.Board, names []string, a board.Action) (outcome, error) {
		return moderated(b.Merge(ctx, names[0], names[1], a))
	}
	return v.command(&cobra.Command{
		Use:   "merge BOARD FROM INTO",
		Short: "Add the results of a member to those of another one, in open and closed periods",
		Long: `Add the results of FROM to those of INTO in every period of BOARD, as if INTO had submitted them. FROM is not ranked any more. INTO keeps its
metadata, baselines and awards where it has some; an award of FROM that waits is withheld there. List the places of FROM with the new rank and
score of INTO.

` + moveHelp + actionHelp,
		Example: `  zrank merge --dir data --dry-run arena eve2 eve
  zrank merge --dir data --reason duplicate arena eve2 eve`,
		Args: cobra.ExactArgs(3),
	})
}
