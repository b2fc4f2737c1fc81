package cluster

import (
	"context"
	"fmt"
	"iter"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/awards"
)

// lacks returns ErrUnsupported for what boards on a cluster do not have.
func lacks(what string) error { return fmt.Errorf("%w: %s", ErrUnsupported, what) }

// noneOf yields the error of lacks.
func noneOf[T any](what string) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var zero T
		yield(zero, lacks(what))
	}
}

// unsupported is the methods of board.Board that boards on a cluster do not have.
type unsupported struct{}

// Latest implements board.Board.
func (unsupported) Latest(context.Context, string) (board.Ranking, error) {
	return nil, lacks("the latest period")
}

// AsOf implements board.Board.
func (unsupported) AsOf(context.Context, string, time.Time) (board.Ranking, error) {
	return nil, lacks("earlier states")
}

// AsOfRow implements board.Board.
func (unsupported) AsOfRow(context.Context, string, string, uint64) (board.Ranking, error) {
	return nil, lacks("earlier states")
}

// NextChange implements board.Board.
func (unsupported) NextChange(context.Context, string, string) (at time.Time, ok bool, err error) {
	return at, ok, lacks("rolling windows")
}

// BestRank implements board.Board.
func (unsupported) BestRank(context.Context, string, string) (rank int, ok bool, err error) {
	return rank, ok, lacks("best ranks")
}

// Jobs implements board.Board.
func (unsupported) Jobs(context.Context) ([]board.Job, error) { return nil, lacks("jobs") }

// Journal implements board.Board.
func (unsupported) Journal(context.Context, board.JournalQuery) iter.Seq2[board.JournalRow, error] {
	return noneOf[board.JournalRow]("journals")
}

// Revert implements board.Board.
func (unsupported) Revert(context.Context, string, board.Reversion, board.Action) (r board.Reverted, err error) {
	return r, lacks("revert")
}

// Settlements implements board.Board.
func (unsupported) Settlements(context.Context, string) ([]awards.Settlement, error) {
	return nil, lacks("awards")
}

// Awards implements board.Board.
func (unsupported) Awards(context.Context, string, string) iter.Seq2[awards.Award, error] {
	return noneOf[awards.Award]("awards")
}

// AwardsOf implements board.Board.
func (unsupported) AwardsOf(context.Context, string) ([]awards.Award, error) {
	return nil, lacks("awards")
}

// Claimable implements board.Board.
func (unsupported) Claimable(context.Context, string) ([]awards.Award, error) {
	return nil, lacks("awards")
}

// Claim implements board.Board.
func (unsupported) Claim(context.Context, string, string) (a awards.Award, err error) {
	return a, lacks("awards")
}

// Withhold implements board.Board.
func (unsupported) Withhold(context.Context, string, string) error { return lacks("awards") }

// Release implements board.Board.
func (unsupported) Release(context.Context, string) error { return lacks("awards") }

// Resettle implements board.Board.
func (unsupported) Resettle(context.Context, string, string, awards.Resettlement) (c awards.Difference, err error) {
	return c, lacks("awards")
}

// League implements board.Board.
func (unsupported) League(context.Context, string) (l board.League, err error) {
	return l, lacks("leagues")
}

// LeagueOf implements board.Board.
func (unsupported) LeagueOf(context.Context, string, string) (l board.League, err error) {
	return l, lacks("leagues")
}

// Promotions implements board.Board.
func (unsupported) Promotions(context.Context, string) iter.Seq2[board.Promotion, error] {
	return noneOf[board.Promotion]("leagues")
}

// Tier implements board.Board.
func (unsupported) Tier(context.Context, string) (name string, err error) {
	return name, lacks("leagues")
}

// SetTier implements board.Board.
func (unsupported) SetTier(context.Context, string, string, board.Action) (entry uint64, err error) {
	return entry, lacks("leagues")
}

// Watch implements board.Board.
func (unsupported) Watch(context.Context, string) error { return lacks("feeds") }

// Unwatch implements board.Board.
func (unsupported) Unwatch(context.Context, string) error { return lacks("feeds") }

// Rebuild implements board.Board.
func (unsupported) Rebuild(context.Context) (corrected int, err error) {
	return corrected, lacks("derived boards")
}

// RebuildPeriod implements board.Board.
func (unsupported) RebuildPeriod(context.Context, string, string) (corrected int, err error) {
	return corrected, lacks("derived boards")
}
