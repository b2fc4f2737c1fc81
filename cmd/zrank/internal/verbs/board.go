package verbs

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/ops"
	"github.com/zrankdb/zrank/cmd/zrank/internal/datadir"
	"github.com/zrankdb/zrank/cmd/zrank/internal/flags"
	"github.com/zrankdb/zrank/cmd/zrank/internal/show"
)

// Board returns the command "zrank board", with the operations on boards that no other command has.
func Board() *cobra.Command {
	c := &cobra.Command{
		Use:   "board",
		Short: "Submit and remove results, and read all else that a board knows",
		Long: `Submit and remove results, read places, cards, gaps, percentiles, histograms and so on of a ranking, keep baselines: what no other command has. The
commands BOARD.* of RESP and the HTTP API have the same operations. "zrank help board card" explains one.`,
		Example: `  zrank board`,
		Args:    cobra.NoArgs,
		RunE:    func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	for _, op := range ops.All() {
		if name, _ := op.Words(); strings.HasPrefix(name, "BOARD.") && !slices.Contains(elsewhere, op) {
			c.AddCommand(ofTable(op, strings.ToLower(strings.TrimPrefix(name, "BOARD."))))
		}
	}
	return c
}

// elsewhere are operations that other commands of zrank have.
var elsewhere = []*ops.Op{
	ops.Top.Op, ops.Rank.Op, ops.Score.Op, ops.Around.Op, ops.ListPeriods.Op, ops.ClosePeriod.Op, ops.RebuildBoard.Op,
	ops.Ban.Op, ops.Unban.Op, ops.Hide.Op, ops.Show.Op, ops.Erase.Op, ops.Rename.Op, ops.Merge.Op, ops.Correct.Op, ops.Revert.Op, ops.EraseEverywhere.Op,
	ops.GetMember.Op, ops.ListAudit.Op, ops.GetAuditPlaces.Op, ops.ListJobs.Op, ops.ListJournal.Op,
	ops.ListAwards.Op, ops.ListSettlements.Op, ops.ListAwardsOf.Op, ops.ListClaimable.Op, ops.ClaimAward.Op, ops.WithholdAward.Op, ops.ReleaseAward.Op,
	ops.GetLeague.Op, ops.GetTier.Op, ops.SetTier.Op, ops.ListPromotions.Op, ops.Apply.Op, ops.GetEnd.Op,
}

// ofTable returns a command about which the table says all.
func ofTable(op *ops.Op, name string) *cobra.Command {
	d := Command{Ops: []*ops.Op{op}, Use: name}
	words := ""
	for _, p := range newOperation(op, nil).places {
		words += " " + example(p.param.Name)
	}
	d.Example = "  zrank board " + name + " --dir data" + words
	switch op {
	case ops.AmongMembers.Op:
		d.Example += " --member ada --member bea"
	case ops.BanEverywhere.Op:
		return changing(op, d, "is banned", "would be banned")
	case ops.DropBoard.Op:
		d.Example = "  zrank board drop --dir data --yes arena"
		d.Long = op.Summary + ", and its audit log. It cannot be undone, so it wants --yes."
		d.add = func(c *cobra.Command) { c.Flags().Bool("yes", false, "delete the board") }
		d.before = func(o *output) error {
			if yes, _ := o.Flags().GetBool("yes"); !yes {
				return flags.Errorf("want --yes: %q and all its periods would be gone", o.named[0].Name())
			}
			return nil
		}
	case ops.Card.Op:
		d.write = (*output).writeCard
	}
	return d.New()
}

// writeCard writes the first rows, and then those around the member, as two rankings.
func (o *output) writeCard(result any) error {
	c := result.(board.Card)
	if o.format == show.JSON {
		return o.write(result)
	}
	columns := datadir.ColumnNames(o.named[0].Spec())
	w, title := show.New(o.OutOrStdout(), o.format, show.Layout{Columns: columns}), show.Title(o.info.Board, o.info.Window, o.info.Period)
	if err := w.Write(title, columns, datadir.Shown(o.info, c.Top)); err != nil {
		return err
	}
	if err := w.Write(title+" · "+show.Name(o.member()), columns, datadir.Shown(o.info, c.Around)); err != nil {
		return err
	}
	return w.Close()
}

// example returns a word for an argument.
func example(name string) string {
	of := map[string]string{"board": "arena", "member": "ada", "score": "1500", "meta": "hat", "name": "start", "first": "1", "percent": "10"}
	if word, ok := of[name]; ok {
		return word
	}
	return "3"
}
