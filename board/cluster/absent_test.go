package cluster

import (
	"context"
	"iter"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/boardtest"
	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/engine"
)

// absent has the calls that boards on a cluster do not have, and absentBoards those of Boards.
type (
	absent       struct{}
	absentBoards struct{}
)

func none[T any](yield func(T, error) bool) {
	var zero T
	yield(zero, boardtest.ErrUnsupported)
}

func (absent) NextChange(context.Context, string, string) (r0 time.Time, r1 bool, r2 error) {
	return r0, r1, boardtest.ErrUnsupported
}

func (absent) BestRank(context.Context, string, string) (r0 int, r1 bool, r2 error) {
	return r0, r1, boardtest.ErrUnsupported
}

func (absent) Deliver(string, local.Delivery) error { return boardtest.ErrUnsupported }

func (absent) Settlements(context.Context, string) (r0 []board.Settlement, r1 error) {
	return r0, boardtest.ErrUnsupported
}

func (absent) Awards(context.Context, string, string) iter.Seq2[board.Award, error] {
	return none[board.Award]
}

func (absent) AwardsOf(context.Context, string) (r0 []board.Award, r1 error) {
	return r0, boardtest.ErrUnsupported
}

func (absent) Claimable(context.Context, string) (r0 []board.Award, r1 error) {
	return r0, boardtest.ErrUnsupported
}

func (absent) ClaimKeys([]string, string) (r0 []string, r1 error) {
	return r0, boardtest.ErrUnsupported
}

func (absent) In(*engine.Tx) (r0 local.InTx) { return }

func (absent) Watch(context.Context, string) error { return boardtest.ErrUnsupported }

func (absent) Unwatch(context.Context, string) error { return boardtest.ErrUnsupported }

func (absent) Journal(context.Context, board.JournalQuery) iter.Seq2[board.JournalRow, error] {
	return none[board.JournalRow]
}

func (absent) League(context.Context, string) (r0 board.League, r1 error) {
	return r0, boardtest.ErrUnsupported
}

func (absent) LeagueOf(context.Context, string, string) (r0 board.League, r1 error) {
	return r0, boardtest.ErrUnsupported
}

func (absent) Promotions(context.Context, string) iter.Seq2[board.Promotion, error] {
	return none[board.Promotion]
}

func (absent) Tier(context.Context, string) (r0 string, r1 error) {
	return r0, boardtest.ErrUnsupported
}

func (absent) SetTier(context.Context, string, string, board.Action) (r0 uint64, r1 error) {
	return r0, boardtest.ErrUnsupported
}

func (absent) AsOf(context.Context, string, time.Time) (r0 board.Ranking, r1 error) {
	return r0, boardtest.ErrUnsupported
}

func (absent) AsOfRow(context.Context, string, string, uint64) (r0 board.Ranking, r1 error) {
	return r0, boardtest.ErrUnsupported
}

func (absent) Revert(context.Context, string, board.Reversion, board.Action) (r0 board.Reverted, r1 error) {
	return r0, boardtest.ErrUnsupported
}

func (absent) Withhold(context.Context, string, string) error { return boardtest.ErrUnsupported }

func (absent) Release(context.Context, string) error { return boardtest.ErrUnsupported }

func (absent) Resettle(context.Context, string, string, board.Resettlement) (r0 board.Correction, r1 error) {
	return r0, boardtest.ErrUnsupported
}

func (absentBoards) Migrate(context.Context, board.Spec) (r0 boardtest.Board, r1 error) {
	return r0, boardtest.ErrUnsupported
}

func (absentBoards) DefineGroups(string) (r0 boardtest.Groups, r1 error) {
	return r0, boardtest.ErrUnsupported
}

func (absentBoards) Groups(string) (r0 boardtest.Groups, r1 error) {
	return r0, boardtest.ErrUnsupported
}

func (absentBoards) Union(context.Context, board.UnionSpec) (r0 board.Ranking, r1 error) {
	return r0, boardtest.ErrUnsupported
}

func (absentBoards) StoreUnion(context.Context, string, board.UnionSpec) error {
	return boardtest.ErrUnsupported
}

func (absentBoards) StoredUnion(context.Context, string) (r0 board.Ranking, r1 error) {
	return r0, boardtest.ErrUnsupported
}

func (absentBoards) StoredUnions(ctx context.Context) (r0 []board.StoredUnion, r1 error) {
	return r0, boardtest.ErrUnsupported
}

func (absentBoards) DropUnion(context.Context, string) error { return boardtest.ErrUnsupported }

func (absentBoards) Update([]string, func(tx *engine.Tx) error) error {
	return boardtest.ErrUnsupported
}
