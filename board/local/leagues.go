package local

import (
	"context"
	"iter"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/leagues"
)

// League returns the cohort of a member in the live period. O(size log members). Errors: ErrNoLeagues; ErrNoCohort if the member has not submitted in the period, or queues for a cohort;
// an *OutsideError if no period is live; ErrClosed, ErrNoBoard, engine.ErrInTx, those of the engine.
func (b *localBoard) League(ctx context.Context, member string) (board.League, error) {
	return leagues.Live(ctx, b.core(), member)
}

// LeagueOf returns the cohort of a member in a period by its name. O(size log members). Errors: those of League, ErrPeriodName.
func (b *localBoard) LeagueOf(ctx context.Context, period, member string) (board.League, error) {
	return leagues.Of(ctx, b.core(), period, member)
}

// Promotions iterates over the members that a closed period has promoted and relegated, by cohort: the lowest tier first. O(members). It yields at most one error,
// at the end: ErrNoLeagues, ErrPeriodName, ErrPeriodOpen, ErrNoPeriod; ErrUnsettled while its cohorts are being settled; ErrClosed, ErrNoBoard, engine.ErrInTx,
// those of the engine.
func (b *localBoard) Promotions(ctx context.Context, period string) iter.Seq2[board.Promotion, error] {
	return leagues.Promotions(ctx, b.core(), period)
}

// Tier returns the name of the tier that a member is in: the one in which its next period begins, as far as periods are settled. It is the lowest one for a member
// that was never promoted. O(1). Errors: ErrNoLeagues, ErrClosed, ErrNoBoard, those of the engine.
func (b *localBoard) Tier(ctx context.Context, member string) (name string, err error) {
	return leagues.Tier(ctx, b.core(), member)
}

// SetTier gives a member a tier, with an entry in the audit log, whose number it returns; 0 in a dry run. A cohort that the member is in stays as it is; when it is
// settled, the member goes up or down from the tier that it has then. O(1). Errors: ErrNoLeagues, ErrTier, ErrMember, ErrAction, ErrClosed, ErrNoBoard, engine.ErrInTx, those of the engine.
func (b *localBoard) SetTier(ctx context.Context, member, tier string, a board.Action) (entry uint64, err error) {
	return leagues.SetTier(ctx, b.core(), member, tier, a)
}
