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
	Drop(ctx context.Context, name string) error
	DefineGroups(kind string) (Groups, error)
	Groups(kind string) (Groups, error)
	Union(ctx context.Context, spec board.UnionSpec) (board.Ranking, error)
	StoreUnion(ctx context.Context, name string, spec board.UnionSpec) error
	StoredUnion(ctx context.Context, name string) (board.Ranking, error)
	StoredUnions(ctx context.Context) ([]board.StoredUnion, error)
	DropUnion(ctx context.Context, name string) error
	Events(ctx context.Context, after board.Position, filter board.FeedFilter) iter.Seq2[board.Event, error]
	// CloseDue closes the periods whose time is up. A scenario that has moved the clock calls it.
	CloseDue(ctx context.Context) (closed int, err error)
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

	NextChange(ctx context.Context, window, member string) (at time.Time, ok bool, err error)

	BestRank(ctx context.Context, window, member string) (rank int, ok bool, err error)
	SaveBaseline(ctx context.Context, window, name string) error
	Baseline(ctx context.Context, window, name string) (board.Ranking, error)
	Baselines(ctx context.Context, window string) ([]string, error)
	DropBaseline(ctx context.Context, window, name string) error

	Deliver(window string, d local.Delivery) error
	Settlements(ctx context.Context, window string) ([]board.Settlement, error)
	Awards(ctx context.Context, window, period string) iter.Seq2[board.Award, error]
	AwardsOf(ctx context.Context, member string) ([]board.Award, error)
	Claimable(ctx context.Context, member string) ([]board.Award, error)
	ClaimKeys(dst []string, id string) ([]string, error)
	In(tx *engine.Tx) local.InTx
	Watch(ctx context.Context, member string) error
	Unwatch(ctx context.Context, member string) error
	Journal(ctx context.Context, q board.JournalQuery) iter.Seq2[board.JournalRow, error]
	League(ctx context.Context, member string) (board.League, error)
	LeagueOf(ctx context.Context, period, member string) (board.League, error)
	Promotions(ctx context.Context, period string) iter.Seq2[board.Promotion, error]
	Tier(ctx context.Context, member string) (string, error)
	SetTier(ctx context.Context, member, tier string, a board.Action) (uint64, error)
	AsOf(ctx context.Context, window string, at time.Time) (board.Ranking, error)
	AsOfRow(ctx context.Context, window, period string, row uint64) (board.Ranking, error)
	Correct(ctx context.Context, member string, sub board.ClosedSubmission, a board.Action) (board.Moderated, error)
	Ban(ctx context.Context, member string, a board.Action) (board.Moderated, error)
	Unban(ctx context.Context, member string, a board.Action) (board.Moderated, error)
	Hide(ctx context.Context, member string, a board.Action) (board.Moderated, error)
	Show(ctx context.Context, member string, a board.Action) (board.Moderated, error)
	Erase(ctx context.Context, member string, a board.Action) (board.Moderated, error)
	Rename(ctx context.Context, member, to string, a board.Action) (board.Moderated, error)
	Merge(ctx context.Context, from, into string, a board.Action) (board.Moderated, error)
	Member(ctx context.Context, name string) (board.Member, error)
	Audit(ctx context.Context, f board.AuditFilter) iter.Seq2[board.AuditEntry, error]
	Revert(ctx context.Context, member string, r board.Reversion, a board.Action) (board.Reverted, error)
	Withhold(ctx context.Context, id, reason string) error
	Release(ctx context.Context, id string) error
	Resettle(ctx context.Context, window, period string, r board.Resettlement) (board.Correction, error)
}

var _ Board = (*local.Board)(nil)

// Groups is the part of *local.Groups that scenarios use.
type Groups interface {
	Create(ctx context.Context, group string, meta []byte) error
	SetMeta(ctx context.Context, group string, meta []byte) error
	Info(ctx context.Context, group string) (board.GroupInfo, error)
	All(ctx context.Context) ([]board.GroupInfo, error)
	Members(ctx context.Context, group, after string, n int) ([]string, error)
	Of(ctx context.Context, member string) (group string, ok bool, err error)
	Among(ctx context.Context, r board.Ranking, group string) ([]board.Standing, error)
	Join(ctx context.Context, member, group string) error
	JoinAll(ctx context.Context, list []board.Joining, progress func(joined int)) error
	Move(ctx context.Context, member, group string) error
	Leave(ctx context.Context, member string) error
	Rename(ctx context.Context, member, to string) error
	Dissolve(ctx context.Context, group string) error
}

var _ Groups = (*local.Groups)(nil)
