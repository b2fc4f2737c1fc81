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
func (b leaderboard) IsBanned(member string) bool {
	banned, err := b.Board.IsBanned(member)
	return err == nil && banned
}

// absentCalls are the calls that package cluster does not have. Those of a dump say that there is nothing.
type absentCalls struct{}

func (absentCalls) Version() int                                           { return 1 }
func (absentCalls) Jobs() ([]board.Job, error)                             { return nil, nil }
func (absentCalls) Settlements(string) ([]board.Settlement, error)         { return nil, nil }
func (absentCalls) BestRank(string, string) (rank int, ok bool, err error) { return 0, false, nil }

func (absentCalls) Claim(string, string) (a board.Award, err error)      { return a, errAbsent }
func (absentCalls) Withhold(string, string) error                        { return errAbsent }
func (absentCalls) Release(string) error                                 { return errAbsent }
func (absentCalls) League(string) (l board.League, err error)            { return l, errAbsent }
func (absentCalls) LeagueOf(string, string) (l board.League, err error)  { return l, errAbsent }
func (absentCalls) Tier(string) (string, error)                          { return "", errAbsent }
func (absentCalls) SetTier(string, string, board.Action) (uint64, error) { return 0, errAbsent }
func (absentCalls) Promotions(string) iter.Seq2[board.Promotion, error]  { return none[board.Promotion] }
func (absentCalls) Awards(string, string) iter.Seq2[board.Award, error]  { return none[board.Award] }
func (absentCalls) Journal(board.JournalQuery) iter.Seq2[board.JournalRow, error] {
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
