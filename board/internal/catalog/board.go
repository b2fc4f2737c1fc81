package catalog

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/auditlog"
	"github.com/zrankdb/zrank/board/internal/errs"
	"github.com/zrankdb/zrank/board/internal/events"
	"github.com/zrankdb/zrank/board/internal/membership"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/board/internal/totals"
	"github.com/zrankdb/zrank/engine"
)

// A goroutine takes locks in this order, and those of one board only:
//
//	Catalog.defining, Env.Storing, Board.moderating, Board.indexing, Board.changing, Board.closing, Settlement.Working, the locks of sets, those of private keys, Timeline.mu
//
// Catalog.mu and the evictor's mu are held for a moment, and no other lock is taken under them. A transaction, which holds locks of
// sets, waits for none of the others but Timeline.mu: it returns ErrAgain, and Writable waits.

// Board is one board: its present state, and the locks that keep the state.
type Board struct {
	env     *Env
	current atomic.Pointer[state.State]

	// frozen says that no transaction may change the board. Only a goroutine that holds changing for writing sets and clears it.
	frozen   atomic.Bool
	changing sync.RWMutex          // held for reading: the state does not change; for writing: the board is being migrated, dropped or closed
	gone     atomic.Pointer[error] // what calls return: the board was dropped, or has left; nil: neither
	release  func()                // unlocks changing for reading; made once

	closing sync.Mutex // held while a period of the board is being closed

	moderating gate // held while closed periods are changed by moderation
	indexing   gate // held while closed periods are indexed
	Bans       Bans
	Hides      Hides
	Watches    events.Watches
	Renames    auditlog.Renames

	following *Following               // nil unless the board is derived; set before anybody has the board
	followers atomic.Pointer[[]*Board] // the boards that follow it; the list is replaced and never written to

	Handlers sync.Map // what delivers the awards of a window, by its name: see package settlement

	dueMu sync.Mutex
	due   []func() // see Later
}

// Following is how a derived board follows another one. It does not change.
type Following struct {
	Source *Board
	Groups *Groups
	Totals *totals.Totals
	depth  int // 1 for a board that follows one that is not derived, and so on
}

// Groups is a kind of groups, and the boards of such groups.
type Groups struct {
	*membership.Kind
	boards atomic.Pointer[[]*Board] // the list is replaced and never written to
}

// listed returns a list that may not be there.
func listed(p *atomic.Pointer[[]*Board]) []*Board {
	if list := p.Load(); list != nil {
		return *list
	}
	return nil
}

func newBoard(e *Env, st *state.State) *Board {
	b := &Board{env: e, moderating: make(gate, 1), indexing: make(gate, 1)}
	b.release = b.changing.RUnlock
	b.current.Store(st)
	return b
}

// State returns the board's present state.
func (b *Board) State() *state.State { return b.current.Load() }

// SetState replaces the state. The caller has frozen the board.
func (b *Board) SetState(st *state.State) { b.current.Store(st) }

// Env returns what the board shares with the others of its engine.
func (b *Board) Env() *Env { return b.env }

// Engine returns the engine that the board is stored in.
func (b *Board) Engine() *engine.Engine { return b.env.Engine }

// Owner returns the owner of the engine's reserved keys.
func (b *Board) Owner() engine.Owner { return b.env.Owner }

// Log returns the logger of the boards.
func (b *Board) Log() *slog.Logger { return b.env.Log }

// IsFrozen reports whether the board is being migrated, dropped or closed.
func (b *Board) IsFrozen() bool { return b.frozen.Load() }

// Writable returns the board's state, and waits while the board is being migrated. Errors: ErrClosed, ErrNoBoard, engine.ErrInTx.
func (b *Board) Writable() (*state.State, error) {
	if b.frozen.Load() {
		if err := b.env.CheckNotInTx(); err != nil { // the migration may wait for the closure
			return nil, err
		}
		b.changing.RLock()
		b.changing.RUnlock() //nolint:staticcheck // the call waits for the migration and needs no more of the lock
	}
	return b.Readable()
}

