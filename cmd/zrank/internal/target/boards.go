package target

import (
	"context"
	"iter"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/cmd/zrank/internal/datadir"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/server/api/client"
)

type engineOptions = engine.Options

// Boards is what commands need of boards, in a data directory or on a server: see *local.Boards.
type Boards interface {
	whole
	Board(ctx context.Context, name string) (Board, error)
	Migrate(ctx context.Context, spec board.Spec) (Board, error)
	DefineGroups(ctx context.Context, kind string) (Groups, error)
	Groups(ctx context.Context, kind string) (Groups, error)
	FeedNew(ctx context.Context, filter board.FeedFilter) iter.Seq2[board.Event, error] // of what happens from now on

	// Start starts the clock of a directory that OpenStill has opened. A server has its own.
	Start(ctx context.Context) error
	// SettleDue and CountDue do what is due in a directory. A server does that itself, when it is due.
	SettleDue(ctx context.Context) (board.Settled, error)
	CountDue(ctx context.Context) error
}

// whole is the calls that are the same for *local.Boards and *client.Boards.
type whole interface {
	Names(ctx context.Context) ([]string, error)
	Erase(ctx context.Context, member string, a board.Action) (board.Receipt, error)
	Union(ctx context.Context, spec board.UnionSpec) (board.Ranking, error)
	StoreUnion(ctx context.Context, name string, spec board.UnionSpec) error
	StoredUnion(ctx context.Context, name string) (board.Ranking, error)
	StoredUnions(ctx context.Context) ([]board.StoredUnion, error)
	DropUnion(ctx context.Context, name string) error
	GroupKinds(ctx context.Context) ([]string, error)
	Feed(ctx context.Context, after board.Position, filter board.FeedFilter) iter.Seq2[board.Event, error]
	Events(ctx context.Context, after board.Position, filter board.FeedFilter) iter.Seq2[board.Event, error]
}

// Board is what commands need of a board: see *board.Board.
type Board interface {
	board.Board
	Version() int
	At(ctx context.Context, window string, t time.Time) (board.Ranking, error)
	Latest(ctx context.Context, window string) (board.Ranking, error)
	AsOf(ctx context.Context, window string, at time.Time) (board.Ranking, error)
	AsOfRow(ctx context.Context, window, period string, row uint64) (board.Ranking, error)

	Member(ctx context.Context, name string) (board.Member, error)
	Ban(ctx context.Context, member string, a board.Action) (board.Moderated, error)
	Unban(ctx context.Context, member string, a board.Action) (board.Moderated, error)
	Hide(ctx context.Context, member string, a board.Action) (board.Moderated, error)
	Show(ctx context.Context, member string, a board.Action) (board.Moderated, error)
	Erase(ctx context.Context, member string, a board.Action) (board.Moderated, error)
	Rename(ctx context.Context, member, to string, a board.Action) (board.Moderated, error)
	Merge(ctx context.Context, from, into string, a board.Action) (board.Moderated, error)
	Correct(ctx context.Context, member string, sub board.ClosedSubmission, a board.Action) (board.Moderated, error)
	Revert(ctx context.Context, member string, r board.Reversion, a board.Action) (board.Reverted, error)
	Audit(ctx context.Context, f board.AuditFilter) iter.Seq2[board.AuditEntry, error]
	AuditPlaces(ctx context.Context, number uint64) ([]board.Place, error)
	Journal(ctx context.Context, q board.JournalQuery) iter.Seq2[board.JournalRow, error]
	Jobs(ctx context.Context) ([]board.Job, error)

	Awards(ctx context.Context, window, period string) iter.Seq2[board.Award, error]
	AwardsOf(ctx context.Context, member string) ([]board.Award, error)
	Claimable(ctx context.Context, member string) ([]board.Award, error)
	Claim(ctx context.Context, member, id string) (board.Award, error)
	Withhold(ctx context.Context, id, reason string) error
	Release(ctx context.Context, id string) error
	Settlements(ctx context.Context, window string) ([]board.Settlement, error)
	Resettle(ctx context.Context, window, period string, r board.Resettlement) (board.Correction, error)

	League(ctx context.Context, member string) (board.League, error)
	LeagueOf(ctx context.Context, period, member string) (board.League, error)
	Promotions(ctx context.Context, period string) iter.Seq2[board.Promotion, error]
	Tier(ctx context.Context, member string) (string, error)
	SetTier(ctx context.Context, member, tier string, a board.Action) (uint64, error)
	Rebuild(ctx context.Context) (corrected int, err error)
	RebuildPeriod(ctx context.Context, window, period string) (corrected int, err error)
}

