package catalog

import (
	"context"
	"errors"
	"fmt"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
)

// A goroutine takes locks in this order, and those of one board only:
//
//	Catalog.defining, Board.moderating, Env.Storing, Board.indexing, Board.changing, Board.closing, Settlement.Working, the locks of sets, those of private keys, Timeline.mu
//
// Catalog.mu and the evictor's mu are held for a moment, and no other lock is taken under them. A transaction, which holds locks of
// sets, waits for none of the others but Timeline.mu: it returns ErrAgain, and Writable waits.

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
// first notes its period as open and then calls CheckWritable once more. The sets of boards that follow this one it locks later: see
// DrainChain.
func (b *Board) CheckWritable(st *state.State) error {
	if err := b.env.CheckOpen(); err != nil {
		return err
	}
	switch {
	case b.gone.Load() != nil:
		return *b.gone.Load()
	case b.frozen.Load() || b.current.Load() != st:
		return state.ErrAgain
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
			return state.ErrEngineClosed
		case err != state.ErrAgain:
			return err
		}
	}
}

// Readable returns the board's state for a read. Errors: ErrClosed, ErrNoBoard.
func (b *Board) Readable() (*state.State, error) {
	st := b.current.Load()
	if err := b.CheckWritable(st); err != nil && err != state.ErrAgain {
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
