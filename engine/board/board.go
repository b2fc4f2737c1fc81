package board

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/zrankdb/zrank/engine"
)

// Locks are taken in this order, those of one board only:
//
//	Boards.defining, Board.changing, Board.closing, the locks of sets, that of private keys, span.mu
//
// Boards.mu and ticker.mu are held for a moment, and nothing is taken under them. A transaction, which has locks of sets, waits for none
// of the others but span.mu: it gives up with errAgain, and Board.ready waits.

// Board is one leaderboard: see Boards. It may be kept: it follows migrations. One that was dropped returns ErrNoBoard for ever, also when
// another of its name is defined.
type Board struct {
	bs    *Boards
	state atomic.Pointer[state]

	// frozen says that no transaction may change the board. It is set and taken back by who holds changing for writing.
	frozen   atomic.Bool
	changing sync.RWMutex // held for reading: the board stays as it is; for writing: it is being migrated or dropped
	dropped  atomic.Bool

	closing sync.Mutex // of periods: one at a time
}

func newBoard(bs *Boards, st *state) *Board {
	b := &Board{bs: bs}
	b.state.Store(st)
	return b
}

// Name returns the board's name.
func (b *Board) Name() string { return b.state.Load().name }

// Spec returns what the board is stored with, defaults filled in: a copy.
func (b *Board) Spec() Spec { return b.state.Load().spec.withDefaults() }

// Version returns the version in the keys of the board's sets: 1, and one more with each migration.
func (b *Board) Version() int { return b.state.Load().version }

// errAgain says that the board is not what it was when a call began, or that a submission of now has come in the next period.
var errAgain = errors.New("board: again")

// ready returns what the board is now, and waits while it is being migrated. Errors: ErrClosed, ErrNoBoard, engine.ErrInTx.
func (b *Board) ready() (*state, error) {
	if b.frozen.Load() {
		if err := b.bs.outside(); err != nil { // the migration may wait for the closure
			return nil, err
		}
		b.changing.RLock()
		b.changing.RUnlock() //nolint:staticcheck // to wait for the migration is all that is wanted
	}
	return b.now()
}

// current returns an error unless the board is what it was, and may be changed. In a transaction that has locked sets of the
// board it holds until its end if nil. Errors: errAgain, ErrClosed, ErrNoBoard.
//
// A caller that freezes or closes the board then waits for the locks of the sets that it finds. So a transaction that makes a set
// asks once more after it has noted that.
func (b *Board) current(st *state) error {
	if err := b.bs.over(); err != nil {
		return err
	}
	switch {
	case b.dropped.Load():
		return fmt.Errorf("%w: %q", ErrNoBoard, st.name)
	case b.frozen.Load() || b.state.Load() != st:
		return errAgain
	}
	return nil
}

// changed reports whether the board is not what it was, or may not be changed.
func (b *Board) changed(st *state) bool { return b.current(st) != nil }

// retry runs do with what the board is, and again if it is something else by the time that do looks. Inside a closure of the engine it
// is refused.
func (b *Board) retry(do func(st *state) error) error {
	if err := b.bs.outside(); err != nil {
		return err
	}
	for {
		st, err := b.ready()
		if err == nil {
			err = do(st)
		}
		switch {
		case err == nil:
			return nil
		case errors.Is(err, engine.ErrClosed): // meanwhile
			return errEngineClosed
		case err != errAgain:
			return err
		}
	}
}

// now returns what the board is, to be read. Errors: ErrClosed, ErrNoBoard.
func (b *Board) now() (*state, error) {
	st := b.state.Load()
	if err := b.current(st); err != nil && err != errAgain {
		return nil, err
	}
	return st, nil
}

// window returns a window of the board by its name, to be read. Errors: ErrNoWindow, ErrClosed, ErrNoBoard.
func (b *Board) window(name string) (*state, *span, error) {
	st, err := b.now()
	if err != nil {
		return nil, nil, err
	}
	s, err := st.span(name)
	return st, s, err
}

// freeze keeps everybody from changing the board, and from closing periods, until the function it returns is called. Transactions
// that are under way hold the locks of their sets.
func (b *Board) freeze() (thaw func()) {
	b.changing.Lock()
	b.closing.Lock() // waits for who closes a period
	b.frozen.Store(true)
	b.closing.Unlock()
	return func() {
		b.frozen.Store(false)
		b.changing.Unlock()
	}
}

// fence waits for who migrates the board, closes periods of it or saves a baseline, and for transactions that have changed open
// periods, or are about to.
func (b *Board) fence() error {
	defer b.freeze()()
	st := b.state.Load()
	for _, s := range st.spans {
		for _, x := range s.slots() {
			if _, err := b.bs.e.Exists(x.key); err != nil {
				return err
			}
		}
	}
	_, err := b.bs.e.Exists(st.once)
	return err
}
