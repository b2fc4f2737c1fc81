package cluster

import (
	"context"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/cluster/internal/layout"
	"github.com/zrankdb/zrank/board/cluster/internal/moving"
	"github.com/zrankdb/zrank/board/cluster/internal/servers"
	"github.com/zrankdb/zrank/board/internal/relocation"
	"github.com/zrankdb/zrank/board/internal/state"
)

// Relocation is for package move.
func (b *Boards) Relocation() (relocation.Store, error) { return moving.NewStore(catalog{b}), nil }

// catalog is the boards as package moving sees them.
type catalog struct{ b *Boards }

func (c catalog) Servers() *servers.Servers { return c.b.servers }

func (c catalog) Key() string { return c.b.catalogKey() }

func (c catalog) New(spec board.Spec) (string, error) {
	s, err := c.b.newStored(spec)
	if err != nil {
		return "", err
	}
	return s.Encode()
}

func (c catalog) Of(name, stored string) (moving.Board, error) {
	s, err := layout.DecodeBoard(name, stored)
	if err != nil {
		return nil, err
	}
	b, err := newBoard(c.b.servers, c.b.o, s)
	return movable{b}, err
}

// movable is a board as package moving sees it.
type movable struct{ b *clusterBoard }

func (m movable) Keys() layout.Keys { return m.b.keys }

func (m movable) State() *state.State { return m.b.st }

func (m movable) Look(ctx context.Context) (periods map[string][]period, to relocation.Destination, left bool, err error) {
	had, field, err := m.b.look(ctx)
	if err != nil {
		return nil, to, false, err
	}
	periods = map[string][]period{}
	for name := range had {
		periods[name] = had.inOrder(name)
	}
	to, left = layout.Destination(field)
	return periods, to, left, nil
}

func (m movable) Clear(ctx context.Context) error { return m.b.clear(ctx) }
