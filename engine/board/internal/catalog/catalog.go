package catalog

import (
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board/internal/deletion"
	"github.com/zrankdb/zrank/engine/board/internal/errs"
	"github.com/zrankdb/zrank/engine/internal/owner"
)

// Catalog is the boards of an engine. Its methods may be called from any goroutine.
type Catalog struct {
	Engine  *engine.Engine
	Owner   engine.Owner // of the same engine: changes what is stored of boards
	Log     *slog.Logger
	Deleter *deletion.Deleter
	Idle    *Evictor

	defining sync.Mutex  // held while boards are made and dropped
	stopped  atomic.Bool // calls on the boards return ErrClosed

	mu      sync.RWMutex
	boards  map[string]*Board
	list    []*Board // in the order of their names; it is replaced and never written to
	retired bool     // lookup returns ErrClosed
}

// Opened holds the catalogs of the engines whose boards are open. A second catalog would not know which periods the first one closes.
var Opened sync.Map

// Open reads the boards of an engine. Nothing is logged if log is nil. O(boards + closed periods + sets of boards). Errors: ErrOpen,
// those of the engine, and of stored specs that are damaged or of a later version.
func Open(e *engine.Engine, log *slog.Logger) (*Catalog, error) {
	own, err := e.Owner(owner.New())
	if err != nil {
		return nil, err
	}
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	c := &Catalog{Engine: e, Owner: own, Log: log, Deleter: deletion.New(e, own), Idle: newEvictor(e), boards: map[string]*Board{}}
	if _, is := Opened.LoadOrStore(e, c); is {
		return nil, errs.ErrOpen
	}
	if err := c.load(); err != nil {
		c.Release()
		return nil, err
	}
	return c, nil
}

// Release lets the boards of the engine be opened again.
func (c *Catalog) Release() { Opened.CompareAndDelete(c.Engine, c) }

// Retire makes lookup return ErrClosed, and waits for define and drop. It reports whether it is the first call.
func (c *Catalog) Retire() (first bool) {
	c.mu.Lock()
	first, c.retired = !c.retired, true
	c.mu.Unlock()
	if first {
		c.defining.Lock()
		c.defining.Unlock() //nolint:staticcheck // the call waits and needs no more of the lock: later calls find no board
	}
	return first
}

// Stop makes calls on the boards return ErrClosed.
func (c *Catalog) Stop() { c.stopped.Store(true) }

// IsStopped reports whether stop was called.
func (c *Catalog) IsStopped() bool { return c.stopped.Load() }

// Close waits for calls that are in progress on the boards, and releases the engine. retire and stop were called.
func (c *Catalog) Close() {
	for _, b := range c.All() {
		if b.fence() != nil {
			break // the engine is closed: nothing is in progress
		}
	}
	c.Release()
}

// CheckOpen returns the error of boards that are closed, or whose engine is closed; else nil.
func (c *Catalog) CheckOpen() error {
	select {
	case <-c.Engine.Done():
		return errs.ErrEngineClosed
	default:
	}
	if c.IsStopped() {
		return errs.ErrClosed
	}
	return nil
}

// CheckOutside returns engine.ErrInTx inside the closure of a transaction of the engine. Every call that takes a lock of a board checks
// this first: the holder of that lock may wait for the closure.
func (c *Catalog) CheckOutside() error {
	if c.Engine.InTx() {
		return engine.ErrInTx
	}
	return nil
}

// Lookup returns the board with a name. O(1). Errors: ErrNoBoard, ErrClosed.
func (c *Catalog) Lookup(name string) (*Board, error) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if c.retired {
		return nil, errs.ErrClosed
	}
	b := c.boards[name]
	if b == nil {
		return nil, fmt.Errorf("%w: %q", errs.ErrNoBoard, name)
	}
	return b, nil
}

// All returns the boards in the order of their names, in a slice that callers only read. O(1).
func (c *Catalog) All() []*Board {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.list
}

// add adds a board.
func (c *Catalog) add(b *Board) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.boards[b.State().Name] = b
	i, _ := c.index(b)
	c.list = slices.Insert(slices.Clone(c.list), i, b)
}

// remove removes a board.
func (c *Catalog) remove(b *Board) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.boards, b.State().Name)
	if i, found := c.index(b); found {
		c.list = slices.Delete(slices.Clone(c.list), i, i+1)
	}
}

// index returns the position of a board in the list, from 0, or the one it would take. The caller holds mu.
func (c *Catalog) index(b *Board) (i int, found bool) {
	return slices.BinarySearchFunc(c.list, b, func(x, y *Board) int { return strings.Compare(x.State().Name, y.State().Name) })
}

// Stored returns the committed value of a private key, nil for none.
func (c *Catalog) Stored(key string) (value []byte, err error) {
	err = c.Engine.View(nil, func(tx *engine.Tx) (err error) {
		value, _, err = tx.Get(key)
		return err
	})
	return value, err
}
