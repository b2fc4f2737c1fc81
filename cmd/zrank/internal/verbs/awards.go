package verbs

import (
	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/board/ops"
	"github.com/zrankdb/zrank/cmd/zrank/internal/show"
)

// Claim returns the command "zrank claim".
func Claim() *cobra.Command {
	return Command{Ops: []*ops.Op{ops.ListClaimable.Op, ops.ClaimAward.Op}, Use: "claim BOARD MEMBER [ID]", Short: "List the awards that a member can claim, or claim one",
		Long: `List the awards that a member can claim now. With ID claim this one for the member, once, and show what it gives: from then on it is granted,
and giving what its payload says is left to you. It exits with 1 if the award is another's, is granted, withheld or expired.`,
		Example: `  zrank claim --dir data arena ada
  zrank claim --dir data arena ada arena/day/2026-11-20/1/ada`,
		write: func(o *output, result any) error {
			list, ok := result.(ops.Awards)
			if !ok {
				list.Awards = []awards.Award{result.(awards.Award)}
			}
			all := show.Awards
			all.Empty = "nothing to claim"
			return all.Write(o.OutOrStdout(), o.format, list.Awards)
		}}.New()
}
