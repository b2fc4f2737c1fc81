package catalog

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/relocation"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
)

// A board that leaves has a private key that says where it goes, and whether it has left. It stays in the engine until it is dropped, and
// refuses all calls. Boards that have left are in the catalog and not in its list, so background work does not meet them.

const (
	leaving = "leaving"
	hasLeft = "left"
)

// setGone makes all calls on the board return an error.
func (b *Board) setGone(err error) { b.gone.Store(&err) }

// Leave stores that the board leaves, and whether it has left; Refuse then makes it refuse all calls. The caller has frozen the board, unless it refuses them already.
// stored may be true despite an error: see engine.ErrStalled. Errors: those of the engine.
func (b *Board) Leave(ctx context.Context, to relocation.Destination, complete bool) (stored bool, err error) {
	name, word := b.State().Name, leaving
	if complete {
		word = hasLeft
	}
	value := []byte(strings.Join([]string{word, to.ID, to.Address}, " "))
	err = b.Owner().Update(ctx, nil, func(tx *engine.Tx) error { return tx.Put(boardkey.Relocated(name), value) })
	if err == nil {
		err = b.Engine().Barrier(ctx)
	}
	return err == nil || b.env.HasStored(boardkey.Relocated(name), value), err
}

// Refuse makes the board, which leaves or has left, refuse all calls, and takes it out of the list.
func (c *Catalog) Refuse(b *Board, to relocation.Destination, complete bool) {
	b.setGone(&board.RelocatedError{Board: b.State().Name, To: to.Address, Complete: complete})
	c.remove(b)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.boards[b.State().Name] = b
}

// LeavesTo returns where the board goes, and whether it has left; none if it stays. Errors: those of the engine.
func (b *Board) LeavesTo() (to relocation.Destination, complete bool, err error) {
	value, err := b.env.Stored(boardkey.Relocated(b.State().Name))
	if err != nil || value == nil {
		return to, false, err
	}
	to, complete = parseRelocated(value)
	return to, complete, nil
}

func parseRelocated(value []byte) (to relocation.Destination, complete bool) {
	word, rest, _ := strings.Cut(string(value), " ")
	to.ID, to.Address, _ = strings.Cut(rest, " ")
	return to, word == hasLeft
}

// loadRelocated makes the boards that leave, or have left, refuse all calls.
func (c *Catalog) loadRelocated(ctx context.Context) error {
	return ViewKeys(ctx, c.Engine, boardkey.Relocated(""), func(name string, value []byte) error {
		if b := c.boards[name]; b != nil {
			to, complete := parseRelocated(value)
			c.Refuse(b, to, complete)
		}
		return nil
	})
}

// AllThatStay returns the boards that have not left, also those that are about to, in the order of their names. O(boards).
func (c *Catalog) AllThatStay() (list []*Board) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	for _, b := range c.boards {
		gone := b.gone.Load()
		left := new(board.RelocatedError)
		if gone == nil || errors.As(*gone, &left) && !left.Complete {
			list = append(list, b)
		}
	}
	slices.SortFunc(list, func(x, y *Board) int { return strings.Compare(x.State().Name, y.State().Name) })
	return list
}

// Stay makes a board that was about to leave one that takes calls. Errors: those of the engine.
func (c *Catalog) Stay(ctx context.Context, b *Board) error {
	name := b.State().Name
	if err := c.Owner.Update(ctx, nil, func(tx *engine.Tx) error { return tx.Delete(boardkey.Relocated(name)) }); err != nil {
		return err
	}
	if b.gone.Swap(nil) != nil {
		c.add(b)
	}
	return nil
}

// Reserve keeps a name for a board that is being moved here, until release is called. Errors: ErrBoardExists, ErrIncoming, ErrClosed.
func (c *Catalog) Reserve(name string) (release func(), err error) {
	c.defining.Lock()
	defer c.defining.Unlock()
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.retired:
		return nil, board.ErrClosed
	case c.boards[name] != nil:
		return nil, fmt.Errorf("%w: %q", board.ErrBoardExists, name)
	case c.coming[name]:
		return nil, fmt.Errorf("%w: %q", board.ErrIncoming, name)
	}
	c.coming[name] = true
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.coming, name)
	}, nil
}

// isIncoming reports whether a board of a name is being moved here.
func (c *Catalog) isIncoming(name string) bool {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.coming[name]
}

// Install adds a board whose sets and private keys are stored. The caller has its name reserved.
func (c *Catalog) Install(st *state.State, standings []relocation.Standing) {
	c.add(c.arrived(st, standings))
	c.WakeClosed()
}

// InstallFollower is Install of a derived board. store completes it and stores that it exists, while nothing changes the boards that it follows, and no member joins or leaves. Errors:
// ErrNoBoard, ErrNoGroups, ErrCircle, ErrClosed, ErrSpec if the board cannot follow the other one as that is by now, those of store.
func (c *Catalog) InstallFollower(ctx context.Context, st *state.State, standings []relocation.Standing, store func(*Board) error) error {
	c.defining.Lock()
	defer c.defining.Unlock()
	source, err := c.Lookup(st.Spec.Derived.From)
	if err != nil {
		return err
	}
	groups, err := c.Groups(st.Spec.Derived.Groups)
	if err != nil {
		return err
	}
	defer groups.Hold()()
	defer source.FreezeChain()()
	if err := source.DrainChain(ctx); err != nil {
		return err
	}
	if err := checkFollows(st.Spec, source); err != nil { // a migration may have changed it since the spec was completed
		return err
	}
	b := c.arrived(st, standings)
	if b.following, err = c.follow(st); err != nil {
		return err
	}
	if err := c.Owner.Update(ctx, nil, func(tx *engine.Tx) error { return b.putSince(tx, false) }); err != nil {
		return err
	}
	if err := store(b); err != nil {
		return err
	}
	c.add(b)
	b.link()
	c.WakeClosed()
	return nil
}

// arrived returns a board that has come from elsewhere.
func (c *Catalog) arrived(st *state.State, standings []relocation.Standing) *Board {
	b := newBoard(&c.Env, st)
	for _, x := range standings {
		if x.Hidden {
			b.Hides.set(x.Member, hidden)
		}
		if x.Banned {
			b.Bans.set(x.Member, banned)
		}
	}
	return b
}
