package verbs

import (
	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/board/ops"
)

// actionHelp is the help about what all commands that change a member share.
const actionHelp = `

The audit log says who has done it (--by, by default the user of the machine) and why (--reason): see "zrank audit". A change of many closed periods
that is interrupted goes on whenever the directory is open: see "zrank jobs". --dry-run lists what would change, and changes nothing. With
--format json the answer is one object, that of the HTTP API.`

// changing returns a command that changes what boards keep of a member. did says what has become of the member, would what would become of it.
func changing(op *ops.Op, d Command, did, would string) *cobra.Command {
	d.Ops, d.Long = append([]*ops.Op{op}, d.Ops...), d.Long+actionHelp
	d.write = func(o *output, result any) error { return o.writeChange(result, did, would) }
	return d.New()
}

// Moderation returns the commands that change what boards keep of members.
func Moderation() []*cobra.Command {
	return []*cobra.Command{
		changing(ops.Ban.Op, Command{Use: "ban", Short: "Ban a member: remove it from open and closed periods, refuse its results",
			Long: `Ban a member: remove it from the open and closed periods of BOARD, withhold its awards that wait, and refuse its results until "zrank unban".
The ranks of the others close up, in closed periods too unless --keep-ranks is set. List the places that have changed; moved says how many others have another rank.
Closed periods of boards of groups follow, by who was in which group then.`,
			Example: `  zrank ban --dir data --dry-run arena eve
  zrank ban --dir data --reason cheated arena eve`}, "is banned", "would be banned"),
		changing(ops.Unban.Op, Command{Use: "unban", Short: "End the ban of a member",
			Long:    `End the ban of a member of BOARD: its results count again. What the ban has removed stays removed.`,
			Example: `  zrank unban --dir data --reason innocent arena eve`}, "is not banned any more", "would not be banned any more"),
		changing(ops.Hide.Op, Command{Use: "hide", Short: "Hide a member: it is in no list and has no rank, and its results still count",
			Long:    `Hide a member of BOARD: it is in no list and has no rank, and its results still count, until "zrank show".`,
			Example: `  zrank hide --dir data --reason suspected arena eve`}, "is hidden", "would be hidden"),
		changing(ops.Show.Op, Command{Use: "show", Short: "Show a hidden member again",
			Long:    `Show a hidden member of BOARD again, with the scores that it has by now.`,
			Example: `  zrank show --dir data arena eve`}, "is shown again", "would be shown again"),
		changing(ops.Revert.Op, Command{Use: "revert", Short: "Take back a submission of a member, or all since a time",
			Long: `Take back the submission of a member that is row --row of the journal of BOARD, or all that have arrived since --since. In every period the member
gets the score that it would have without them. The board must keep a journal ("journal" in its spec) that goes back far enough.`,
			Example: `  zrank revert --dir data --row 17 --reason bug arena bob
  zrank revert --dir data --since 2026-11-20T00:00:00Z --dry-run arena bob`}, "is reverted", "would be reverted"),
		changing(ops.Correct.Op, Command{Use: "correct", Short: "Submit a result to a closed period",
			Long: `Submit a result of a member to one closed period of BOARD, by its rules: a sum adds it, and so on. Other windows and what the period awards stay as they
are: see "zrank settle --period". Where the board keeps a journal, "zrank revert" takes the result back.`,
			Example: `  zrank correct --dir data --window day --period 2026-11-20 --score 15 --reason outage arena bob
  zrank correct --dir data --window day --period 2026-11-20 --score 3,120 --at 2026-11-20T18:00:00Z --dry-run arena bob`,
			Flags: []Flag{{Argument: "window", Help: "window of the closed period"}, {Argument: "at", Help: "when it happened (default: the last microsecond of the period)"}, {Argument: "score", Help: "the result: a number for each column, with commas between them"},
				{Argument: "period", Help: `name of the closed period, or last, the last one: see "zrank periods"`}}}, "is corrected", "would be corrected"),
		changing(ops.Rename.Op, Command{Use: "rename BOARD MEMBER NEW", Short: "Give a member another name, in open and closed periods",
			Long: `Give MEMBER of BOARD the name NEW: in open and closed periods with metadata, in best ranks, baselines, the journal and awards. List the places with
their new rank: where scores and times are equal, names decide. NEW must have no places: see "zrank merge". Groups know the member under
the old name until "zrank groups rename". It refuses a member that is banned or hidden.`,
			Example: `  zrank rename --dir data --dry-run arena eve eva
  zrank rename --dir data --reason asked arena eve eva`}, "is renamed to", "would be renamed to"),
		changing(ops.Merge.Op, Command{Use: "merge BOARD FROM INTO", Short: "Add the results of a member to those of another one, in open and closed periods",
			Long: `Add the results of FROM to those of INTO in every period of BOARD, as if INTO had submitted them. FROM is not ranked any more. INTO keeps its
metadata, baselines and awards where it has some; an award of FROM that waits is withheld there. List the places of FROM with the new rank and
score of INTO. It refuses a member that is banned or hidden.`,
			Example: `  zrank merge --dir data --dry-run arena eve2 eve
  zrank merge --dir data --reason duplicate arena eve2 eve`}, "is merged into", "would be merged into"),
		erase(),
		changing(ops.GetTier.Op, Command{Ops: []*ops.Op{ops.SetTier.Op}, Use: "tier BOARD MEMBER [TIER]", Short: "Show the tier of a member in the leagues of a board, or give it another one",
			Long: `Show the tier that a member has in the leagues of BOARD, in which its next period begins. With TIER give it that one. A cohort that the member is in stays as it is;
when it is settled, the member goes up or down from the tier that it has then.`,
			Example: `  zrank tier --dir data arena ada
  zrank tier --dir data --reason returned arena ada gold`}, "is in tier", "would be in tier"),
	}
}

// erase returns the command "zrank erase", which with --all takes MEMBER alone.
func erase() *cobra.Command {
	return changing(ops.Erase.Op, Command{Ops: []*ops.Op{ops.EraseEverywhere.Op}, Use: "erase {BOARD MEMBER | --all MEMBER}",
		Short: "Erase all that a board, or all boards, keep of a member",
		Long: `Erase a member from the open and closed periods of BOARD, from metadata, best ranks, baselines, awards, Once keys and the journal. In the audit log
a salted hash takes the place of the name. With --all erase it from all boards, from the stored unions and from its groups. List the places and what else was
erased, with that hash: this is the receipt, of each board that had the member. It cannot be undone. Without --all other boards and stored
unions keep the member. The bytes of the name are in the files until "zrank compact". --dry-run lists all that would be erased.`,
		Example: `  zrank erase --dir data --dry-run arena eve
  zrank erase --dir data --reason asked --format json arena eve
  zrank erase --dir data --reason asked --format csv --all eve`,
		asked: func(c *cobra.Command, op *ops.Op) bool {
			all, _ := c.Flags().GetBool("all")
			return all == (op == ops.EraseEverywhere.Op)
		},
		add: func(c *cobra.Command) { c.Flags().Bool("all", false, "from all boards, stored unions and groups") },
	}, "is erased", "would be erased")
}
