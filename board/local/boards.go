package local

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/check"
	"github.com/zrankdb/zrank/board/internal/closing"
	"github.com/zrankdb/zrank/board/internal/groups"
	"github.com/zrankdb/zrank/board/internal/leagues"
	"github.com/zrankdb/zrank/board/internal/moderation"
	"github.com/zrankdb/zrank/board/internal/observers"
	"github.com/zrankdb/zrank/board/internal/periods"
	"github.com/zrankdb/zrank/board/internal/relocation"
	"github.com/zrankdb/zrank/board/internal/settlement"
	"github.com/zrankdb/zrank/board/internal/tail"
	"github.com/zrankdb/zrank/board/internal/transfer"
	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/engine"
)

// Boards is the boards of an engine: a board.Store, and what only an engine has. Its methods, and those of its boards, may be called from any goroutine.
type Boards struct {
	catalog   *catalog.Catalog
	scheduler *closing.Scheduler
	settlers  []*catalog.Background // of awards and of cohorts; none with Options.Manual
	moderator *catalog.Background
}

var _ board.Store = (*Boards)(nil)

// Options are for Open; the zero value is right for most.
type Options struct {
	// Logger receives a record when a period was closed or dropped, and when that failed. The goroutine that does it calls the handler, and may
	// hold locks of the board meanwhile, but no open transaction: the handler must not call the boards. nil: nothing is logged.
	Logger *slog.Logger
	// MaxJump is how far the engine's clock may jump ahead, from one second to the next, while the boards are open. While it is further ahead than that,
	// no period is closed, no result leaves a rolling window, and submissions get ErrTime, until the clock is back; or until Boards.CloseDue or
	// Boards.SettleDue is called, or the boards are opened again: then the clock counts as right. 0 lets it jump as it likes, and is the default: a
	// machine that was asleep, or a virtual one that was paused, looks the same when it wakes up. A minute or more; a day does for a server that is never asleep.
	MaxJump time.Duration
	// Manual says that no goroutine closes periods, settles them and delivers their awards: the program calls SettleDue when it has moved the engine's
	// clock, and Grant runs on the goroutine that calls. NextDue says where to stop the clock. For tests, see package zranktest, and for simulations.
	Manual bool
}

// Validate returns an error if MaxJump is neither 0 nor a minute or more.
func (o Options) Validate() error {
	if o.MaxJump != 0 && o.MaxJump < time.Minute {
		return fmt.Errorf("board: Options.MaxJump is %v: want 0, or a minute or more", o.MaxJump)
	}
	return nil
}

// Open opens the boards of an engine, and starts the goroutine that closes periods in time, unless Options.Manual. Periods whose time is up already are closed
// before Open returns, in the order of time (B6). If that fails because of the disk, the boards can be read, and the Logger receives the error.
// Boards.Close ends the goroutine; so does closing the engine. O(boards + closed periods + sets of boards). Errors: ErrOpen, those of
// Options.Validate, of reading from the engine, and of specs that are damaged or of a later version.
func Open(e *engine.Engine, o Options) (*Boards, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	c, err := catalog.Open(e, o.Logger)
	if err != nil {
		return nil, err
	}
	c.Observers, c.OfClosed = observers.All(), observers.OfClosed()
	c.Jumps.Limit(o.MaxJump, e.Now())
	if err := settlement.Load(context.Background(), c); err != nil {
		c.Release()
		return nil, err
	}
	if err := leagues.Load(context.Background(), c); err != nil {
		c.Release()
		return nil, err
	}
	if _, err := closing.CloseDue(context.Background(), c); err != nil {
		c.Log.Error("board: periods cannot be closed", "err", err)
	}
	if err := groups.ForgetGone(context.Background(), c); err != nil {
		c.Log.Error("board: members of dissolved groups cannot be forgotten", "err", err)
	}
	bs := &Boards{catalog: c, scheduler: closing.Start(c, o.Manual), moderator: moderation.Start(c)}
	if !o.Manual {
		bs.settlers = []*catalog.Background{settlement.Start(c), leagues.Start(c)}
	}
	return bs, nil
}

// Close ends the goroutine that closes periods, and waits for calls that are in progress on the boards. The engine stays open. From then
// on calls on the boards return ErrClosed. Calls on rankings still work until the engine's boards are opened again. A second Close returns
// nil. Error: engine.ErrInTx; then nothing is closed.
func (bs *Boards) Close() error {
	if err := bs.catalog.CheckNotInTx(); err != nil {
		return err
	}
	if bs.catalog.Retire() {
		bs.scheduler.Stop()
		for _, s := range bs.settlers {
			s.Stop()
		}
		bs.moderator.Stop()
		bs.catalog.Close()
	}
	return nil
}

// Define returns the board with spec.Name, and makes it if there is none. The order of spec.Windows may differ from the stored order, and does
// not change it. Errors: ErrSpec; ErrSpecChanged, which names each difference, if the board exists with another spec: see Migrate; those of
// the engine.
func (bs *Boards) Define(ctx context.Context, spec board.Spec) (board.Board, error) {
	return public(bs.catalog.Define(ctx, spec, groups.Fill))
}

// Board returns the board with a name. O(1). Errors: ErrNoBoard, ErrClosed.
func (bs *Boards) Board(ctx context.Context, name string) (board.Board, error) {
	return public(bs.catalog.Lookup(name))
}

