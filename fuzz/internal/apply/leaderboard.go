package apply

import (
	"context"
	"iter"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/local"
)

// Leaderboard has the methods of *board.Board that operations use.
type Leaderboard interface {
	Submit(sub board.Submission) (board.Change, error)
	SubmitAll(subs []board.Submission) ([]board.Change, error)
	Remove(member string) ([]board.Removed, error)
	SetMeta(window, member string, meta []byte) error
	CloseNow(window string) (board.Info, error)
	SaveBaseline(ctx context.Context, window, name string) error
	DropBaseline(window, name string) error

	Ban(ctx context.Context, member string, a board.Action) (board.Moderated, error)
	Unban(member string, a board.Action) (board.Moderated, error)
	Hide(ctx context.Context, member string, a board.Action) (board.Moderated, error)
	Show(ctx context.Context, member string, a board.Action) (board.Moderated, error)
	Erase(ctx context.Context, member string, a board.Action) (board.Moderated, error)
	Rename(ctx context.Context, member, to string, a board.Action) (board.Moderated, error)
	Merge(ctx context.Context, from, into string, a board.Action) (board.Moderated, error)
	Revert(ctx context.Context, member string, r board.Reversion, a board.Action) (board.Reverted, error)
	Journal(q board.JournalQuery) iter.Seq2[board.JournalRow, error]
	IsBanned(member string) bool
	Member(name string) (board.Member, error)
	Audit(f board.AuditFilter) iter.Seq2[board.AuditEntry, error]
	AuditPlaces(number uint64) ([]board.Place, error)
	Jobs() ([]board.Job, error)

	Claim(member, id string) (board.Award, error)
	Withhold(id, reason string) error
	Release(id string) error
	Resettle(ctx context.Context, window, period string, r board.Resettlement) (board.Correction, error)

	League(member string) (board.League, error)
	LeagueOf(period, member string) (board.League, error)
	Promotions(period string) iter.Seq2[board.Promotion, error]
	Tier(member string) (string, error)
	SetTier(member, tier string, a board.Action) (entry uint64, err error)

	Spec() board.Spec
	Version() int
	Live(window string) (board.Ranking, error)
	At(window string, t time.Time) (board.Ranking, error)
	Period(window, period string) (board.Ranking, error)
	LastClosed(window string) (board.Ranking, error)
	Baseline(window, name string) (board.Ranking, error)
	Periods(window string) ([]board.Usage, error)
	Baselines(window string) ([]string, error)
	Settlements(window string) ([]board.Settlement, error)
	Awards(window, period string) iter.Seq2[board.Award, error]
	BestRank(window, member string) (rank int, ok bool, err error)
}

var _ Leaderboard = (*local.Board)(nil)

// Boards are the boards of a machine. It has all of boardspecs.Names from the beginning: F10.
type Boards interface {
	Named(name string) (Leaderboard, error)
	MigrateTo(spec board.Spec) error
	Redefine(name string) error // drops a board and defines it again, as it was first
	Now() time.Time

	Union(ctx context.Context, spec board.UnionSpec) (board.Ranking, error)
	StoreUnion(ctx context.Context, name string, spec board.UnionSpec) error
	StoredUnion(name string) (board.Ranking, error)
}

// WithBoards is a State with boards.
type WithBoards interface{ Boards() Boards }
