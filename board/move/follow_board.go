package move

import (
	"context"
	"iter"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/audit"
	"github.com/zrankdb/zrank/board/awards"
)

// Version implements board.Board.
func (f *follower) Version() int { return (*f.at.Load()).Version() }

// At implements board.Board.
func (f *follower) At(ctx context.Context, window string, t time.Time) (board.Ranking, error) {
	return call(ctx, f, func(b board.Board) (board.Ranking, error) { return b.At(ctx, window, t) })
}

// Latest implements board.Board.
func (f *follower) Latest(ctx context.Context, window string) (board.Ranking, error) {
	return call(ctx, f, func(b board.Board) (board.Ranking, error) { return b.Latest(ctx, window) })
}

// NextChange implements board.Board.
func (f *follower) NextChange(ctx context.Context, window, member string) (time.Time, bool, error) {
	return found(ctx, f, func(b board.Board) (time.Time, bool, error) { return b.NextChange(ctx, window, member) })
}

// BestRank implements board.Board.
func (f *follower) BestRank(ctx context.Context, window, member string) (int, bool, error) {
	return found(ctx, f, func(b board.Board) (int, bool, error) { return b.BestRank(ctx, window, member) })
}

// SaveBaseline implements board.Board.
func (f *follower) SaveBaseline(ctx context.Context, window, name string) error {
	return do(ctx, f, func(b board.Board) error { return b.SaveBaseline(ctx, window, name) })
}

// Baseline implements board.Board.
func (f *follower) Baseline(ctx context.Context, window, name string) (board.Ranking, error) {
	return call(ctx, f, func(b board.Board) (board.Ranking, error) { return b.Baseline(ctx, window, name) })
}

// Baselines implements board.Board.
func (f *follower) Baselines(ctx context.Context, window string) ([]string, error) {
	return call(ctx, f, func(b board.Board) ([]string, error) { return b.Baselines(ctx, window) })
}

// DropBaseline implements board.Board.
func (f *follower) DropBaseline(ctx context.Context, window, name string) error {
	return do(ctx, f, func(b board.Board) error { return b.DropBaseline(ctx, window, name) })
}

// Ban implements board.Board.
func (f *follower) Ban(ctx context.Context, member string, a board.Action) (board.Moderated, error) {
	return call(ctx, f, func(b board.Board) (board.Moderated, error) { return b.Ban(ctx, member, a) })
}

// Unban implements board.Board.
func (f *follower) Unban(ctx context.Context, member string, a board.Action) (board.Moderated, error) {
	return call(ctx, f, func(b board.Board) (board.Moderated, error) { return b.Unban(ctx, member, a) })
}

// Hide implements board.Board.
func (f *follower) Hide(ctx context.Context, member string, a board.Action) (board.Moderated, error) {
	return call(ctx, f, func(b board.Board) (board.Moderated, error) { return b.Hide(ctx, member, a) })
}

// Show implements board.Board.
func (f *follower) Show(ctx context.Context, member string, a board.Action) (board.Moderated, error) {
	return call(ctx, f, func(b board.Board) (board.Moderated, error) { return b.Show(ctx, member, a) })
}

// Rename implements board.Board.
func (f *follower) Rename(ctx context.Context, member, to string, a board.Action) (board.Moderated, error) {
	return call(ctx, f, func(b board.Board) (board.Moderated, error) { return b.Rename(ctx, member, to, a) })
}

// Merge implements board.Board.
func (f *follower) Merge(ctx context.Context, from, into string, a board.Action) (board.Moderated, error) {
	return call(ctx, f, func(b board.Board) (board.Moderated, error) { return b.Merge(ctx, from, into, a) })
}

// Erase implements board.Board.
func (f *follower) Erase(ctx context.Context, member string, a board.Action) (board.Moderated, error) {
	return call(ctx, f, func(b board.Board) (board.Moderated, error) { return b.Erase(ctx, member, a) })
}

// Correct implements board.Board.
func (f *follower) Correct(ctx context.Context, member string, sub board.ClosedSubmission, a board.Action) (board.Moderated, error) {
	return call(ctx, f, func(b board.Board) (board.Moderated, error) { return b.Correct(ctx, member, sub, a) })
}

// Member implements board.Board.
func (f *follower) Member(ctx context.Context, name string) (board.Member, error) {
	return call(ctx, f, func(b board.Board) (board.Member, error) { return b.Member(ctx, name) })
}

// Audit implements board.Board.
func (f *follower) Audit(ctx context.Context, filter audit.Filter) iter.Seq2[audit.Entry, error] {
	return each(ctx, f, func(b board.Board) iter.Seq2[audit.Entry, error] { return b.Audit(ctx, filter) })
}

// AuditPlaces implements board.Board.
func (f *follower) AuditPlaces(ctx context.Context, number uint64) ([]board.Place, error) {
	return call(ctx, f, func(b board.Board) ([]board.Place, error) { return b.AuditPlaces(ctx, number) })
}

// IsBanned implements board.Board.
func (f *follower) IsBanned(ctx context.Context, member string) (bool, error) {
	return call(ctx, f, func(b board.Board) (bool, error) { return b.IsBanned(ctx, member) })
}

// IsHidden implements board.Board.
func (f *follower) IsHidden(ctx context.Context, member string) (bool, error) {
	return call(ctx, f, func(b board.Board) (bool, error) { return b.IsHidden(ctx, member) })
}

