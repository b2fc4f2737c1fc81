package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/cmd/zrank/internal/flags"
	"github.com/zrankdb/zrank/cmd/zrank/internal/target"
)

func newClaim() *cobra.Command {
	var at target.Target
	var format string
	c := &cobra.Command{
		Use:   "claim BOARD MEMBER [ID]",
		Short: "List the awards that a member can claim, or claim one",
		Long: `List the awards that a member can claim now. With ID claim this one for the member, once, and show what it gives: from then on it is granted,
and giving what its payload says is left to you. It exits with 1 if the award is another's, is granted, withheld or expired.

` + flags.MemberHelp,
		Example: `  zrank claim --dir data arena ada
  zrank claim --dir data arena ada arena/day/2026-11-20/1/ada`,
		Args: cobra.RangeArgs(2, 3),
		RunE: func(c *cobra.Command, args []string) error {
			f, err := flags.ParseFormat(format)
			if err != nil {
				return err
			}
			member, err := flags.ParseMember(args[1])
			if err != nil {
				return err
			}
			return at.OpenSettled(c.Context(), func(d target.Boards) error {
				b, err := d.Board(c.Context(), args[0])
				if err != nil {
					return err
				}
				found, err := claim(c.Context(), b, member, args[2:])
				if err != nil {
					return err
				}
				list := awardList
				list.Empty = "nothing to claim"
				return list.Write(c.OutOrStdout(), f, found)
			})
		},
	}
	at.Flags(c)
	flags.Format(c, &format)
	return c
}

// claim claims the award with the id, if there is one, and returns it; else it returns what the member can claim.
func claim(ctx context.Context, b board.Board, member string, id []string) ([]awards.Award, error) {
	if len(id) == 0 {
		return b.Claimable(ctx, member)
	}
	a, err := b.Claim(ctx, member, id[0])
	return []awards.Award{a}, err
}
