package catalog

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/engine"
)

// NewGroups returns a kind without groups.
func NewGroups(name string) (*Groups, error) {
	k, err := NewMembership(name)
	if err != nil {
		return nil, err
	}
	return &Groups{Membership: k}, nil
}

// Boards returns the derived boards of such groups, sources before their followers, in a slice that callers only read.
func (g *Groups) Boards() []*Board { return listed(&g.boards) }

// Groups returns a kind of groups by its name. Errors: ErrNoGroups, ErrClosed.
func (c *Catalog) Groups(kind string) (*Groups, error) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if c.retired {
		return nil, board.ErrClosed
	}
	if g := c.kinds[kind]; g != nil {
		return g, nil
	}
	return nil, fmt.Errorf("%w: %q", board.ErrNoGroups, kind)
}

// Kinds returns the kinds of groups in the order of their names. O(kinds log kinds).
func (c *Catalog) Kinds() []*Groups {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return slices.SortedFunc(maps.Values(c.kinds), func(a, b *Groups) int { return strings.Compare(a.Name, b.Name) })
}

// DefineGroups returns a kind of groups, and makes it if there is none: store stores it, and may give it groups. Errors: ErrClosed, those of store.
func (c *Catalog) DefineGroups(ctx context.Context, kind string, store func(*Groups) error) (*Groups, error) {
	c.defining.Lock()
	defer c.defining.Unlock()
	if g, err := c.Groups(kind); err == nil || !errors.Is(err, board.ErrNoGroups) {
		return g, err
	}
	g, err := NewGroups(kind)
	if err != nil {
		return nil, err
	}
	if err := c.clearGroups(ctx, kind); err != nil {
		return nil, err
	}
	if err := store(g); err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.kinds[kind] = g
	return g, nil
}

// clearGroups deletes groups and members of a kind that there is not: the making of it was cut off. Members go first, since what is left is found by its groups.
func (c *Catalog) clearGroups(ctx context.Context, kind string) error {
	if err := c.Deleter.DeletePrivate(ctx, boardkey.JoinedPrefix(kind)); err != nil {
		return err
	}
	return c.Deleter.DeletePrivate(ctx, boardkey.GroupPrefix(kind))
}

// loadGroups reads the kinds of groups, the groups and their members. It deletes what a crash has left of kinds that were being made; what it has left of members of groups that are
// gone is forgotten later.
func (c *Catalog) loadGroups(ctx context.Context) error {
	unmade := map[string]bool{}
	err := c.Engine.View(ctx, func(tx *engine.Tx) error {
		for kv, err := range tx.Scan(boardkey.Groups("")) {
			if err != nil {
				return err
			}
			g, err := NewGroups(strings.TrimPrefix(string(kv.Key), boardkey.Groups("")))
			if err != nil {
				return err
			}
			if err := g.load(c, tx); err != nil {
				return err
			}
			c.kinds[g.Name] = g
		}
		for kv, err := range c.Owner.Scan(tx, boardkey.AllGroups) {
			if err != nil {
				return err
			}
			kind, _, _ := strings.Cut(string(kv.Key[len(boardkey.AllGroups):]), "\x00")
			if c.kinds[kind] == nil {
				unmade[kind] = true
			}
		}
		return nil
	})
	for kind := range unmade {
		if err == nil {
			err = c.clearGroups(ctx, kind)
		}
	}
	return err
}

// load reads the groups of a kind and their members.
func (g *Groups) load(c *Catalog, tx *engine.Tx) error {
	last, _, err := tx.Get(boardkey.GroupCount(g.Name))
	if err != nil {
		return err
	}
	if last != nil {
		if len(last) != 8 {
			return fmt.Errorf("board: stored number of groups of %q has %d bytes", g.Name, len(last))
		}
		g.SetLast(int64(binary.BigEndian.Uint64(last)))
	}
	prefix := boardkey.GroupPrefix(g.Name)
	for kv, err := range c.Owner.Scan(tx, prefix) {
		if err != nil {
			return err
		}
		stored, err := DecodeGroup(string(kv.Key[len(prefix):]), kv.Value)
		if err != nil {
			return err
		}
		g.Add(&stored.Group)
	}
	gone := map[int64]bool{}
	prefix = boardkey.JoinedPrefix(g.Name)
	for kv, err := range c.Owner.Scan(tx, prefix) {
		if err != nil {
			return err
		}
		number, err := DecodeJoined(kv.Value)
		if err != nil {
			return fmt.Errorf("%w: stored as %q", err, kv.Key)
		}
		if g.Numbered(number) == nil && !gone[number] {
			gone[number] = true
			g.ForgetLater(&Group{Number: number})
		}
		g.Note(string(kv.Key[len(prefix):]), number)
	}
	g.Stale.Store(true)
	return nil
}
