package boardverbs

import (
	"context"
	"errors"
	"os/user"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/ops"
	"github.com/zrankdb/zrank/cmd/zrank/internal/flags"
	"github.com/zrankdb/zrank/cmd/zrank/internal/target"
)

// elsewhere are operations that other commands of zrank have.
var elsewhere = []*ops.Op{
	ops.Top.Op, ops.Rank.Op, ops.Score.Op, ops.Around.Op, ops.ListPeriods.Op, ops.ClosePeriod.Op, ops.RebuildBoard.Op,
	ops.Ban.Op, ops.Unban.Op, ops.Hide.Op, ops.Show.Op, ops.Erase.Op, ops.Rename.Op, ops.Merge.Op, ops.Correct.Op, ops.Revert.Op, ops.EraseEverywhere.Op,
	ops.GetMember.Op, ops.ListAudit.Op, ops.GetAuditPlaces.Op, ops.ListJobs.Op, ops.ListJournal.Op,
	ops.ListAwards.Op, ops.ListSettlements.Op, ops.ListAwardsOf.Op, ops.ListClaimable.Op, ops.ClaimAward.Op, ops.WithholdAward.Op, ops.ReleaseAward.Op,
	ops.GetLeague.Op, ops.GetTier.Op, ops.SetTier.Op, ops.ListPromotions.Op, ops.Apply.Op, ops.GetEnd.Op,
}

// New returns the command "zrank board".
func New() *cobra.Command {
	c := &cobra.Command{
		Use:   "board",
		Short: "Submit and remove results, and read all else that a board knows",
		Long: `Submit and remove results, read places, cards, gaps, percentiles, histograms and so on of a ranking, keep baselines: what no other command has. The verbs
are made from the table of operations, and do the same as the commands BOARD.* of RESP and the HTTP API. "zrank help board card" explains one.`,
		Example: `  zrank board`,
		Args:    cobra.NoArgs,
		RunE:    func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	for _, op := range ops.All() {
		if name, _ := op.Words(); strings.HasPrefix(name, "BOARD.") && !slices.Contains(elsewhere, op) {
			c.AddCommand(newVerb(op).command())
		}
	}
	return c
}

// command returns the command of a verb.
func (v *verb) command() *cobra.Command {
	c := &cobra.Command{
		Use:     strings.TrimSpace(v.name + " " + strings.Join(v.placeNames(), " ")),
		Short:   v.op.Summary,
		Long:    v.op.Summary + ".\n\n" + flags.MemberHelp,
		Example: "  zrank board " + v.name + " --dir data " + strings.Join(v.examples(), " "),
		Args:    cobra.ExactArgs(len(v.places)),
		RunE:    v.run,
	}
	v.at.Flags(c)
	flags.Format(c, &v.format)
	v.flags(c)
	return c
}

// run does the operation.
func (v *verb) run(c *cobra.Command, words []string) error {
	f, err := flags.ParseFormat(v.format)
	if err != nil {
		return err
	}
	args, err := v.arguments(c, words)
	if err != nil {
		return err
	}
	return v.at.Open(func(d target.Boards) error {
		e := &ops.Env{Boards: d, MaxRows: maxRows, Now: time.Now, By: machineUser()}
		result, err := v.do(c.Context(), e, d, args)
		if err != nil {
			return err
		}
		return writeResult(c.OutOrStdout(), f, result)
	})
}

// maxRows is the most rows of a result: those of a table that a person or a program wants at once.
const maxRows = 1_000_000

// do does the operation. A read is of the latest period that holds anybody, unless the flags say another one.
func (v *verb) do(ctx context.Context, e *ops.Env, d target.Boards, args any) (any, error) {
	if !v.op.IsRead() {
		return v.op.Do(ctx, e, args)
	}
	k, err := v.ranking(ctx, e, d)
	if err != nil {
		return nil, err
	}
	return v.op.Read(ctx, e, k, args)
}

// ranking returns the ranking of a read.
func (v *verb) ranking(ctx context.Context, e *ops.Env, d target.Boards) (k board.Ranking, err error) {
	mode, err := flags.ParseRanks(v.ranks)
	if err != nil {
		return nil, err
	}
	l := v.locator
	if l.Baseline == "" && l.AsOf.IsZero() && l.Row == nil {
		_, k, err = target.Ranking(ctx, d, l.Board, l.Window, l.Period)
	} else {
		if l.Window == "" {
			b, err := d.Board(ctx, l.Board)
			if err != nil {
				return nil, err
			}
			l.Window = b.Spec().Windows[0].Name
		}
		k, err = l.Ranking(ctx, e)
	}
	if errors.Is(err, ops.ErrSelect) {
		err = flags.Wrong(err)
	}
	if err != nil {
		return nil, err
	}
	return k.By(mode), nil
}

// machineUser returns the name of the user that runs the process, "" if it is unknown.
func machineUser() string {
	u, err := user.Current()
	if err != nil {
		return ""
	}
	return u.Username
}
