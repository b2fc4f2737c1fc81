package engine

import (
	"cmp"
	"context"
	"slices"

	"github.com/zrankdb/zrank/zset"
)

// Set operations across keys. Each shows its inputs as they were at one instant between call and return, and holds up writers
// to them for one page of work at a time, about 64 KiB: small inputs are worked on under their locks; big ones are copied while
// writers go on (see capture), and worked on when nothing is locked. Inter, InterCard and Diff copy the set that bounds their
// result, and look up its members in the others, however big these are.

// operation is a set operation.
type operation struct {
	keys  []string // of its inputs, as the caller gives them
	whole bool     // the result is the first input, expiry and all
	// lead returns the input that holds whatever the result can hold; nil if there is none such.
	lead func([]input) int
	// work returns what it costs under the locks of the inputs, in bytes.
	work func([]input) int
	// make computes the result.
	make func([]input) (*zset.IntSet, error)
}

// Union returns a set of all members of the sets with these keys, as Redis ZUNION: see zset.Union. It shows them as they were
// at one instant. It is the caller's own, has no ties, and is not counted by Options.MemoryLimit; nor are the copies that are made
// for it. In a transaction use zset.Union, on the Views of its sets.
//
// Writers to the sets wait for about 64 KiB of work at a time. One case is the exception: if they have changed more members than
// that, 8 times in a row, while those changed before were read, they wait for what is left then. ctx ends the copying of big
// sets; the union of the copies is not interrupted. O(N log N) for N entries in all. Errors: those of zset.Union, that of ctx,
// ErrClosed, ErrCorrupt if a set cannot be read.
func (e *Engine) Union(ctx context.Context, how zset.Combine[float64], keys ...string) (*zset.Set, error) {
	z, _, err := e.operate(ctx, union(how, keys))
	return zset.As[float64](z), err
}

// Inter returns a set of the members that all sets with these keys hold, as Redis ZINTER: see zset.Inter. It is the caller's
// own, and has no ties. Writers to a set wait no longer than for Union. O(n keys + r log r) for n entries of the smallest set and r in
// the result. Errors: those of Union.
func (e *Engine) Inter(ctx context.Context, how zset.Combine[float64], keys ...string) (*zset.Set, error) {
	z, _, err := e.operate(ctx, inter(how, keys))
	return zset.As[float64](z), err
}

// InterCard returns how many members all sets with these keys hold, counting no further than limit, as Redis ZINTERCARD; a
// limit of 0 means none. Writers to a set wait no longer than for Union. O(n keys) for n entries of the smallest set. Errors: that
// of ctx, ErrClosed, ErrCorrupt if a set cannot be read.
func (e *Engine) InterCard(ctx context.Context, limit int, keys ...string) (n int, err error) {
	op := inter(zset.Combine[float64]{}, keys)
	op.make = func(in []input) (*zset.IntSet, error) {
		n = zset.InterCard(limit, views(in)...)
		return nil, nil
	}
	_, _, err = e.operate(ctx, op)
	return n, err
}

// Diff returns a set of the members of the first set that no other holds, as Redis ZDIFF: see zset.Diff. It is the caller's
// own, and has no ties. Writers to a set wait no longer than for Union. O(n keys + n log n) for n entries of the first set. Errors:
// those of InterCard.
func (e *Engine) Diff(ctx context.Context, first string, others ...string) (*zset.Set, error) {
	z, _, err := e.operate(ctx, diff(first, others))
	return zset.As[float64](z), err
}

func union(how zset.Combine[float64], keys []string) *operation {
	return &operation{
		keys: keys,
		work: func(in []input) (work int) {
			for _, i := range in {
				work += i.Size()
			}
			return work
		},
		make: func(in []input) (*zset.IntSet, error) {
			return raw(zset.Union(zset.Options{}, how, views(in)...))
		},
	}
}

func inter(how zset.Combine[float64], keys []string) *operation {
	return &operation{
		keys: keys,
		lead: smallest,
		work: func(in []input) int { return lookUps(in, smallest(in)) },
		make: func(in []input) (*zset.IntSet, error) { return raw(interOf(how, in)) },
	}
}