// Jobs implements board.Board.
func (f *follower) Jobs(ctx context.Context) ([]board.Job, error) {
	return call(ctx, f, func(b board.Board) ([]board.Job, error) { return b.Jobs(ctx) })
}

// Journal implements board.Board.
func (f *follower) Journal(ctx context.Context, q board.JournalQuery) iter.Seq2[board.JournalRow, error] {
	return each(ctx, f, func(b board.Board) iter.Seq2[board.JournalRow, error] { return b.Journal(ctx, q) })
}

// Revert implements board.Board.
func (f *follower) Revert(ctx context.Context, member string, r board.Reversion, a board.Action) (board.Reverted, error) {
	return call(ctx, f, func(b board.Board) (board.Reverted, error) { return b.Revert(ctx, member, r, a) })
}

// AsOf implements board.Board.
func (f *follower) AsOf(ctx context.Context, window string, at time.Time) (board.Ranking, error) {
	return call(ctx, f, func(b board.Board) (board.Ranking, error) { return b.AsOf(ctx, window, at) })
}

// AsOfRow implements board.Board.
func (f *follower) AsOfRow(ctx context.Context, window, period string, row uint64) (board.Ranking, error) {
	return call(ctx, f, func(b board.Board) (board.Ranking, error) { return b.AsOfRow(ctx, window, period, row) })
}

// Settlements implements board.Board.
func (f *follower) Settlements(ctx context.Context, window string) ([]awards.Settlement, error) {
	return call(ctx, f, func(b board.Board) ([]awards.Settlement, error) { return b.Settlements(ctx, window) })
}

// Awards implements board.Board.
func (f *follower) Awards(ctx context.Context, window, period string) iter.Seq2[awards.Award, error] {
	return each(ctx, f, func(b board.Board) iter.Seq2[awards.Award, error] { return b.Awards(ctx, window, period) })
}

// AwardsOf implements board.Board.
func (f *follower) AwardsOf(ctx context.Context, member string) ([]awards.Award, error) {
	return call(ctx, f, func(b board.Board) ([]awards.Award, error) { return b.AwardsOf(ctx, member) })
}

// Claimable implements board.Board.
func (f *follower) Claimable(ctx context.Context, member string) ([]awards.Award, error) {
	return call(ctx, f, func(b board.Board) ([]awards.Award, error) { return b.Claimable(ctx, member) })
}

// Claim implements board.Board.
func (f *follower) Claim(ctx context.Context, member, id string) (awards.Award, error) {
	return call(ctx, f, func(b board.Board) (awards.Award, error) { return b.Claim(ctx, member, id) })
}

// Withhold implements board.Board.
func (f *follower) Withhold(ctx context.Context, id, reason string) error {
	return do(ctx, f, func(b board.Board) error { return b.Withhold(ctx, id, reason) })
}

// Release implements board.Board.
func (f *follower) Release(ctx context.Context, id string) error {
	return do(ctx, f, func(b board.Board) error { return b.Release(ctx, id) })
}

// Resettle implements board.Board.
func (f *follower) Resettle(ctx context.Context, window, period string, r awards.Resettlement) (awards.Difference, error) {
	return call(ctx, f, func(b board.Board) (awards.Difference, error) { return b.Resettle(ctx, window, period, r) })
}

// League implements board.Board.
func (f *follower) League(ctx context.Context, member string) (board.League, error) {
	return call(ctx, f, func(b board.Board) (board.League, error) { return b.League(ctx, member) })
}

// LeagueOf implements board.Board.
func (f *follower) LeagueOf(ctx context.Context, period, member string) (board.League, error) {
	return call(ctx, f, func(b board.Board) (board.League, error) { return b.LeagueOf(ctx, period, member) })
}

// Promotions implements board.Board.
func (f *follower) Promotions(ctx context.Context, period string) iter.Seq2[board.Promotion, error] {
	return each(ctx, f, func(b board.Board) iter.Seq2[board.Promotion, error] { return b.Promotions(ctx, period) })
}

// Tier implements board.Board.
func (f *follower) Tier(ctx context.Context, member string) (string, error) {
	return call(ctx, f, func(b board.Board) (string, error) { return b.Tier(ctx, member) })
}

// SetTier implements board.Board.
func (f *follower) SetTier(ctx context.Context, member, tier string, a board.Action) (uint64, error) {
	return call(ctx, f, func(b board.Board) (uint64, error) { return b.SetTier(ctx, member, tier, a) })
}

// Watch implements board.Board.
func (f *follower) Watch(ctx context.Context, member string) error {
	return do(ctx, f, func(b board.Board) error { return b.Watch(ctx, member) })
}

// Unwatch implements board.Board.
func (f *follower) Unwatch(ctx context.Context, member string) error {
	return do(ctx, f, func(b board.Board) error { return b.Unwatch(ctx, member) })
}

// Rebuild implements board.Board.
func (f *follower) Rebuild(ctx context.Context) (int, error) {
	return call(ctx, f, func(b board.Board) (int, error) { return b.Rebuild(ctx) })
}

// RebuildPeriod implements board.Board.
func (f *follower) RebuildPeriod(ctx context.Context, window, period string) (int, error) {
	return call(ctx, f, func(b board.Board) (int, error) { return b.RebuildPeriod(ctx, window, period) })
}
