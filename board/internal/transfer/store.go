package transfer

import (
	"context"
	"errors"
	"fmt"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/relocation"
)

// store is the boards of an engine.
type store struct {
	c  *catalog.Catalog
	id string // of the engine's store
}

// NewStore returns the boards of an engine as a place to leave and to come to. Error: that of a closed engine.
func NewStore(c *catalog.Catalog) (relocation.Store, error) {
	id, _, err := c.Owner.LogEnd()
	return store{c, fmt.Sprintf("%016x", id)}, err
}

// Address implements relocation.Store.
func (s store) Address() string { return "engine " + s.id }

// Names implements relocation.Store.
func (s store) Names(context.Context) (names []string, err error) {
	for _, b := range s.c.AllThatStay() {
		names = append(names, b.State().Name)
	}
	return names, s.c.CheckOpen()
}

// Source implements relocation.Store.
func (s store) Source(ctx context.Context, name string) (relocation.Source, error) {
	if err := s.c.CheckNotInTx(); err != nil {
		return nil, err
	}
	b, err := s.c.LookupAny(name)
	if err != nil {
		return nil, err
	}
	return newSource(ctx, s.c, b)
}

// Target implements relocation.Store. A board of the name that has left is deleted.
func (s store) Target(ctx context.Context, spec board.Spec, id string) (relocation.Target, error) {
	if err := s.c.CheckNotInTx(); err != nil {
		return nil, err
	}
	if id != "" && id != s.id {
		return nil, fmt.Errorf("%w: %q, and not to this engine", relocation.ErrLeaving, spec.Name)
	}
	if err := Check(spec); err != nil {
		return nil, err
	}
	b, err := s.c.LookupAny(spec.Name)
	if err != nil && !errors.Is(err, board.ErrNoBoard) {
		return nil, err
	}
	if err == nil {
		_, complete, err := b.LeavesTo()
		if err != nil {
			return nil, err
		}
		if !complete {
			return nil, fmt.Errorf("%w: %q", board.ErrBoardExists, spec.Name)
		}
		if err := s.c.Drop(ctx, spec.Name); err != nil {
			return nil, err
		}
	}
	return newTarget(s.c, spec, s.id)
}

// Has implements relocation.Store.
func (s store) Has(_ context.Context, name, id string) (bool, error) {
	if id != s.id {
		return false, nil
	}
	_, err := s.c.Lookup(name)
	if errors.Is(err, board.ErrNoBoard) || errors.Is(err, board.ErrRelocated) {
		return false, nil
	}
	return err == nil, err
}
