package cluster

import (
	"context"

	"github.com/zrankdb/zrank/engine/board/cluster/internal/moving"
	"github.com/zrankdb/zrank/engine/board/cluster/internal/servers"
	"github.com/zrankdb/zrank/engine/board/internal/relocation"
	"github.com/zrankdb/zrank/engine/board/internal/specs"
	"github.com/zrankdb/zrank/engine/board/internal/state"
)

// Relocation is for package move.
func (b *Boards) Relocation() (relocation.Store, error) { return moving.NewStore(catalog{b}), nil }

// catalog is the boards as package moving sees them.
type catalog struct{ b *Boards }

func (c catalog) Servers() *servers.Servers { return c.b.servers }

func (c catalog) Key() string { return c.b.catalogKey() }

func (c catalog) New(spec specs.Spec) (string, error) {
	s, err := c.b.newStored(spec)
	if err != nil {
		return "", err
	}
	return s.encode()
}

func (c catalog) Of(name, stored string) (moving.Board, error) {
	s, err := decodeBoard(name, stored)
	if err != nil {
		return nil, err
	}
	b, err := newBoard(c.b.servers, c.b.o, s)
	return movable{b}, err
}

// movable is a board as package moving sees it.
type movable struct{ b *Board }

func (m movable) ID() string { return m.b.id }

func (m movable) State() *state.State { return m.b.st }

func (m movable) Partitions() int { return m.b.partitions() }

func (m movable) PartitionOf(member string) int {
	return partitionOf([]byte(member), m.b.partitions())
}

func (m movable) Keys(k int) moving.Keys { return partitionKeys{m.b.keys, k} }

func (m movable) Encode(e *relocation.Entry) (stored, text string) {
	v := value{score: e.Score, tie: e.Tie, kept: e.Kept, meta: e.Meta, hasMember: true, hidden: e.Hidden}
	return v.encode(), v.text([]byte(e.Member))
}

func (m movable) Decode(member, stored string) (e relocation.Entry, err error) {
	v, err := decodeValue(stored, m.b.st.Rules.TieWidth())
	return relocation.Entry{Member: member, Score: v.score, Tie: v.tie, Kept: v.kept, Meta: v.meta, Hidden: v.hidden}, err
}

func (m movable) Look(ctx context.Context) (periods map[string][]period, to relocation.Destination, left bool, err error) {
	had, field, err := m.b.look(ctx)
	if err != nil {
		return nil, to, false, err
	}
	periods = map[string][]period{}
	for name := range had {
		periods[name] = had.inOrder(name)
	}
	to, left = destinationOf(field)
	return periods, to, left, nil
}

func (m movable) Clear(ctx context.Context) error { return m.b.clear(ctx) }

// partitionKeys makes the keys of a partition.
type partitionKeys struct {
	layout
	k int
}

func (p partitionKeys) Fence() string { return p.fence(p.k) }

func (p partitionKeys) Once() string { return p.once(p.k) }

func (p partitionKeys) Changed() string { return p.changed(p.k) }

func (p partitionKeys) Records() string { return p.records() }

func (p partitionKeys) Ranking(window, period string) string { return p.ranking(p.k, window, period) }

func (p partitionKeys) Values(window, period string) string { return p.values(p.k, window, period) }

func (p partitionKeys) Standings() string { return p.standings(p.k) }

func (p partitionKeys) Audit() string { return p.audit(p.k) }
