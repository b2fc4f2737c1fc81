package remote

import (
	"context"
	"iter"

	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/board/ops"
)

// Awards is board.Board.Awards.
func (b *remoteBoard) Awards(ctx context.Context, window, period string) iter.Seq2[awards.Award, error] {
	first := ops.AwardsArgs{OnWindow: b.in(window), Period: period, N: rowsAtOnce}
	return pages(first, func(args *ops.AwardsArgs) ([]awards.Award, bool, error) {
		page, err := call(ctx, b.c, ops.ListAwards, *args)
		args.Skip += len(page.Awards)
		return page.Awards, page.More, err
	})
}

// AwardsOf is board.Board.AwardsOf.
func (b *remoteBoard) AwardsOf(ctx context.Context, member string) ([]awards.Award, error) {
	list, err := call(ctx, b.c, ops.ListAwardsOf, b.of(member))
	return list.Awards, err
}

// Claimable is board.Board.Claimable.
func (b *remoteBoard) Claimable(ctx context.Context, member string) ([]awards.Award, error) {
	list, err := call(ctx, b.c, ops.ListClaimable, b.of(member))
	return list.Awards, err
}

// Claim is board.Board.Claim.
func (b *remoteBoard) Claim(ctx context.Context, member, id string) (awards.Award, error) {
	args := ops.ClaimArgs{OnBoard: b.on()}
	args.Body.Member, args.Body.ID = member, id
	return call(ctx, b.c, ops.ClaimAward, args)
}

// Withhold is board.Board.Withhold.
func (b *remoteBoard) Withhold(ctx context.Context, id, reason string) error {
	args := ops.WithholdArgs{OnBoard: b.on()}
	args.Body.ID, args.Body.Reason = id, reason
	return do(ctx, b.c, ops.WithholdAward, args)
}

// Release is board.Board.Release.
func (b *remoteBoard) Release(ctx context.Context, id string) error {
	args := ops.ReleaseArgs{OnBoard: b.on()}
	args.Body.ID = id
	return do(ctx, b.c, ops.ReleaseAward, args)
}

// Settlements is board.Board.Settlements.
func (b *remoteBoard) Settlements(ctx context.Context, window string) ([]awards.Settlement, error) {
	list, err := call(ctx, b.c, ops.ListSettlements, b.in(window))
	return list.Settlements, err
}

// Resettle is board.Board.Resettle.
func (b *remoteBoard) Resettle(ctx context.Context, window, period string, r awards.Resettlement) (awards.Difference, error) {
	return call(ctx, b.c, ops.Resettle, ops.ResettleArgs{OnWindow: b.in(window), Period: period, Body: r})
}
