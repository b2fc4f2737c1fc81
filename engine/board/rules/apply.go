package rules

import (
	"cmp"
	"fmt"
	"math"
)

// Entry is what a board knows of a member. Of a submission, it is the result, when it happened, and its place in the order of
// arrival.
type Entry struct {
	Score   Score
	Reached int64  // microseconds after 1970; 0 with the tie rule ByMember
	Arrival uint64 // rises with every change to the ranking; 0 with the tie rule ByMember
}

// Apply is the whole rule of a board, a pure function: what becomes of an entry when a submission meets it, and whether anything
// does. had is false for a member without an entry, whom every submission gives one. The old entry must be one that Apply made.
// O(columns). Errors: ErrColumns, a *ScoreError; then next is old.
//
// A score that one submission made was reached when that happened. One that several made, as sums are, was reached when the
// latest of them happened, so a late one cannot make it seem older. A submission that leaves the score as it is changes nothing,
// but for one case: with FirstToReach, if it would have made the very score alone and happened earlier, then the score counts
// from then on (R1). With the operator First nothing changes an entry.
func (r *Rules) Apply(old Entry, had bool, sub Entry) (next Entry, changed bool, err error) {
	if sub.Score, err = r.Check(sub.Score); err != nil {
		return old, false, err
	}
	if r.ties == ByMember {
		sub.Reached, sub.Arrival = 0, 0
	}
	next = sub
	switch {
	case !had:
		err = r.inBounds(next.Score)
	case r.op == First, r.op == Best && r.Compare(sub.Score, old.Score) > 0:
		return old, false, nil
	case r.op.byColumn():
		next, err = r.combine(old, sub)
	}
	if err != nil {
		return old, false, err
	}
	older := r.ties == FirstToReach && next.Reached < old.Reached
	if had && next.Score == old.Score && !older {
		return old, false, nil
	}
	return next, true, nil
}

// combine applies operators of columns. Error: a *ScoreError.
func (r *Rules) combine(old, sub Entry) (Entry, error) {
	next, sums := sub, false
	for i := range r.columns {
		c := &r.columns[i]
		was, is := old.Score.At(i), sub.Score.At(i)
		value := is
		switch op := or(c.Op, r.op); op {
		case Sum:
			sums = true
			sum, ok := add(was, is)
			if !ok {
				return old, c.fault(i, is, ErrOverflow)
			}
			value = sum
		case First:
			value = was
		case Min, Max:
			if (compare(was, is) < 0) == (op == Min) {
				value = was
			}
		}
		next.Score.set(i, value)
	}
	if sums || next.Score != sub.Score { // more than one submission has made it
		next.Reached = max(old.Reached, sub.Reached)
	}
	return next, r.inBounds(next.Score)
}

// Check returns a submitted score with values of the columns' kinds, if the board takes it. Bounds of columns that add up are
// those of the sum, and not looked at. O(columns). Errors: ErrColumns, a *ScoreError.
func (r *Rules) Check(s Score) (Score, error) {
	if s.Len() != len(r.columns) {
		return Score{}, fmt.Errorf("%w: %d, want %d", ErrColumns, s.Len(), len(r.columns))
	}
	for i := range r.columns {
		c := &r.columns[i]
		v, err := c.value(s.At(i))
		if err == nil && or(c.Op, r.op) != Sum && !c.within(v) {
			err = ErrBounds
		}
		if err != nil {
			return Score{}, c.fault(i, s.At(i), err)
		}
		s.set(i, v)
	}
	return s, nil
}

// inBounds returns the error of a score that an entry may not have.
func (r *Rules) inBounds(s Score) error {
	for i := range r.columns {
		if c := &r.columns[i]; !c.within(s.At(i)) {
			return c.fault(i, s.At(i), ErrBounds)
		}
	}
	return nil
}

// fault returns the error of a value in column i.
func (c *Column) fault(i int, v Value, reason error) error {
	e := &ScoreError{Column: i, Name: c.Name, Value: v, Reason: reason}
	if reason == ErrBounds {
		e.Min, e.Max = c.Min.copy(), c.Max.copy()
	}
	return e
}

// within reports whether a value of the column's kind is within the bounds.
func (c *Column) within(v Value) bool {
	return (c.Min == nil || compare(*c.Min, v) <= 0) && (c.Max == nil || compare(v, *c.Max) <= 0)
}

// value returns a value as one of the column's kind. Errors: ErrKind, ErrNotFinite.
func (c *Column) value(v Value) (Value, error) {
	switch {
	case v.float && (math.IsNaN(v.Float()) || math.IsInf(v.Float(), 0)):
		return v, ErrNotFinite
	case c.Kind == Int64 && v.float:
		return v, ErrKind
	case c.Kind == Float64 && !v.float:
		f := float64(int64(v.bits))
		if f >= math.MaxInt64 || int64(f) != int64(v.bits) {
			return v, ErrKind
		}
		return Float(f), nil
	}
	return v, nil
}

// add returns the sum of two values of one kind, and false if it is out of range.
func add(a, b Value) (Value, bool) {
	if a.float {
		sum := a.Float() + b.Float()
		return Float(sum), !math.IsInf(sum, 0)
	}
	x, y := int64(a.bits), int64(b.bits)
	sum := x + y
	return Int(sum), (sum > x) == (y > 0) || y == 0
}

// compare compares two values of one kind as numbers.
func compare(a, b Value) int {
	if a.float {
		return cmp.Compare(a.Float(), b.Float())
	}
	return cmp.Compare(int64(a.bits), int64(b.bits))
}

// Compare returns a negative number if a is the better score, a positive one if b is, and 0 if they are equal. Both must have
// passed Check. O(columns).
func (r *Rules) Compare(a, b Score) int {
	for i := range r.columns {
		c := compare(a.At(i), b.At(i))
		if r.columns[i].Order == Desc {
			c = -c
		}
		if c != 0 {
			return c
		}
	}
	return 0
}