// Groups is what commands need of a kind of groups: see *local.Groups.
type Groups interface {
	Kind() string
	All(ctx context.Context) ([]board.GroupInfo, error)
	Info(ctx context.Context, group string) (board.GroupInfo, error)
	Create(ctx context.Context, group string, meta []byte) error
	SetMeta(ctx context.Context, group string, meta []byte) error
	Dissolve(ctx context.Context, group string) error
	Members(ctx context.Context, group, after string, n int) ([]string, error)
	Of(ctx context.Context, member string) (group string, ok bool, err error)
	Among(ctx context.Context, r board.Ranking, group string) ([]board.Standing, error)
	Join(ctx context.Context, member, group string) error
	JoinAll(ctx context.Context, list []board.Joining, progress func(joined int)) error
	Move(ctx context.Context, member, group string) error
	Leave(ctx context.Context, member string) error
	Rename(ctx context.Context, member, to string) error
}

// source is *local.Boards, or *client.Boards.
type source[B Board, G Groups] interface {
	whole
	Board(ctx context.Context, name string) (B, error)
	Migrate(ctx context.Context, spec board.Spec) (B, error)
	DefineGroups(ctx context.Context, kind string) (G, error)
	Groups(ctx context.Context, kind string) (G, error)
}

// of is a source as Boards has it.
type of[B Board, G Groups] struct{ source[B, G] }

func (s of[B, G]) Board(ctx context.Context, name string) (Board, error) {
	return as[Board](s.source.Board(ctx, name))
}

func (s of[B, G]) Migrate(ctx context.Context, spec board.Spec) (Board, error) {
	return as[Board](s.source.Migrate(ctx, spec))
}
func (s of[B, G]) DefineGroups(ctx context.Context, kind string) (Groups, error) {
	return as[Groups](s.source.DefineGroups(ctx, kind))
}
func (s of[B, G]) Groups(ctx context.Context, kind string) (Groups, error) {
	return as[Groups](s.source.Groups(ctx, kind))
}

// as returns a value as an interface, nil if there is an error.
func as[I any](v any, err error) (i I, _ error) {
	if err != nil {
		return i, err
	}
	return v.(I), nil
}

// directory is the boards of a directory.
type directory struct {
	of[*local.Board, *local.Groups]
	d *datadir.Data
}

func ofDirectory(d *datadir.Data) Boards {
	return directory{of[*local.Board, *local.Groups]{d.Boards}, d}
}

func (l directory) Start(ctx context.Context) error { return l.d.Start(ctx) }
func (l directory) CountDue(ctx context.Context) error {
	return l.d.Boards.CountDue(ctx)
}
func (l directory) SettleDue(ctx context.Context) (board.Settled, error) {
	return l.d.Boards.SettleDue(ctx)
}
func (l directory) FeedNew(ctx context.Context, filter board.FeedFilter) iter.Seq2[board.Event, error] {
	return func(yield func(board.Event, error) bool) {
		end, err := l.d.Boards.FeedEnd(ctx)
		if err != nil {
			yield(board.Event{}, err)
			return
		}
		l.d.Boards.Feed(ctx, end, filter)(yield)
	}
}

// remote is the boards of a server.
type remote struct {
	of[*client.Board, *client.Groups]
	c *client.Boards
}

func ofServer(c *client.Boards) Boards { return remote{of[*client.Board, *client.Groups]{c}, c} }

func (r remote) Start(ctx context.Context) error                  { return nil }
func (r remote) CountDue(context.Context) error                   { return nil }
func (r remote) SettleDue(context.Context) (board.Settled, error) { return board.Settled{}, nil }
func (r remote) FeedNew(ctx context.Context, filter board.FeedFilter) iter.Seq2[board.Event, error] {
	return r.c.FeedNew(ctx, filter)
}