// All returns the boards in the order of their names. O(boards).
func (bs *Boards) All() []board.Board {
	cores := bs.catalog.All()
	boards := make([]board.Board, len(cores))
	for i, b := range cores {
		boards[i] = (*localBoard)(b)
	}
	return boards
}

// Names returns the names of all boards, in order. O(boards). Error: ErrClosed.
func (bs *Boards) Names(ctx context.Context) ([]string, error) { return bs.catalog.Names() }

// Migrate gives a board another spec. It writes every period that the board keeps, closed ones too, and every baseline under the new
// rules. One commit then changes the board to the new spec. Until then reads see the old spec, and submissions wait. After
// a crash the board has the old spec or the new one. Rankings that the board gave before return ErrMigrating afterwards.
//
// Columns are matched by name: a new one is 0 in all entries, or the bound nearest to that. Values may go from int64 to float64 and
// back where nothing is lost. An entry without a time, of a board with ties ByMember, gets the beginning of 1970. A new
// window is empty. The periods of a window that the new spec leaves out are deleted. A window with another calendar must have another name,
// but further seasons after the last one, and another Grace or Keep, are allowed. Best ranks and Once keys stay. Derived boards that follow the board get the windows that
// change by the same commit, each with its own Keep.
//
// O(entries log entries), with a copy of one period at a time in memory. Errors: ErrSpec, also for an entry that cannot be converted,
// which names it, with a *ScoreError in it; ErrFollowed; ErrNoBoard, ErrClosed, that of ctx, those of the engine. After an error the board is as it was,
// unless it is ErrStalled or ErrPersistence, see Engine.Update: then Board.Version tells whether the board was migrated.
func (bs *Boards) Migrate(ctx context.Context, spec board.Spec) (board.Board, error) {
	return public(transfer.Migrate(ctx, bs.catalog, spec))
}

// Drop deletes a board by one commit. It deletes the board's periods, baselines and metadata before it returns or, after a crash, when the
// boards are opened again or a board of the same name is defined. O(sets + metadata). Errors: ErrNoBoard, ErrClosed, those of the engine.
// After an error the board still exists, unless it is ErrStalled or ErrPersistence: see Engine.Update.
func (bs *Boards) Drop(ctx context.Context, name string) error { return bs.catalog.Drop(ctx, name) }

// CloseDue closes the periods of all boards whose time is up by the engine's clock, in the order of those times. It drops the closed periods
// that Window.Keep does not keep, and returns the number of periods that it has closed. The goroutine of Open calls it too; a program that
// sets the clock calls CloseDue after each change. CloseDue leaves out boards that are being migrated, until the migration is over.
// O(windows + open periods of the windows that are due). Errors: ErrClosed; those of the engine, joined. A period whose closing failed
// accepts no results, and CloseDue tries again. A clock that has jumped further than Options.MaxJump counts as right from then on.
func (bs *Boards) CloseDue(ctx context.Context) (closed int, err error) {
	bs.catalog.Jumps.Accept(bs.catalog.Engine.Now())
	return closing.CloseDue(ctx, bs.catalog)
}

// CountDue counts the members beyond the best n of all boards with Top.Segments for which somebody has asked since the last count, where a count is due: see
// "Coarse tail". The goroutine of Open does so too, a part at a time. Errors: ErrClosed, that of ctx, those of the engine. O(members).
func (bs *Boards) CountDue(ctx context.Context) error { return tail.CountAll(ctx, bs.catalog) }

// Check is Engine.Check, and also checks that every closed period has the entries that it had when it was closed: it compares the number of
// members and a digest of their scores, ties and names with those that the closing, or a later migration, has stored. It leaves out
// periods that a migration replaces during the check. Of a rolling window that no result enters or leaves meanwhile it compares the numbers of members and
// results. Of a ranking of the best n (Spec.Top) it compares the order of its sets, and the members of each with where they belong; it does not find a
// member that two of them have. Stored unions are compared as closed periods are. The index of members is compared with each closed
// period that it has: members, scores, ties and places; of a ranking in more than one set it does not find members that have one another's places. No ranking may
// have a banned or a hidden member. The scores of groups on derived boards are computed again from those of their members: in open periods another one is a problem, which Rebuild corrects, and in
// closed ones RebuildPeriod. Where nobody knows who was in which group when a period was closed, it is in Report.Notes: members may have joined or left since. Metadata and baselines are not compared. Memory: some hundred bytes for each closed period. Errors: ErrClosed, those of Engine.Check. O(bytes).
func (bs *Boards) Check(ctx context.Context, progress func(engine.Report)) (Report, error) {
	r, err := check.Check(ctx, bs.catalog, progress)
	return Report(r), err
}

// RulesOf returns the rules of a set, for callers that read a board's set directly: the key is that of a period or of a baseline, and
// Rules.Decode reads its scores and ties. The rules are nil for Once keys and best ranks, whose scores are plain numbers: milliseconds after
// 1970, and ranks from 1. RulesOf counts as a read of the set, so that a closed period is evicted once it is idle.
// O(length of the key + windows). Errors: ErrClosed; ErrNoBoard, also for a key that belongs to no board; ErrNoWindow; ErrMigrating for a
// version that the board does not have.
func (bs *Boards) RulesOf(key string) (*rules.Rules, error) { return periods.RulesOf(bs.catalog, key) }

// Relocation is for package move.
func (bs *Boards) Relocation() (relocation.Store, error) { return transfer.NewStore(bs.catalog) }

// Engine returns the engine that has the boards.
func (bs *Boards) Engine() *engine.Engine { return bs.catalog.Engine }
