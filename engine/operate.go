package engine

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/zrankdb/zrank/zset"
)

// Set operations across keys. Each shows its inputs as they were at one instant between call and return, and holds up writers
// to them for one page of work at a time, about 64 KiB: small inputs are worked on under their locks; big ones are copied while
// writers go on (see capture), and worked on when nothing is locked. Inter, InterCard and Diff copy the set that bounds their
// result, and look up its members in the others, however big these are.

// operations does set operations.
type operations struct {
	m          *manager
	pageWork   int    // bytes of work that an operation does at a time with sets locked; less in tests
	stageBytes int    // about what one of many commits of a big result has; less in tests
	copied     func() // tests only: is called before each page of a capture
}

func newOperations(m *manager) *operations {
	return &operations{m: m, pageWork: pageWork, stageBytes: stageBytes}
}

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

// interCard is Engine.InterCard.
func (o *operations) interCard(ctx context.Context, limit int, keys []string) (n int, err error) {
	op := inter(zset.Combine[float64]{}, keys)
	op.make = func(in []input) (*zset.IntSet, error) {
		n = zset.InterCard(limit, views(in)...)
		return nil, nil
	}
	_, _, err = o.operate(ctx, op)
	return n, err
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
func (o *operations) operate(ctx context.Context, op *operation) (z *zset.IntSet, was []instant, err error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	lead, done := -1, false
	err = o.m.view(0, op.keys, func(tx *Tx) error {
		in, err := inputs(tx, op.keys)
		if err != nil {
			return err
		}
		if done = op.work(in) <= o.pageWork; done {
			z, was, err = op.result(in)
		} else if op.lead != nil {
			lead = op.lead(in)
		}
		return err
	})
	if err != nil || done {
		return z, was, err
	}
	in, err := o.capture(ctx, op.keys, lead)
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
func inputs(tx *Tx, keys []string) ([]input, error) {
	in := make([]input, len(keys))
	for i, key := range keys {
		h, err := anyHandle(tx, key)
		if err != nil {
			return nil, err
		}
		in[i] = input{IntView: h.view, len: h.view.Len(), seq: h.lastSeq()}
		if h.s.exists {
			in[i].was = instant{h.s, h.s.version, h.s.expires()}
		}
	}
	return in, nil
}

// rangeOf is the operation that takes a range of a set, which ranks tells.
func (o *operations) rangeOf(src string, ranks func(*zset.View) (lo, hi int)) *operation {
	ranks = o.insideOnly(ranks)
	return &operation{
		keys: []string{src},
		work: func(in []input) int {
			lo, hi := ranks(in[0].floats())
			return max(min(hi, in[0].len)-max(lo, 0), 0) * (in[0].Size()/max(in[0].len, 1) + 1)
		},
		make: func(in []input) (*zset.IntSet, error) { return in[0].CopyRange(ranks(in[0].floats())), nil },
	}
}

// copyOf is the operation that takes a whole set, which must exist.
func copyOf(from string) *operation {
	return &operation{
		keys:  []string{from},
		whole: true,
		work:  func(in []input) int { return in[0].Size() },
		make: func(in []input) (*zset.IntSet, error) {
			if in[0].len == 0 {
				return nil, fmt.Errorf("%w: %q", ErrNoSet, from)
			}
			return in[0].Copy(), nil
		},
	}
}

// insideOnly returns a function that runs f as in a closure: it is called with nothing locked too, when src is big.
func (o *operations) insideOnly(f func(*zset.View) (lo, hi int)) func(*zset.View) (lo, hi int) {
	return func(v *zset.View) (lo, hi int) {
		o.m.inside(func() { lo, hi = f(v) })
		return lo, hi
	}
}
