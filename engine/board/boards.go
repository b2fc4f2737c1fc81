package board

import (
	"context"
	"log/slog"
	"time"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board/internal/audit"
	"github.com/zrankdb/zrank/engine/board/internal/catalog"
	"github.com/zrankdb/zrank/engine/board/internal/closing"
	"github.com/zrankdb/zrank/engine/board/internal/migration"
	"github.com/zrankdb/zrank/engine/board/internal/periods"
	"github.com/zrankdb/zrank/engine/board/rules"
)

// Boards is the boards of an engine. Its methods, and those of its boards, may be called from any goroutine.
type Boards struct {
	catalog   *catalog.Catalog
	scheduler *closing.Scheduler
}

// Options are for Open; the zero value is right for most.
type Options struct {
	// Logger receives a record when a period was closed or dropped, and when that failed. It is called from the goroutine that does it,
	// which may hold locks of the board, but has no transaction open: its handler must not call the boards. nil: nothing is logged.
	Logger *slog.Logger
}

// Open opens the boards of an engine, and starts the goroutine that closes periods in time. Periods whose time is up already are closed
// before Open returns, in the order of time (B6). If the disk does not let it, the boards can be read, and the Logger receives the error.
// Boards.Close ends the goroutine; so does closing the engine. O(boards + closed periods + sets of boards). Errors: ErrOpen, those of
// reading from the engine, and of specs that are damaged or of a later version.
func Open(e *engine.Engine, o Options) (*Boards, error) {
	c, err := catalog.Open(e, o.Logger)
	if err != nil {
		return nil, err
	}
	if _, err := closing.CloseDue(c); err != nil {
		c.Log.Error("board: periods cannot be closed", "err", err)
	}
	return &Boards{c, closing.Start(c)}, nil
}

// Close ends the goroutine that closes periods, and waits for calls that are in progress on the boards. The engine stays open. From then
// on calls on the boards return ErrClosed. Calls on rankings still work, until the engine's boards are opened again. Close twice is nil.
// Error: engine.ErrInTx, and nothing is closed.
func (bs *Boards) Close() error {
	if err := bs.catalog.CheckOutside(); err != nil {
		return err
	}
	if bs.catalog.Retire() {
		bs.scheduler.Stop()
		bs.catalog.Close()
	}
	return nil
}

// Define returns the board with spec.Name, making it if there is none. The order of windows may differ from the stored one, which
// stays. Errors: ErrSpec; ErrSpecChanged if it exists with another spec, which names each difference: see Migrate; those of the
// engine.
func (bs *Boards) Define(spec Spec) (*Board, error) { return public(bs.catalog.Define(spec)) }

// Board returns the board with a name. O(1). Errors: ErrNoBoard, ErrClosed.
func (bs *Boards) Board(name string) (*Board, error) { return public(bs.catalog.Lookup(name)) }

// All returns the boards in the order of their names. O(boards).
func (bs *Boards) All() []*Board {
	cores := bs.catalog.All()
	boards := make([]*Board, len(cores))
	for i, b := range cores {
		boards[i] = (*Board)(b)
	}
	return boards
}

// Migrate gives a board another spec: Migrate writes every period that it keeps, closed ones too, and every baseline under
// the new rules, and then changes the board to the new spec by one commit. Until then reads see the old spec, and submissions wait. After
// a crash the board has the old spec or the new one. Rankings that the board gave before return ErrMigrating afterwards.
//
// Columns are matched by name: a new one is 0 in all entries, or the bound nearest to that. Values may go from int64 to float64 and
// back where nothing is lost. An entry that has no time because ties went by member was reached at the beginning of 1970. A new
// window is empty. The periods of a window that the new spec leaves out are deleted. A window with another calendar must have another name,
// but further seasons after the last one, and another Grace or Keep, are allowed. Best ranks and Once keys stay.
//
// O(entries log entries), with a copy of one period at a time in memory. Errors: ErrSpec, also for an entry that cannot be converted,
// which names it, with a *ScoreError in it; ErrNoBoard, ErrClosed, that of ctx, those of the engine. The board is as it was then, but for
// what Engine.Update says of ErrStalled and ErrPersistence: Version tells.
func (bs *Boards) Migrate(ctx context.Context, spec Spec) (*Board, error) {
	return public(migration.Migrate(ctx, bs.catalog, spec))
}

// Drop deletes a board, by one commit: with all its periods, baselines and metadata. These are deleted before Drop returns or, after a
// crash, when the boards are opened again or a board of the same name is defined. O(sets + metadata). Errors: ErrNoBoard, ErrClosed, those
// of the engine: the board still exists then, but for what Engine.Update says of ErrStalled and ErrPersistence.
func (bs *Boards) Drop(name string) error { return bs.catalog.Drop(name) }

// CloseDue closes the periods whose time is up by the engine's clock, of all boards in the order in which it was up. It drops the
// closed periods that are not kept any more, and returns the number of periods that it has closed. The goroutine of Open does so by
// itself; a program that steers the clock calls CloseDue when the clock has moved. Boards that are being migrated come afterwards.
// O(windows + open periods of the windows that are due). Errors: ErrClosed; those of the engine, joined. A period whose closing failed
// accepts no results, and CloseDue tries again.
func (bs *Boards) CloseDue() (closed int, err error) { return closing.CloseDue(bs.catalog) }

// Check is Engine.Check, and proves of every closed period that it has the entries that it had when it was closed: it compares the number of
// members and a digest of their scores, ties and names with those that the closing, or a migration since, has stored. It leaves out
// periods that a migration replaces during the check. Metadata and baselines are not compared. Errors: ErrClosed, those of Engine.Check. O(bytes).
func (bs *Boards) Check(ctx context.Context, progress func(engine.Report)) (Report, error) {
	return audit.Check(ctx, bs.catalog, progress)
}

// RulesOf returns the rules of a set, for callers that read a board's set directly: the key is that of a period or of a baseline, and
// Rules.Decode reads its scores and ties. The rules are nil for Once keys and best ranks, whose scores are plain numbers: milliseconds after
// 1970, and ranks from 1. RulesOf counts as a read: a closed period leaves memory again when it is idle. O(length of the key + windows). Errors: ErrClosed; ErrNoBoard, also for a key that is none of a board's; ErrNoWindow;
// ErrMigrating for a version that the board does not have.
func (bs *Boards) RulesOf(key string) (*rules.Rules, error) { return periods.RulesOf(bs.catalog, key) }

// Now returns the time by the engine's clock.
func (bs *Boards) Now() time.Time { return bs.catalog.Engine.Now() }
