package catalog

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/internal/rwlock"
)

// Catalog is the boards of an engine. Its methods may be called from any goroutine.
type Catalog struct {
	Env

	life context.Context // ends when the boards are closed
	end  context.CancelFunc

	defining sync.Mutex // held while boards are made and dropped

	mu      rwlock.Mutex
	boards  map[string]*Board
	list    []*Board // in the order of their names; it is replaced and never written to
	kinds   map[string]*Groups
	coming  map[string]bool // names of boards that are being moved here
	retired bool            // Lookup returns ErrClosed
}

// Opened holds the catalogs of the engines whose boards are open. A second catalog would not know which periods the first one closes.
var Opened sync.Map

// Release lets the boards of the engine be opened again.
func (c *Catalog) Release() { Opened.CompareAndDelete(c.Engine, c) }

// Retire makes Lookup return ErrClosed, and waits for Define and Drop, and for a union that is being stored. It reports whether it is the first call.
func (c *Catalog) Retire() (first bool) {
	c.mu.Lock()
	first, c.retired = !c.retired, true
	c.mu.Unlock()
	if first {
		c.end()
		c.defining.Lock()
		c.defining.Unlock() //nolint:staticcheck // the call waits and needs no more of the lock: later calls find no board
		c.Storing.Lock()
		c.Storing.Unlock() //nolint:staticcheck // as above
	}
	return first
}

// Close waits for calls that are in progress on the boards, and releases the engine. Retire and Stop were called.
func (c *Catalog) Close() {
	for _, b := range c.All() {
		if b.Fence(context.Background()) != nil {
			break // the engine is closed: nothing is in progress
		}
	}
	c.Release()
}

// Lookup returns the board with a name. O(1). Errors: ErrNoBoard, ErrRelocated, ErrClosed.
func (c *Catalog) Lookup(name string) (*Board, error) {
	b, err := c.LookupAny(name)
	if err == nil && b.gone.Load() != nil {
		return nil, *b.gone.Load()
	}
	return b, err
}

// LookupAny is Lookup, also of a board that has left. O(1). Errors: ErrNoBoard, ErrClosed.
func (c *Catalog) LookupAny(name string) (*Board, error) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if c.retired {
		return nil, board.ErrClosed
	}
	b := c.boards[name]
	if b == nil {
		return nil, fmt.Errorf("%w: %q", board.ErrNoBoard, name)
	}
	return b, nil
}

// HoldUnions keeps other goroutines from storing and dropping unions until release is called. Error: ErrClosed; then release is nil.
func (c *Catalog) HoldUnions() (release func(), err error) {
	c.Storing.Lock()
	c.mu.RLock()
	defer c.mu.RUnlock()
	if c.retired {
		c.Storing.Unlock()
		return nil, board.ErrClosed
	}
	return c.Storing.Unlock, nil
}

// All returns the boards in the order of their names, in a slice that callers only read. O(1).
func (c *Catalog) All() []*Board {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.list
}

// Names returns the names of the boards of All. Error: ErrClosed.
func (c *Catalog) Names() ([]string, error) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if c.retired {
		return nil, board.ErrClosed
	}
	names := make([]string, len(c.list))
	for i, b := range c.list {
		names[i] = b.State().Name
	}
	return names, nil
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
