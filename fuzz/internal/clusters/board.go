package clusters

import (
	"context"
	"errors"
	"iter"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/cluster"
)

// errAbsent is returned by calls that package cluster does not have. No reply of an oracle has it.
var errAbsent = errors.New("fuzz: boards on a cluster do not have this")

// leaderboard is a board as operations use it.
type leaderboard struct {
	*cluster.Board
	absentCalls
}

// IsBanned reports whether a member is banned.
func (b leaderboard) IsBanned(ctx context.Context, member string) bool {
	banned, err := b.Board.IsBanned(ctx, member)
	return err == nil && banned
}

// absentCalls are the calls that package cluster does not have. Those of a dump say that there is nothing.
type absentCalls struct{}

func (absentCalls) Version() int                                                    { return 1 }
func (absentCalls) Jobs(ctx context.Context) ([]board.Job, error)                   { return nil, nil }
func (absentCalls) Settlements(context.Context, string) ([]board.Settlement, error) { return nil, nil }
func (absentCalls) BestRank(context.Context, string, string) (rank int, ok bool, err error) {
	return 0, false, nil
}

func (absentCalls) Claim(context.Context, string, string) (a board.Award, err error) {
	return a, errAbsent
}
func (absentCalls) Withhold(context.Context, string, string) error             { return errAbsent }
func (absentCalls) Release(context.Context, string) error                      { return errAbsent }
func (absentCalls) League(context.Context, string) (l board.League, err error) { return l, errAbsent }
func (absentCalls) LeagueOf(context.Context, string, string) (l board.League, err error) {
	return l, errAbsent
}
func (absentCalls) Tier(context.Context, string) (string, error) { return "", errAbsent }
func (absentCalls) SetTier(context.Context, string, string, board.Action) (uint64, error) {
	return 0, errAbsent
}
func (absentCalls) Promotions(context.Context, string) iter.Seq2[board.Promotion, error] {
	return none[board.Promotion]
}
func (absentCalls) Awards(context.Context, string, string) iter.Seq2[board.Award, error] {
	return none[board.Award]
}
func (absentCalls) Journal(context.Context, board.JournalQuery) iter.Seq2[board.JournalRow, error] {
	return none[board.JournalRow]
}

func (absentCalls) Revert(context.Context, string, board.Reversion, board.Action) (r board.Reverted, err error) {
	return r, errAbsent
}

func (absentCalls) Resettle(context.Context, string, string, board.Resettlement) (c board.Correction, err error) {
	return c, errAbsent
}

func none[T any](yield func(T, error) bool) {
	var zero T
	yield(zero, errAbsent)
}
