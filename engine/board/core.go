package board

import (
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"

	"github.com/zrankdb/zrank/engine"
)

// Locks are taken in this order, those of one board only:
//
//	Catalog.defining, Board.changing, Board.closing, the locks of sets, that of private keys, Timeline.mu
//
// Catalog.mu and the evictor's mu are held for a moment, and no other lock is taken under them. A transaction, which holds locks of
// sets, waits for none of the others but Timeline.mu: it returns ErrAgain, and Writable waits.

// core is one board: its present state, and the locks that keep the state.
type core struct {
	catalog *catalog
	current atomic.Pointer[state]

	// frozen says that no transaction may change the board. The holder of changing for writing sets and clears it.
	frozen   atomic.Bool
	changing sync.RWMutex // held for reading: the state stays; for writing: the board is being migrated or dropped
	dropped  atomic.Bool

	closing sync.Mutex // held while a period is closed: one at a time
}

func newCore(c *catalog, st *state) *core {
	b := &core{catalog: c}
	b.current.Store(st)
	return b
}

// state returns the board's present state.
func (b *core) state() *state { return b.current.Load() }

// setState replaces the state. The caller has frozen the board.
func (b *core) setState(st *state) { b.current.Store(st) }

// in returns the catalog that the board is in.
func (b *core) in() *catalog { return b.catalog }

// engine returns the engine that the board is stored in.
func (b *core) engine() *engine.Engine { return b.catalog.engine }

// owner returns the owner of the engine's reserved keys.
func (b *core) owner() engine.Owner { return b.catalog.owner }

// log returns the logger of the boards.
func (b *core) log() *slog.Logger { return b.catalog.log }

// isFrozen reports whether the board is being migrated, dropped or closed.
func (b *core) isFrozen() bool { return b.frozen.Load() }

// writable returns the board's state, and waits while the board is being migrated. Errors: ErrClosed, ErrNoBoard, engine.ErrInTx.
func (b *core) writable() (*state, error) {
	if b.frozen.Load() {
		if err := b.catalog.checkOutside(); err != nil { // the migration may wait for the closure
			return nil, err
		}
		b.changing.RLock()
		b.changing.RUnlock() //nolint:staticcheck // the call waits for the migration and needs no more of the lock
	}
	return b.readable()
}

// checkWritable returns nil if the board's state is still st and may be changed. In a transaction that holds locks of the board's sets a
// nil stays true until the transaction ends. Errors: ErrAgain, ErrClosed, ErrNoBoard.
//
// A caller that freezes or closes the board then waits for the locks of the sets that it finds. So a transaction that makes a set
// notes the period as open and then checks once more.
func (b *core) checkWritable(st *state) error {
	if err := b.catalog.checkOpen(); err != nil {
		return err
	}
	switch {
	case b.dropped.Load():
		return fmt.Errorf("%w: %q", ErrNoBoard, st.name)
	case b.frozen.Load() || b.current.Load() != st:
		return errAgain
	}
	return nil
}

// checkReadable returns nil if the board's state is still st, so that its sets exist. Errors: ErrMigrating, ErrNoBoard.
func (b *core) checkReadable(st *state) error {
	switch {
	case b.dropped.Load():
		return fmt.Errorf("%w: %q", ErrNoBoard, st.name)
	case b.current.Load() != st:
		return fmt.Errorf("%w: %q: ask for the ranking again", ErrMigrating, st.name)
	}
	return nil
}

// retry runs do with the board's state, and again while do returns ErrAgain. Errors: those of do, engine.ErrInTx inside a closure of the
// engine, ErrClosed, ErrNoBoard.
func (b *core) retry(do func(st *state) error) error {
	if err := b.catalog.checkOutside(); err != nil {
		return err
	}
	for {
		st, err := b.writable()
		if err == nil {
			err = do(st)
		}
		switch {
		case err == nil:
			return nil
		case errors.Is(err, engine.ErrClosed): // during the call
			return errEngineClosed
		case err != errAgain:
			return err
		}
	}
}

// readable returns the board's state for a read. Errors: ErrClosed, ErrNoBoard.
func (b *core) readable() (*state, error) {
	st := b.current.Load()
	if err := b.checkWritable(st); err != nil && err != errAgain {
		return nil, err
	}
	return st, nil
}

// timeline returns a window of the board by its name, for a read. Errors: ErrNoWindow, ErrClosed, ErrNoBoard.
func (b *core) timeline(window string) (*state, *timeline, error) {
	st, err := b.readable()
	if err != nil {
		return nil, nil, err
	}
	t, err := st.timeline(window)
	return st, t, err
}

// holdState keeps the board from being migrated or dropped until release is called.
func (b *core) holdState() (release func()) {
	b.changing.RLock()
	return b.changing.RUnlock
}

// lockClosing keeps other goroutines from closing periods of the board until unlock is called.
func (b *core) lockClosing() (unlock func()) {
	b.closing.Lock()
	return b.closing.Unlock
}

// freeze keeps all others from changing the board and from closing its periods, until thaw is called. Transactions in progress still hold
// the locks of their sets.
func (b *core) freeze() (thaw func()) {
	b.changing.Lock()
	b.closing.Lock() // waits while a period is being closed
	b.frozen.Store(true)
	b.closing.Unlock()
	return func() {
		b.frozen.Store(false)
		b.changing.Unlock()
	}
}

// fence waits for a migration, a closing and a baseline in progress, and for transactions that have changed open periods or are about to.
func (b *core) fence() error {
	defer b.freeze()()
	st := b.current.Load()
	for _, t := range st.timelines {
		for _, x := range t.openSlots() {
			if _, err := b.engine().Exists(x.key); err != nil {
				return err
			}
		}
	}
	_, err := b.engine().Exists(st.onceKey)
	return err
}