// CheckWritable returns nil if the board's state is still st and may be changed. In a transaction that holds locks of the board's sets a
// nil stays true until the transaction ends. Errors: ErrAgain, ErrClosed, ErrNoBoard, ErrRelocated.
//
// A caller that freezes or closes the board then waits for the locks of the sets of all open periods. So a transaction that makes a set
// first notes its period as open and then calls CheckWritable once more.
func (b *Board) CheckWritable(st *state.State) error {
	if err := b.env.CheckOpen(); err != nil {
		return err
	}
	switch {
	case b.gone.Load() != nil:
		return *b.gone.Load()
	case b.frozen.Load() || b.current.Load() != st:
		return errs.ErrAgain
	}
	return nil
}

// CheckReadable returns nil if the sets of st exist: no migration has rewritten them. Errors: ErrMigrating, ErrNoBoard.
func (b *Board) CheckReadable(st *state.State) error {
	switch {
	case b.gone.Load() != nil:
		return *b.gone.Load()
	case b.current.Load().Version != st.Version:
		return fmt.Errorf("%w: %q: ask for the ranking again", board.ErrMigrating, st.Name)
	}
	return nil
}

// Retry runs do with the board's state, and again while do returns ErrAgain. Errors: those of do, engine.ErrInTx inside a closure of the
// engine, ErrClosed, ErrNoBoard.
func (b *Board) Retry(do func(st *state.State) error) error {
	if err := b.env.CheckNotInTx(); err != nil {
		return err
	}
	for {
		st, err := b.Writable()
		if err == nil {
			err = do(st)
		}
		switch {
		case err == nil:
			return nil
		case errors.Is(err, engine.ErrClosed): // during the call
			return errs.ErrEngineClosed
		case err != errs.ErrAgain:
			return err
		}
	}
}

// Readable returns the board's state for a read. Errors: ErrClosed, ErrNoBoard.
func (b *Board) Readable() (*state.State, error) {
	st := b.current.Load()
	if err := b.CheckWritable(st); err != nil && err != errs.ErrAgain {
		return nil, err
	}
	return st, nil
}

// Timeline returns a window of the board by its name, for a read. Errors: ErrNoWindow, ErrClosed, ErrNoBoard.
func (b *Board) Timeline(window string) (*state.State, *state.Timeline, error) {
	st, err := b.Readable()
	if err != nil {
		return nil, nil, err
	}
	t, err := st.Timeline(window)
	return st, t, err
}

// HoldState keeps the board from being migrated or dropped until release is called.
func (b *Board) HoldState() (release func()) {
	b.changing.RLock()
	return b.release
}

// TryHoldState is HoldState, and false if the board is being migrated, dropped or closed, or is about to be.
func (b *Board) TryHoldState() (release func(), ok bool) {
	if !b.changing.TryRLock() {
		return nil, false
	}
	return b.release, true
}

// LockClosing keeps other goroutines from closing periods of the board until unlock is called.
func (b *Board) LockClosing() (unlock func()) {
	b.closing.Lock()
	return b.closing.Unlock
}

// LockModeration keeps other goroutines from moderating the closed periods of the board until unlock is called. Error: that of ctx.
func (b *Board) LockModeration(ctx context.Context) (unlock func(), err error) {
	return b.moderating.lock(ctx)
}

// LockIndexing keeps other goroutines from indexing closed periods of the board until unlock is called. Error: that of ctx.
func (b *Board) LockIndexing(ctx context.Context) (unlock func(), err error) {
	return b.indexing.lock(ctx)
}

// Freeze keeps all others from changing the board and from closing its periods, until thaw is called. Transactions in progress still hold
// the locks of their sets.
func (b *Board) Freeze() (thaw func()) {
	b.changing.Lock()
	b.closing.Lock() // waits while a period is being closed
	b.frozen.Store(true)
	b.closing.Unlock()
	return func() {
		b.frozen.Store(false)
		b.changing.Unlock()
	}
}

// Fence waits for a migration, a closing and a baseline in progress, and for transactions that have changed open periods or are about to.
func (b *Board) Fence(ctx context.Context) error {
	defer b.Freeze()()
	return b.Drain(ctx)
}

// Drain waits for transactions that have changed open periods or are about to. The caller has frozen the board.
func (b *Board) Drain(ctx context.Context) error {
	st := b.current.Load()
	for _, t := range st.Timelines {
		for _, slot := range t.OpenSlots() {
			for _, key := range t.SetKeys(slot.Name) {
				if _, err := b.Engine().Exists(ctx, key); err != nil {
					return err
				}
			}
		}
	}
	_, err := b.Engine().Exists(ctx, st.OnceKey, st.JournalKey)
	return err
}