func diff(first string, others []string) *operation {
	return &operation{
		keys: append([]string{first}, others...),
		lead: func([]input) int { return 0 },
		work: func(in []input) int { return lookUps(in, 0) },
		make: func(in []input) (*zset.IntSet, error) {
			sets := views(in)
			return raw(zset.Diff(zset.Options{}, sets[0], sets[1:]...))
		},
	}
}

// smallest returns the input with fewest members, -1 if there is none.
func smallest(in []input) int {
	least := -1
	for i := range in {
		if least < 0 || in[i].len < in[least].len {
			least = i
		}
	}
	return least
}

// lookUps returns what it costs to look all members of one input up in the others.
func lookUps(in []input, lead int) int {
	if lead < 0 {
		return 0
	}
	return in[lead].Size() + in[lead].len*memberWork*(len(in)-1)
}

// views returns the inputs, which have float64 scores.
func views(in []input) []*zset.View {
	list := make([]*zset.View, len(in))
	for i := range in {
		list[i] = in[i].floats()
	}
	return list
}

// floats returns the input as one of float64 scores.
func (i input) floats() *zset.View { return (*zset.View)(i.IntView) }

// raw is zset.As for a result.
func raw(z *zset.Set, err error) (*zset.IntSet, error) { return zset.As[int64](z), err }

// interOf is zset.Inter of inputs of which only a part may be there. It goes through them in the order of their whole sizes,
// which shows where sums are rounded: parts with the members that all have, and no others, are of equal size, and stay in order.
func interOf(how zset.Combine[float64], in []input) (*zset.Set, error) {
	if !slices.ContainsFunc(in, func(i input) bool { return i.len != i.Len() }) || how.Weights != nil && len(how.Weights) != len(in) {
		return zset.Inter(zset.Options{}, how, views(in)...)
	}
	order := make([]int, len(in))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(in[x].len, in[y].len) })
	all, err := zset.Inter(zset.Options{}, zset.Combine[float64]{Aggregate: zset.Count}, views(in)...)
	if err != nil {
		return nil, err
	}
	sets, weights := make([]*zset.View, len(in)), how.Weights
	how.Weights = nil
	for i, from := range order {
		if sets[i], err = restricted(in[from].floats(), all.View()); err != nil {
			return nil, err
		}
		if weights != nil {
			how.Weights = append(how.Weights, weights[from])
		}
	}
	return zset.Inter(zset.Options{}, how, sets...)
}

// restricted returns a set of those members of a set that another holds.
func restricted(v, to *zset.View) (*zset.View, error) {
	b, err := zset.NewBuilder(zset.Options{})
	if err != nil {
		return nil, err
	}
	for member := range to.Range(0, to.Len()) {
		if score, ok := v.Score(member); ok {
			if err := b.Add(member, score); err != nil {
				return nil, err
			}
		}
	}
	return b.Set().View(), nil
}

// operate does a set operation. The instants are those of its inputs.
func (e *Engine) operate(ctx context.Context, op *operation) (z *zset.IntSet, was []instant, err error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	lead, done := -1, false
	err = e.View(op.keys, func(tx *Tx) error {
		in, err := tx.inputs(op.keys)
		if err != nil {
			return err
		}
		if done = op.work(in) <= e.pageWork; done {
			z, was, err = op.result(in)
		} else if op.lead != nil {
			lead = op.lead(in)
		}
		return err
	})
	if err != nil || done {
		return z, was, err
	}
	in, err := e.capture(ctx, op.keys, lead)
	if err != nil {
		return nil, nil, err
	}
	return op.result(in)
}

// result computes the result and returns the instants of its inputs.
func (op *operation) result(in []input) (z *zset.IntSet, was []instant, err error) {
	for i, x := range in {
		if x.Integers() && !op.whole {
			return nil, nil, kindError(op.keys[i], true)
		}
		was = append(was, x.was)
	}
	z, err = op.make(in)
	return z, was, err
}

// inputs returns the sets of a transaction, as they are.
func (tx *Tx) inputs(keys []string) ([]input, error) {
	in := make([]input, len(keys))
	for i, key := range keys {
		h, err := tx.any(key)
		if err != nil {
			return nil, err
		}
		in[i] = input{IntView: h.view, len: h.view.Len(), seq: h.LastSeq()}
		if h.s.exists {
			in[i].was = instant{h.s, h.Version(), h.s.expires()}
		}
	}
	return in, nil
}
