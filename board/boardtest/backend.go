package boardtest

import (
	"context"
	"errors"
	"iter"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/engine"
)

// ErrUnsupported is returned by Backend.Kill or Reopen if the boards are not durable: the rest of the scenario is skipped. So is the rest of
// a scenario that reads a kept ranking after a restart.
var ErrUnsupported = errors.New("boardtest: these boards keep nothing")

// Open makes a backend without boards. Its clock is now.
type Open func(now func() time.Time) (Backend, error)

// Backend is boards in some store. Its methods do what those of local.Boards do.
type Backend interface {
	Define(spec board.Spec) (Board, error)
	Board(name string) (Board, error)
	Migrate(ctx context.Context, spec board.Spec) (Board, error)
	Drop(name string) error
	DefineGroups(kind string) (Groups, error)
	Groups(kind string) (Groups, error)
	Union(ctx context.Context, spec board.UnionSpec) (board.Ranking, error)
	StoreUnion(ctx context.Context, name string, spec board.UnionSpec) error
	StoredUnion(name string) (board.Ranking, error)
	StoredUnions() ([]board.StoredUnion, error)
	DropUnion(name string) error
	Events(ctx context.Context, after board.Position, filter board.FeedFilter) iter.Seq2[board.Event, error]
	// CloseDue closes the periods whose time is up. A scenario that has moved the clock calls it.
	CloseDue() (closed int, err error)
	// SettleDue settles the periods that are closed, and delivers their awards.
	SettleDue(ctx context.Context) (board.Settled, error)
	// Update runs a transaction of the engine that has the boards.
	Update(keys []string, fn func(tx *engine.Tx) error) error
	// CountDue counts the members beyond the best ones, if a rank of one has been asked for.
	CountDue(ctx context.Context) error
	// Reopen closes everything, calls meanwhile, and opens it again. Scenarios do not use boards from before, and of the rankings from before
	// only pinned ones. Error: ErrUnsupported.
	Reopen(meanwhile func()) error
	// Kill is Reopen after a power cut: nothing is closed before, and all acknowledged changes are there afterwards. Error: ErrUnsupported.
	Kill(meanwhile func()) error
	// Close closes everything.
	Close() error
}

// Board is the part of *board.Board that scenarios use.
type Board interface {
	board.Board

	NextChange(window, member string) (at time.Time, ok bool, err error)

	BestRank(window, member string) (rank int, ok bool, err error)
	SaveBaseline(ctx context.Context, window, name string) error
	Baseline(window, name string) (board.Ranking, error)
	Baselines(window string) ([]string, error)
	DropBaseline(window, name string) error

	Deliver(window string, d local.Delivery) error
	Settlements(window string) ([]board.Settlement, error)
	Awards(window, period string) iter.Seq2[board.Award, error]
	AwardsOf(member string) ([]board.Award, error)
	Claimable(member string) ([]board.Award, error)
	ClaimKeys(dst []string, id string) ([]string, error)
	In(tx *engine.Tx) local.InTx
	Watch(member string) error
	Unwatch(member string) error
	Journal(q board.JournalQuery) iter.Seq2[board.JournalRow, error]
	League(member string) (board.League, error)
	LeagueOf(period, member string) (board.League, error)
	Promotions(period string) iter.Seq2[board.Promotion, error]
	Tier(member string) (string, error)
	SetTier(member, tier string, a board.Action) (uint64, error)
	AsOf(ctx context.Context, window string, at time.Time) (board.Ranking, error)
	AsOfRow(ctx context.Context, window, period string, row uint64) (board.Ranking, error)
	Correct(ctx context.Context, member string, sub board.ClosedSubmission, a board.Action) (board.Moderated, error)
	Ban(ctx context.Context, member string, a board.Action) (board.Moderated, error)
	Unban(member string, a board.Action) (board.Moderated, error)
	Hide(ctx context.Context, member string, a board.Action) (board.Moderated, error)
	Show(ctx context.Context, member string, a board.Action) (board.Moderated, error)
	Erase(ctx context.Context, member string, a board.Action) (board.Moderated, error)
	Rename(ctx context.Context, member, to string, a board.Action) (board.Moderated, error)
	Merge(ctx context.Context, from, into string, a board.Action) (board.Moderated, error)
	Member(name string) (board.Member, error)
	Audit(f board.AuditFilter) iter.Seq2[board.AuditEntry, error]
	Revert(ctx context.Context, member string, r board.Reversion, a board.Action) (board.Reverted, error)
	Withhold(id, reason string) error
	Release(id string) error
	Resettle(ctx context.Context, window, period string, r board.Resettlement) (board.Correction, error)
}

var _ Board = (*local.Board)(nil)

// Groups is the part of *local.Groups that scenarios use.
type Groups interface {
	Create(group string, meta []byte) error
	SetMeta(group string, meta []byte) error
	Info(group string) (board.GroupInfo, error)
	All() []board.GroupInfo
	Members(group, after string, n int) ([]string, error)
	Of(member string) (group string, ok bool)
	Among(r board.Ranking, group string) ([]board.Standing, error)
	Join(member, group string) error
	JoinAll(ctx context.Context, list []board.Joining, progress func(joined int)) error
	Move(member, group string) error
	Leave(member string) error
	Rename(member, to string) error
	Dissolve(ctx context.Context, group string) error
}

var _ Groups = (*local.Groups)(nil)
