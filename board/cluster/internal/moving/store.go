package moving

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/redis/go-redis/v9"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/cluster/internal/layout"
	"github.com/zrankdb/zrank/board/cluster/internal/servers"
	"github.com/zrankdb/zrank/board/internal/relocation"
)

// store is the boards of a cluster.
type store struct {
	c Catalog
	v *servers.Servers
}

// NewStore returns the boards of a cluster as a place to leave and to come to.
func NewStore(c Catalog) relocation.Store { return store{c, c.Servers()} }

// Address implements relocation.Store.
func (s store) Address() string { return s.v.Address }

// field returns the value of a field of the catalog, "" if there is none.
func (s store) field(ctx context.Context, field string) (string, error) {
	value, err := s.v.Client.HGet(ctx, s.c.Key(), field).Result()
	if errors.Is(err, redis.Nil) {
		err = nil
	}
	return value, err
}

// Names implements relocation.Store.
func (s store) Names(ctx context.Context) (names []string, err error) {
	fields, err := s.v.Client.HGetAll(ctx, s.c.Key()).Result()
	for name, stored := range fields {
		if !layout.IsBoard(name) {
			continue
		}
		b, err := s.c.Of(name, stored)
		if err != nil {
			return nil, err
		}
		if layout.LeftFor(b.Keys().ID, fields[layout.LeftField(name)]) == "" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, err
}

// Source implements relocation.Store.
func (s store) Source(ctx context.Context, name string) (relocation.Source, error) {
	stored, err := s.field(ctx, name)
	if err != nil {
		return nil, err
	}
	if stored == "" {
		return nil, fmt.Errorf("%w: %q", board.ErrNoBoard, name)
	}
	b, err := s.c.Of(name, stored)
	if err != nil {
		return nil, err
	}
	return newSource(ctx, s.c, b)
}

// Target implements relocation.Store. A board of the name that has left is deleted.
func (s store) Target(ctx context.Context, spec board.Spec, id string) (relocation.Target, error) {
	stored, err := s.c.New(spec)
	if err != nil {
		return nil, err
	}
	if err := s.makeRoom(ctx, spec.Name); err != nil {
		return nil, err
	}
	if id != "" {
		stored, err = s.field(ctx, layout.ComingField(spec.Name))
	} else {
		stored, err = s.begin(ctx, spec.Name, stored)
	}
	if err != nil {
		return nil, err
	}
	if stored == "" {
		return nil, fmt.Errorf("%w: %q, and not to this cluster", relocation.ErrLeaving, spec.Name)
	}
	b, err := s.c.Of(spec.Name, stored)
	if err != nil {
		return nil, err
	}
	if id != "" && b.Keys().ID != id {
		return nil, fmt.Errorf("%w: %q, and another board of the name is coming here", relocation.ErrLeaving, spec.Name)
	}
	if diff := spec.Differences(b.State().Spec); diff != nil { // the source was migrated since
		return nil, fmt.Errorf("%w: %q: a move of it was begun with another spec: %s", board.ErrSpecChanged, spec.Name, strings.Join(diff, "; "))
	}
	return &target{c: s.c, v: s.v, b: b, stored: stored}, nil
}

// begin stores that a board comes, unless an earlier move has, and returns what is stored of it.
func (s store) begin(ctx context.Context, name, stored string) (string, error) {
	if err := s.v.Client.HSetNX(ctx, s.c.Key(), layout.ComingField(name), stored).Err(); err != nil {
		return "", err
	}
	return s.field(ctx, layout.ComingField(name))
}

// makeRoom deletes a board of a name that has left. Error: board.ErrBoardExists for one that has not.
func (s store) makeRoom(ctx context.Context, name string) error {
	stored, err := s.field(ctx, name)
	if err != nil || stored == "" {
		return err
	}
	b, err := s.c.Of(name, stored)
	if err != nil {
		return err
	}
	_, _, left, err := b.Look(ctx)
	if err != nil {
		return err
	}
	if !left {
		return fmt.Errorf("%w: %q", board.ErrBoardExists, name)
	}
	if err := b.Clear(ctx); err != nil {
		return err
	}
	return s.v.Client.HDel(ctx, s.c.Key(), name, layout.LeftField(name)).Err()
}

// Has implements relocation.Store.
func (s store) Has(ctx context.Context, name, id string) (bool, error) {
	stored, err := s.field(ctx, name)
	if err != nil || stored == "" {
		return false, err
	}
	b, err := s.c.Of(name, stored)
	return err == nil && b.Keys().ID == id, err
}
