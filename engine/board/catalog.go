package board

import (
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/internal/owner"
)

// catalog is the boards of an engine. Its methods may be called from any goroutine.
type catalog struct {
	engine  *engine.Engine
	owner   engine.Owner // of the same engine: changes what is stored of boards
	log     *slog.Logger
	deleter *deleter
	idle    *idleEvictor

	defining sync.Mutex  // held while boards are made and dropped
	stopped  atomic.Bool // calls on the boards return ErrClosed

	mu      sync.RWMutex
	boards  map[string]*core
	list    []*core // in the order of their names; it is replaced and never written to
	retired bool    // lookup returns ErrClosed
}

// opened holds the catalogs of the engines whose boards are open. A second catalog would not know which periods the first one closes.
var opened sync.Map

// openCatalog reads the boards of an engine. Nothing is logged if log is nil. O(boards + closed periods + sets of boards). Errors: ErrOpen,
// those of the engine, and of stored specs that are damaged or of a later version.
func openCatalog(e *engine.Engine, log *slog.Logger) (*catalog, error) {
	own, err := e.Owner(owner.New())
	if err != nil {
		return nil, err
	}
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	c := &catalog{engine: e, owner: own, log: log, deleter: newDeleter(e, own), idle: newIdleEvictor(e), boards: map[string]*core{}}
	if _, is := opened.LoadOrStore(e, c); is {
		return nil, ErrOpen
	}
	if err := c.load(); err != nil {
		c.release()
		return nil, err
	}
	return c, nil
}

// release lets the boards of the engine be opened again.
func (c *catalog) release() { opened.CompareAndDelete(c.engine, c) }

// retire makes lookup return ErrClosed, and waits for define and drop. It reports whether it is the first call.
func (c *catalog) retire() (first bool) {
	c.mu.Lock()
	first, c.retired = !c.retired, true
	c.mu.Unlock()
	if first {
		c.defining.Lock()
		c.defining.Unlock() //nolint:staticcheck // the call waits and needs no more of the lock: later calls find no board
	}
	return first
}

// stop makes calls on the boards return ErrClosed.
func (c *catalog) stop() { c.stopped.Store(true) }

// isStopped reports whether stop was called.
func (c *catalog) isStopped() bool { return c.stopped.Load() }

// close waits for calls that are in progress on the boards, and releases the engine. retire and stop were called.
func (c *catalog) close() {
	for _, b := range c.all() {
		if b.fence() != nil {
			break // the engine is closed: nothing is in progress
		}
	}
	c.release()
}

// checkOpen returns the error of boards that are closed, or whose engine is closed; else nil.
func (c *catalog) checkOpen() error {
	select {
	case <-c.engine.Done():
		return errEngineClosed
	default:
	}
	if c.isStopped() {
		return ErrClosed
	}
	return nil
}

// checkOutside returns engine.ErrInTx inside the closure of a transaction of the engine. Every call that takes a lock of a board checks
// this first: the holder of that lock may wait for the closure.
func (c *catalog) checkOutside() error {
	if c.engine.InTx() {
		return engine.ErrInTx
	}
	return nil
}

// lookup returns the board with a name. O(1). Errors: ErrNoBoard, ErrClosed.
func (c *catalog) lookup(name string) (*core, error) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if c.retired {
		return nil, ErrClosed
	}
	b := c.boards[name]
	if b == nil {
		return nil, fmt.Errorf("%w: %q", ErrNoBoard, name)
	}
	return b, nil
}

// all returns the boards in the order of their names, in a slice that callers only read. O(1).
func (c *catalog) all() []*core {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.list
}

// add adds a board.
func (c *catalog) add(b *core) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.boards[b.state().name] = b
	i, _ := c.index(b)
	c.list = slices.Insert(slices.Clone(c.list), i, b)
}

// remove removes a board.
func (c *catalog) remove(b *core) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.boards, b.state().name)
	if i, found := c.index(b); found {
		c.list = slices.Delete(slices.Clone(c.list), i, i+1)
	}
}

// index returns the position of a board in the list, from 0, or the one it would take. The caller holds mu.
func (c *catalog) index(b *core) (i int, found bool) {
	return slices.BinarySearchFunc(c.list, b, func(x, y *core) int { return strings.Compare(x.state().name, y.state().name) })
}

// stored returns the committed value of a private key, nil for none.
func (c *catalog) stored(key string) (value []byte, err error) {
	err = c.engine.View(nil, func(tx *engine.Tx) (err error) {
		value, _, err = tx.Get(key)
		return err
	})
	return value, err
}
