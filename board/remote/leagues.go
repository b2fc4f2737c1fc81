package remote

import (
	"context"
	"iter"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/ops"
)

// League is board.Board.League.
func (b *remoteBoard) League(ctx context.Context, member string) (board.League, error) {
	return b.LeagueOf(ctx, "", member)
}

// LeagueOf is board.Board.LeagueOf.
func (b *remoteBoard) LeagueOf(ctx context.Context, period, member string) (board.League, error) {
	return call(ctx, b.c, ops.GetLeague, ops.LeagueArgs{OnBoard: b.on(), About: ops.About{Member: member}, Period: period})
}

// Promotions is board.Board.Promotions.
func (b *remoteBoard) Promotions(ctx context.Context, period string) iter.Seq2[board.Promotion, error] {
	first := ops.PromotionsArgs{OnBoard: b.on(), Period: period, N: rowsAtOnce}
	return pages(first, func(args *ops.PromotionsArgs) ([]board.Promotion, bool, error) {
		page, err := call(ctx, b.c, ops.ListPromotions, *args)
		args.Skip += len(page.Promotions)
		return page.Promotions, page.More, err
	})
}

// Tier is board.Board.Tier.
func (b *remoteBoard) Tier(ctx context.Context, member string) (string, error) {
	t, err := call(ctx, b.c, ops.GetTier, b.of(member))
	return t.Tier, err
}

// SetTier is board.Board.SetTier.
func (b *remoteBoard) SetTier(ctx context.Context, member, tier string, a board.Action) (entry uint64, err error) {
	args := ops.TierArgs{OnBoard: b.on()}
	args.Body.Member, args.Body.Tier, args.Body.Action = member, tier, a
	e, err := call(ctx, b.c, ops.SetTier, args)
	return e.Entry, err
}

// Watch is board.Board.Watch.
func (b *remoteBoard) Watch(ctx context.Context, member string) error {
	return do(ctx, b.c, ops.Watch, b.of(member))
}

// Unwatch is board.Board.Unwatch.
func (b *remoteBoard) Unwatch(ctx context.Context, member string) error {
	return do(ctx, b.c, ops.Unwatch, b.of(member))
}
