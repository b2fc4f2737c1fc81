package groups

import (
	"context"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/engine"
)

// Define returns the kind of groups with a name, and makes it if there is none. Errors: ErrGroups, ErrClosed, those of the engine.
func Define(ctx context.Context, c *catalog.Catalog, kind string) (*Kind, error) {
	if err := board.ValidateGroups(kind); err != nil {
		return nil, err
	}
	if err := c.CheckNotInTx(); err != nil {
		return nil, err
	}
	g, err := c.DefineGroups(ctx, kind, func(*catalog.Groups) error {
		return c.Owner.Update(ctx, nil, func(tx *engine.Tx) error { return tx.Put(boardkey.Groups(kind), nil) })
	})
	if err != nil {
		return nil, err
	}
	return &Kind{c, g}, nil
}

// Of returns a kind of groups by its name. Errors: ErrNoGroups, ErrClosed.
func Of(c *catalog.Catalog, kind string) (*Kind, error) {
	g, err := c.Groups(kind)
	if err != nil {
		return nil, err
	}
	return &Kind{c, g}, nil
}

// Kind is a kind of groups with the boards that it belongs to.
type Kind struct {
	c *catalog.Catalog
	g *catalog.Groups
}

// Name returns the name of the kind.
func (k *Kind) Name() string { return k.g.Name }

// Kinds returns the names of the kinds of groups, in order.
func Kinds(c *catalog.Catalog) []string {
	all := c.Kinds()
	names := make([]string, len(all))
	for i, g := range all {
		names[i] = g.Name
	}
	return names
}
