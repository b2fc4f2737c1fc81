package periods

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/ranking"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/zset"
)

// Union returns the ranking of a union, computed now: see Boards.Union.
func Union(ctx context.Context, c *catalog.Catalog, spec board.UnionSpec) (board.Ranking, error) {
	p, set, err := compute(ctx, c, &spec)
	if err != nil {
		return nil, err
	}
	return ranking.NewPinned(set, nil, p.layout.rules, p.id(&spec), board.Info{Closed: true}), nil
}

// id returns what identifies the ranking in cursors: the spec, and the versions of the boards. So a cursor of a union is one of the same union computed
// again.
func (p *plan) id(spec *board.UnionSpec) string {
	text, err := json.Marshal(spec)
	if err != nil { // a weight that is not finite: newPlan refuses it
		return ""
	}
	for _, st := range p.states {
		text = strconv.AppendInt(append(text, ' '), int64(st.Version), 10)
	}
	return string(text)
}

// tries is the number of times that a union begins again because a board was migrated or a period was deleted meanwhile.
const tries = 3

// compute computes a union.
func compute(ctx context.Context, c *catalog.Catalog, spec *board.UnionSpec) (p *plan, set *zset.IntSet, err error) {
	if err := c.CheckNotInTx(); err != nil {
		return nil, nil, err
	}
	for range tries {
		if p, err = newPlan(ctx, c, spec); err != nil {
			return nil, nil, err
		}
		if set, err = p.compute(ctx, c); err != state.ErrAgain {
			return p, set, err
		}
	}
	return nil, nil, fmt.Errorf("%w: or a period of it is deleted or moderated, while it is united", board.ErrMigrating)
}

// moderations returns how often the closed periods of each input's window have been moderated, and whether one is being.
func (p *plan) moderations() (list []uint64, busy bool) {
	for i := range p.inputs {
		if in := &p.inputs[i]; in.closed != nil {
			n := in.t.Moderations()
			list, busy = append(list, n), busy || n&1 != 0
		}
	}
	return list, busy
}

// compute reads and combines the rankings of the plan.
func (p *plan) compute(ctx context.Context, c *catalog.Catalog) (*zset.IntSet, error) {
	before, busy := p.moderations()
	x, err := newCapture(ctx, c, p)
	if err != nil {
		return nil, err
	}
	t := newTally(p.layout, x.largest())
	err = x.read(ctx, func(in *input, e zset.IntEntry) { t.add(in.source, in.st.Rules, e) })
	if after, _ := p.moderations(); err == nil && (busy || !slices.Equal(before, after)) {
		err = state.ErrAgain
	}
	if err != nil {
		return nil, err
	}
	b, err := state.FormOf(p.layout.rules).Builder()
	if err != nil {
		return nil, err
	}
	return t.set(b)
}
