package boardoracle

import (
	"cmp"
	"context"
	"math"
	"math/big"
	"slices"
	"time"

	"github.com/zrankdb/zrank/board"
)

// Union returns a union of rankings of one board.
func (o *Boards) Union(_ context.Context, spec board.UnionSpec) (board.Ranking, error) {
	r, err := o.unite(spec)
	if err != nil {
		return nil, err
	}
	return r, nil
}

// StoreUnion stores a union of a board under the board's name.
func (o *Boards) StoreUnion(_ context.Context, name string, spec board.UnionSpec) error {
	w, err := o.writable(name)
	if err != nil {
		return err
	}
	r, err := o.unite(spec)
	if err == nil {
		w.union = &storedUnion{r.all, cmp.Or(spec.Combine, board.Sum), w.spec}
	}
	return err
}

// StoredUnion returns the union under a board's name.
func (o *Boards) StoredUnion(ctx context.Context, name string) (board.Ranking, error) {
	if w := o.worlds[name]; w != nil && w.union != nil {
		return ranking{spec: w.spec, info: board.Info{Period: name, Closed: true}, all: w.union.rows}, nil
	}
	return nil, board.ErrNoUnion
}

// unite computes a union: it lists what each source has of each member, and combines the list.
func (o *Boards) unite(spec board.UnionSpec) (r ranking, err error) {
	w, err := o.writable(spec.Sources[0].Board)
	if err != nil {
		return r, err
	}
	if slices.ContainsFunc(w.spec.Columns, func(c board.Column) bool { return c.Absent != "" }) {
		return r, board.ErrAbsent
	}
	b := boardAt{w, o.clock, &o.steps}
	parts := map[string][]unionPart{}
	for _, s := range spec.Sources {
		win := w.spec.Windows[0]
		if s.Window != "" {
			if win, err = b.window(s.Window); err != nil {
				return r, err
			}
		}
		p := periodOf(win, o.clock)
		for n := max(s.Last, 1); n > 0; n-- {
			for member, e := range w.visible(w.windows[win.Name].periods[p.Name].entries) {
				parts[member] = append(parts[member], weighted(e, s.Weights))
			}
			if p.Start.IsZero() {
				break
			}
			p = periodOf(win, p.Start.Add(-time.Second))
		}
	}
	entries := map[string]entry{}
	for member, list := range parts {
		e, ok := w.combine(spec.Combine, list)
		if !ok {
			return r, board.ErrOverflow
		}
		entries[member] = e
	}
	return ranking{spec: w.spec, info: board.Info{Closed: true}, all: w.rows(entries)}, nil
}

// weighted returns what a source has of a member. Its values are whole numbers of any size, or float64 in a column of that kind.
func weighted(e entry, weights []board.Value) unionPart {
	weight := int64(1)
	if len(weights) > 0 {
		weight = units(weights[0])
	}
	part := unionPart{reached: e.reached}
	for _, v := range e.score {
		part.ints = append(part.ints, new(big.Int).Mul(big.NewInt(units(v)), big.NewInt(weight)))
		part.floats = append(part.floats, v.Float()*float64(weight))
	}
	return part
}

// unionPart is what a source has of a member, weighted.
type unionPart struct {
	ints    []*big.Int
	floats  []float64
	reached int64
}

// compare compares the values of a column as numbers.
func (p unionPart) compare(q unionPart, c board.Column, i int) int {
	if c.Kind == board.Float64 {
		return cmp.Compare(p.floats[i], q.floats[i])
	}
	return p.ints[i].Cmp(q.ints[i])
}

// combine combines the parts of a member, and returns false if a value is out of range.
func (w *World) combine(op board.Op, list []unionPart) (e entry, ok bool) {
	if op == board.Best {
		better := func(p, q unionPart) int {
			for i, c := range w.spec.Columns {
				if x := p.compare(q, c, i); x != 0 && c.Order == board.Asc {
					return x
				} else if x != 0 {
					return -x
				}
			}
			return 0
		}
		best := slices.MinFunc(list, better)
		list = slices.DeleteFunc(slices.Clone(list), func(p unionPart) bool { return better(p, best) != 0 })
	}
	e.reached = math.MinInt64
	for i, c := range w.spec.Columns {
		v, reached, ok := w.column(op, list, c, i)
		if !ok {
			return e, false
		}
		e.score, e.reached = append(e.score, v), max(e.reached, reached)
	}
	return e, true
}

// column combines a column of the parts of a member.
func (w *World) column(op board.Op, list []unionPart, c board.Column, i int) (v board.Value, reached int64, ok bool) {
	sum := unionPart{make([]*big.Int, i+1), make([]float64, i+1), 0}
	sum.ints[i] = new(big.Int)
	for k, p := range list {
		if k == 0 {
			sum.floats[i] = p.floats[i]
		} else {
			sum.floats[i] += p.floats[i]
		}
		sum.ints[i].Add(sum.ints[i], p.ints[i])
	}
	late := op == board.Sum || w.spec.Ties == board.LastToReach
	if op != board.Sum {
		sum = slices.MaxFunc(list, func(p, q unionPart) int {
			if op == board.Min {
				return -p.compare(q, c, i)
			}
			return p.compare(q, c, i)
		})
		list = slices.DeleteFunc(slices.Clone(list), func(p unionPart) bool { return p.compare(sum, c, i) != 0 })
	}
	for k, p := range list {
		if k == 0 || late == (p.reached > reached) {
			reached = p.reached
		}
	}
	if c.Kind == board.Float64 {
		return board.Float(sum.floats[i]), reached, !math.IsInf(sum.floats[i], 0)
	}
	return board.Int(sum.ints[i].Int64()), reached, sum.ints[i].IsInt64()
}

// moveInUnion gives the entry of a member in the stored union to another one.
func (w *World) moveInUnion(member, to string) {
	entries := map[string]entry{}
	u := w.union
	if u == nil {
		return
	}
	of := &World{spec: u.spec}
	for _, row := range u.rows {
		e := entry{reached: row.Reached.UnixMicro()}
		for i := range row.Score.Len() {
			e.score = append(e.score, row.Score.At(i))
		}
		entries[row.Member] = e
	}
	from, had := entries[member]
	if !had {
		return
	}
	delete(entries, member)
	if own, has := entries[to]; has {
		if both, ok := of.combine(u.op, []unionPart{weighted(own, nil), weighted(from, nil)}); ok {
			from = both
		} else {
			from = own
		}
	}
	entries[to] = from
	w.union = &storedUnion{of.rows(entries), u.op, u.spec}
}
