package board

import (
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/internal/owner"
)

// Boards is the boards of an engine. Its methods, and those of its boards, may be called from any goroutine.
type Boards struct {
	e      *engine.Engine
	own    engine.Owner // of the same engine: changes what is stored of boards
	log    *slog.Logger
	ticker ticker

	defining sync.Mutex  // held while boards are made and dropped
	left     atomic.Bool // marks may say what there is to sweep

	mu     sync.RWMutex
	boards map[string]*Board
	list   []*Board // in the order of their names; it is replaced and never written to
	closed bool
}

// Options are for Open; the zero value is right for most.
type Options struct {
	// Logger hears of periods that were closed or dropped, and of what went wrong with that, from the goroutine that does it, which may
	// have the board locked, but no transaction open: its handler must not call the boards. nil: nobody does.
	Logger *slog.Logger
}

// opened has the engines whose boards are open: each may have been opened once, since Boards knows what is closed.
var opened sync.Map

// Open opens the boards of an engine, and starts the goroutine that closes periods in time; those whose time was up meanwhile are
// closed before it returns, in the order of time (B6), unless the disk does not let it: then the boards can be read, and the Logger
// hears of it. Close ends the goroutine; so does closing the engine. O(boards + closed periods + sets of boards). Errors: ErrOpen,
// those of reading from the engine, and of specs that are damaged or of a later version.
func Open(e *engine.Engine, o Options) (*Boards, error) {
	own, err := e.Owner(owner.New())
	if err != nil {
		return nil, err
	}
	bs := &Boards{e: e, own: own, log: o.Logger, boards: map[string]*Board{}}
	if bs.log == nil {
		bs.log = slog.New(slog.DiscardHandler)
	}
	if _, is := opened.LoadOrStore(e, bs); is {
		return nil, ErrOpen
	}
	if err := bs.load(); err != nil {
		opened.Delete(e)
		return nil, err
	}
	if _, err := bs.CloseDue(); err != nil {
		bs.log.Error("board: periods cannot be closed", "err", err)
	}
	bs.ticker.start(bs)
	return bs, nil
}

// Close ends the goroutine that closes periods, and waits for what is under way on the boards. The engine stays open. Calls on the
// boards return ErrClosed from then on; those on rankings go on, for as long as nobody opens the engine's boards again. Close twice is nil.
// Error: engine.ErrInTx, and nothing is closed.
func (bs *Boards) Close() error {
	if err := bs.outside(); err != nil {
		return err
	}
	bs.mu.Lock()
	was := bs.closed
	bs.closed = true
	bs.mu.Unlock()
	if was {
		return nil
	}
	bs.defining.Lock() // waits for Define and Drop
	defer bs.defining.Unlock()
	bs.ticker.stop()
	for _, b := range bs.sorted() {
		if b.fence() != nil {
			break // the engine is closed: nothing is under way
		}
	}
	opened.CompareAndDelete(bs.e, bs)
	return nil
}

// over returns the error of boards that are closed, or whose engine is; else nil.
func (bs *Boards) over() error {
	select {
	case <-bs.e.Done():
		return errEngineClosed
	default:
	}
	if bs.ticker.stopped() {
		return ErrClosed
	}
	return nil
}

// Define returns the board with spec.Name, making it if there is none. The order of windows may differ from the stored one, which
// stays. Errors: ErrSpec; ErrSpecChanged if it exists with another spec, which names each difference: see Migrate; those of the
// engine.
func (bs *Boards) Define(spec Spec) (*Board, error) {
	if err := spec.Validate(); err != nil {
		return nil, err
	}
	if err := bs.outside(); err != nil {
		return nil, err
	}
	spec = spec.withDefaults()
	bs.defining.Lock()
	defer bs.defining.Unlock()
	b, err := bs.Board(spec.Name)
	if err == nil {
		if diff := spec.Differences(b.state.Load().spec); diff != nil {
			return nil, fmt.Errorf("%w: %q: %s", ErrSpecChanged, spec.Name, strings.Join(diff, "; "))
		}
		return b, nil
	}
	if !errors.Is(err, ErrNoBoard) {
		return nil, err
	}
	st, err := newState(spec, 1)
	if err != nil {
		return nil, err
	}
	text, err := spec.encode(1)
	if err != nil {
		return nil, err
	}
	if err := bs.sweep(spec.Name); err != nil { // what is left of another board of that name
		return nil, err
	}
	if err := bs.own.Update(nil, func(tx *engine.Tx) error { return tx.Put(specKey(spec.Name), text) }); err != nil {
		return nil, err
	}
	b = newBoard(bs, st)
	bs.add(b)
	return b, nil
}

// Board returns the board with a name. O(1). Errors: ErrNoBoard, ErrClosed.
func (bs *Boards) Board(name string) (*Board, error) {
	bs.mu.RLock()
	defer bs.mu.RUnlock()
	if bs.closed {
		return nil, ErrClosed
	}
	b := bs.boards[name]
	if b == nil {
		return nil, fmt.Errorf("%w: %q", ErrNoBoard, name)
	}
	return b, nil
}

// All returns the boards in the order of their names. O(boards).
func (bs *Boards) All() []*Board { return slices.Clone(bs.sorted()) }

// sorted is All, to be read only. O(1).
func (bs *Boards) sorted() []*Board {
	bs.mu.RLock()
	defer bs.mu.RUnlock()
	return bs.list
}

// add makes a board one of them.
func (bs *Boards) add(b *Board) {
	bs.mu.Lock()
	defer bs.mu.Unlock()
	bs.boards[b.Name()] = b
	i, _ := bs.index(b)
	bs.list = slices.Insert(slices.Clone(bs.list), i, b)
}

// remove is the inverse of add.
func (bs *Boards) remove(b *Board) {
	bs.mu.Lock()
	defer bs.mu.Unlock()
	delete(bs.boards, b.Name())
	if i, found := bs.index(b); found {
		bs.list = slices.Delete(slices.Clone(bs.list), i, i+1)
	}
}

// index returns where a board stands, or would stand, in the list.
func (bs *Boards) index(b *Board) (i int, found bool) {
	return slices.BinarySearchFunc(bs.list, b, func(x, y *Board) int { return strings.Compare(x.Name(), y.Name()) })
}

// outside returns engine.ErrInTx inside the closure of a transaction of the engine. A call that takes a lock of a board asks first: who
// has that lock may wait for the closure.
func (bs *Boards) outside() error {
	if bs.e.InTx() {
		return engine.ErrInTx
	}
	return nil
}

// Now returns the time by the engine's clock.
func (bs *Boards) Now() time.Time { return bs.e.Now() }
