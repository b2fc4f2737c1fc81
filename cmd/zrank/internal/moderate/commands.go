package moderate

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/cmd/zrank/internal/flags"
)

// Commands returns the commands of the package.
func Commands() []*cobra.Command {
	return []*cobra.Command{newBan(), newUnban(), newRevert(), newCorrect(), newHide(), newShow(), newRename(), newMerge(), newErase(), newTier(), newMember(), newJournal(), newAudit(), newJobs()}
}

func newBan() *cobra.Command {
	v := &verb{kind: "ban", did: "is banned", would: "would be banned"}
	v.do = func(ctx context.Context, b board.Board, names []string, a board.Action) (outcome, error) {
		return moderated(b.Ban(ctx, names[0], a))
	}
	c := v.command(&cobra.Command{
		Use:   "ban BOARD MEMBER",
		Short: "Ban a member: remove it from open and closed periods, refuse its results",
		Long: `Ban a member: remove it from the open and closed periods of BOARD, withhold its awards that wait, and refuse its results until "zrank unban".
The ranks of the others close up, in closed periods too unless --keep-ranks is set. List the places that have changed; moved says how many others have another rank.
Closed periods of boards of groups follow, by who was in which group then.

` + actionHelp,
		Example: `  zrank ban --dir data --dry-run arena eve
  zrank ban --dir data --reason cheated arena eve`,
		Args: cobra.ExactArgs(2),
	})
	c.Flags().BoolVar(&v.action.KeepRanks, "keep-ranks", false, "leave the others the ranks that they have in closed periods")
	return c
}

func newUnban() *cobra.Command {
	v := &verb{kind: "unban", did: "is not banned any more", would: "would not be banned any more"}
	v.do = func(ctx context.Context, b board.Board, names []string, a board.Action) (outcome, error) {
		return moderated(b.Unban(ctx, names[0], a))
	}
	return v.command(&cobra.Command{
		Use:   "unban BOARD MEMBER",
		Short: "End the ban of a member",
		Long: `End the ban of a member of BOARD: its results count again. What the ban has removed stays removed.

` + actionHelp,
		Example: `  zrank unban --dir data --reason innocent arena eve`,
		Args:    cobra.ExactArgs(2),
	})
}

func newRevert() *cobra.Command {
	var row uint64
	var since string
	v := &verb{kind: "revert", did: "is reverted", would: "would be reverted"}
	v.do = func(ctx context.Context, b board.Board, names []string, a board.Action) (o outcome, err error) {
		which := board.Reversion{Row: row}
		if since != "" {
			if which.Since, err = flags.ParseTime("since", since); err != nil {
				return o, err
			}
		}
		r, err := b.Revert(ctx, names[0], which, a)
		return outcome{Moderated: board.Moderated{Entry: r.Entry, Places: r.Places}, Rows: r.Rows, answer: r}, err
	}
	v.check = func() error {
		if (row == 0) == (since == "") {
			return flags.Errorf("want --row or --since, and not both")
		}
		if since == "" {
			return nil
		}
		_, err := flags.ParseTime("since", since)
		return err
	}
	c := v.command(&cobra.Command{
		Use:   "revert BOARD MEMBER",
		Short: "Take back a submission of a member, or all since a time",
		Long: `Take back the submission of a member that is row --row of the journal of BOARD, or all that have arrived since --since. In every period the member
gets the score that it would have without them. The board must keep a journal ("journal" in its spec) that goes back far enough.

` + actionHelp,
		Example: `  zrank revert --dir data --row 17 --reason bug arena bob
  zrank revert --dir data --since 2026-11-20T00:00:00Z --dry-run arena bob`,
		Args: cobra.ExactArgs(2),
	})
	c.Flags().Uint64Var(&row, "row", 0, "number of a row of the journal")
	c.Flags().StringVar(&since, "since", "", "all that arrived then or later: "+flags.TimeHelp)
	return c
}
