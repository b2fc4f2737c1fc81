package zset

import (
	"cmp"
	"slices"
)

// Aggregate says how to combine the scores of a member in several sets, as AGGREGATE of Redis ZUNION and ZINTER.
type Aggregate uint8

const (
	// Sum adds the weighted scores. An infinity and its opposite make 0.
	Sum Aggregate = iota
	// Min takes the lowest weighted score.
	Min
	// Max takes the highest weighted score.
	Max
	// Count adds the weights of the sets that hold the member, whatever its scores.
	Count
)

// Combine says how Union and Inter make scores. The zero value adds them up.
type Combine[S Score] struct {
	Aggregate Aggregate // Sum, and so on
	// Weights has a factor for the scores of each set; nil means 1 for all.
	Weights []S
}

// input is one set of a union or intersection.
type input[S Score] struct {
	set    *ViewOf[S]
	weight S
}

// inputs pairs sets with weights, and sorts them by size, the smallest first. Redis uses this order, and the order changes how sums are
// rounded.
func (c Combine[S]) inputs(sets []*ViewOf[S]) ([]input[S], error) {
	if c.Weights != nil && len(c.Weights) != len(sets) {
		return nil, ErrWeights
	}
	in := make([]input[S], len(sets))
	for i, set := range sets {
		in[i] = input[S]{set, 1}
		if c.Weights != nil {
			in[i].weight = c.Weights[i]
		}
		if isNaN(in[i].weight) {
			return nil, ErrNaN
		}
	}
	slices.SortStableFunc(in, func(a, b input[S]) int { return cmp.Compare(a.set.Len(), b.set.Len()) })
	return in, nil
}

// weighted returns an input's weighted score for a member with this score. It is NaN if one of weight and score is infinite and the
// other is 0.
func (c Combine[S]) weighted(weight, score S) (S, error) {
	if c.Aggregate == Count {
		return weight, nil
	}
	return multiply(weight, score)
}

// join aggregates two weighted scores into one.
func (c Combine[S]) join(a, b S) (S, error) {
	switch c.Aggregate {
	case Min:
		if b < a {
			return b, nil
		}
		return a, nil
	case Max:
		if b > a {
			return b, nil
		}
		return a, nil
	default:
		sum, err := add(a, b)
		if err == ErrNaN {
			return 0, nil
		}
		return sum, err
	}
}

// orZero returns 0 for NaN.
func orZero[S Score](score S) S {
	if isNaN(score) {
		return 0
	}
	return score
}

// Union returns a set of all members of the sets, as Redis ZUNION and ZUNIONSTORE. The result has the given
// options, and every tie is all zero bytes. The result is a listpack if that can hold it. An infinity with weight 0 counts as 0.
// O(N log N) for N entries in all. Errors: ErrWeights, ErrNaN for a weight, ErrOverflow in sets of int64 scores, ErrFull, those of
// Options.Validate.
func Union[S Score](o Options, how Combine[S], sets ...*ViewOf[S]) (*SetOf[S], error) {
	in, err := how.inputs(sets)
	if err != nil {
		return nil, err
	}
	b, err := newBuilder[S](o)
	if err != nil {
		return nil, err
	}
	tie := zeros[:o.TieWidth]
	for _, i := range in {
		var w walk
		for w.ascend(&i.set.core, 0, i.set.Len()); w.next(); {
			key, _, member := w.entry()
			score, err := how.weighted(i.weight, scoreOf[S](key))
			if err != nil {
				return nil, err
			}
			score = orZero(score)
			if h, ok := b.core.find(member); ok {
				old, _ := b.core.record(h)
				if score, err = how.join(scoreOf[S](old), score); err != nil {
					return nil, err
				}
			}
			if err = b.put(keyOf(score), tie, member); err != nil {
				return nil, err
			}
		}
	}
	return b.Set(), nil
}

// Inter returns a set of the members that all sets hold, as Redis ZINTER and ZINTERSTORE. Without sets the result is empty.
// Options, ties and encoding are as for Union. As in Redis, an infinity with weight 0 counts as 0 in the smallest set. In another set
// it makes a Sum 0, and Min and Max ignore it. O(n sets + r log r) for the n entries of the smallest set and r in the result. Errors:
// those of Union.
func Inter[S Score](o Options, how Combine[S], sets ...*ViewOf[S]) (*SetOf[S], error) {
	in, err := how.inputs(sets)
	if err != nil {
		return nil, err
	}
	b, err := newBuilder[S](o)
	if err != nil || len(in) == 0 {
		return b.emptyOr(err)
	}
	var w walk
	for w.ascend(&in[0].set.core, 0, in[0].set.Len()); err == nil && w.next(); {
		key, _, member := w.entry()
		score, all, failed := how.everywhere(in, scoreOf[S](key), member)
		if err = failed; err == nil && all {
			err = b.put(keyOf(score), zeros[:o.TieWidth], member)
		}
	}
	return b.emptyOr(err)
}

// emptyOr returns the built set, or the error.
func (b *BuilderOf[S]) emptyOr(err error) (*SetOf[S], error) {
	if err != nil {
		return nil, err
	}
	return b.Set(), nil
}

// everywhere joins the scores of a member that the first input holds. If another input does not hold the member, all is false and err
// is nil, even if a score is out of range.
func (c Combine[S]) everywhere(in []input[S], first S, member []byte) (score S, all bool, err error) {
	score, err = c.weighted(in[0].weight, first)
	score = orZero(score)
	for _, i := range in[1:] {
		other, ok := i.set.Score(member)
		if !ok {
			return 0, false, nil
		}
		if err == nil {
			other, err = c.weighted(i.weight, other)
		}
		if err == nil {
			score, err = c.join(score, other)
		}
	}
	return score, err == nil, err
}

// InterCard returns the number of members that all sets hold, but at most limit, as Redis ZINTERCARD. 0 means no limit. O(n sets) for
// the n entries of the smallest set.
func InterCard[S Score](limit int, sets ...*ViewOf[S]) int {
	in, err := Combine[S]{Aggregate: Count}.inputs(sets)
	if err != nil || len(in) == 0 {
		return 0
	}
	n := 0
	var w walk
	for w.ascend(&in[0].set.core, 0, in[0].set.Len()); (n == 0 || n != limit) && w.next(); {
		_, _, member := w.entry()
		if !slices.ContainsFunc(in[1:], func(i input[S]) bool { return !i.set.has(member) }) {
			n++
		}
	}
	return n
}

// Diff returns a set of the members of the first set that no other holds, with their scores, as Redis ZDIFF and ZDIFFSTORE.
// Options, ties and encoding are as for Union. O(n sets) for the n entries of the first set. Errors: those of Options.Validate.
func Diff[S Score](o Options, first *ViewOf[S], others ...*ViewOf[S]) (*SetOf[S], error) {
	b, err := newBuilder[S](o)
	if err != nil {
		return nil, err
	}
	var w walk
	for w.ascend(&first.core, 0, first.Len()); err == nil && w.next(); {
		key, _, member := w.entry()
		if !slices.ContainsFunc(others, func(other *ViewOf[S]) bool { return other.has(member) }) {
			err = b.put(key, zeros[:o.TieWidth], member)
		}
	}
	return b.emptyOr(err)
}
