package apply

import (
	"context"
	"iter"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/audit"
	"github.com/zrankdb/zrank/board/awards"
)

// Leaderboard has the methods of board.Board that operations use.
type Leaderboard interface {
	board.Baseliner
	board.Promoter

	Submit(ctx context.Context, sub board.Submission) (board.Change, error)
	SubmitAll(ctx context.Context, subs []board.Submission) ([]board.Change, error)
	Remove(ctx context.Context, member string) ([]board.Removed, error)
	SetMeta(ctx context.Context, window, member string, meta []byte) error
	CloseNow(ctx context.Context, window string) (board.Info, error)

	Ban(ctx context.Context, member string, a board.Action) (board.Moderated, error)
	Unban(ctx context.Context, member string, a board.Action) (board.Moderated, error)
	Hide(ctx context.Context, member string, a board.Action) (board.Moderated, error)
	Show(ctx context.Context, member string, a board.Action) (board.Moderated, error)
	Erase(ctx context.Context, member string, a board.Action) (board.Moderated, error)
	Rename(ctx context.Context, member, to string, a board.Action) (board.Moderated, error)
	Merge(ctx context.Context, from, into string, a board.Action) (board.Moderated, error)
	Revert(ctx context.Context, member string, r board.Reversion, a board.Action) (board.Reverted, error)
	Journal(ctx context.Context, q board.JournalQuery) iter.Seq2[board.JournalRow, error]
	IsBanned(ctx context.Context, member string) (bool, error)
	Member(ctx context.Context, name string) (board.Member, error)
	Audit(ctx context.Context, f audit.Filter) iter.Seq2[audit.Entry, error]
	AuditPlaces(ctx context.Context, number uint64) ([]board.Place, error)
	Jobs(ctx context.Context) ([]board.Job, error)

	Claim(ctx context.Context, member, id string) (awards.Award, error)
	Withhold(ctx context.Context, id, reason string) error
	Release(ctx context.Context, id string) error
	Resettle(ctx context.Context, window, period string, r awards.Resettlement) (awards.Difference, error)

	Spec() board.Spec
	Version() int
	Live(ctx context.Context, window string) (board.Ranking, error)
	At(ctx context.Context, window string, t time.Time) (board.Ranking, error)
	Period(ctx context.Context, window, period string) (board.Ranking, error)
	LastClosed(ctx context.Context, window string) (board.Ranking, error)
	Periods(ctx context.Context, window string) ([]board.Usage, error)
	Settlements(ctx context.Context, window string) ([]awards.Settlement, error)
	Awards(ctx context.Context, window, period string) iter.Seq2[awards.Award, error]
	BestRank(ctx context.Context, window, member string) (rank int, ok bool, err error)
}

// Boards are the boards of a machine. It has all of boardspecs.Names from the beginning: F10.
type Boards interface {
	Named(name string) (Leaderboard, error)
	MigrateTo(spec board.Spec) error
	Redefine(name string) error // drops a board and defines it again, as it was first
	Now() time.Time

	Union(ctx context.Context, spec board.UnionSpec) (board.Ranking, error)
	StoreUnion(ctx context.Context, name string, spec board.UnionSpec) error
	StoredUnion(ctx context.Context, name string) (board.Ranking, error)
}

// WithBoards is a State with boards.
type WithBoards interface{ Boards() Boards }
