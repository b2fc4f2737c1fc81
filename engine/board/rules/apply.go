package rules

import (
	"fmt"
	"math"
)

// Entry is a member's score with its times. A submission is an Entry too: its score, when it happened, and its place in the order
// of arrival.
type Entry struct {
	Score   Score
	Reached int64  // microseconds after 1970; 0 with the tie rule ByMember
	Arrival uint64 // rises with every change to the ranking; 0 with the tie rule ByMember
}

// Apply is the whole rule of a board whose operator keeps no results (see ApplyKept), a pure function. It returns a member's entry after a submission, and whether it differs from
// the old one. had says whether the member has an entry; if not, the submission becomes its entry. Otherwise old must be an entry
// that Apply returned. O(columns). Errors: ErrColumns, a *ScoreError; then next is old.
//
// A score that comes from one submission was reached when that submission happened. A score that comes from several, as a sum does,
// was reached when the latest of them happened, so a late one cannot make it seem older. A submission that leaves the score as it
// is changes nothing, with one exception: with FirstToReach, if the submission alone would result in the same score and happened
// earlier, then Reached becomes its time (R1). With the operator First no submission changes an entry.
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

// combine applies the operator of each column. Error: a *ScoreError.
func (r *Rules) combine(old, sub Entry) (Entry, error) {
	next, sums := sub, false
	var b builder
	b.grow(len(r.columns))
	for i := range r.columns {
		c := &r.columns[i]
		was, submitted := old.Score.At(i), sub.Score.At(i)
		value := submitted
		switch op := or(c.Op, r.op); op {
		case Sum:
			sums = true
			sum, ok := add(was, submitted)
			if !ok {
				return old, c.fault(i, submitted, ErrOverflow)
			}
			value = sum
		case First:
			value = was
		case Min, Max:
			if (compare(was, submitted) < 0) == (op == Min) {
				value = was
			}
		}
		b.add(value)
	}
	next.Score = b.score()
	if sums || next.Score != sub.Score { // the score comes from more than one submission
		next.Reached = max(old.Reached, sub.Reached)
	}
	return next, r.inBounds(next.Score)
}

// Check returns a submitted score with its values converted to the columns' kinds, or the error of a score that the board refuses.
// It does not check the bounds of columns that are added up, which are bounds of the sum. O(columns). Errors: ErrColumns, a *ScoreError.
func (r *Rules) Check(s Score) (Score, error) {
	if s.Len() != len(r.columns) {
		return Score{}, fmt.Errorf("%w: %d, want %d", ErrColumns, s.Len(), len(r.columns))
	}
	for i := range r.columns {
		c := &r.columns[i]
		v, err := c.value(s.At(i))
		if err == nil && or(c.Op, r.op) != Sum && r.k == 0 && !c.within(v) {
			err = ErrBounds
		}
		if err != nil {
			return Score{}, c.fault(i, s.At(i), err)
		}
		if v != s.At(i) {
			s.set(i, v)
		}
	}
	return s, nil
}

// inBounds returns an error unless all columns of an entry's score are within their bounds.
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

// add returns the sum of two values of one kind, and false if it is out of range.
func add(a, b Value) (Value, bool) {
	if a.IsFloat() {
		sum := a.Float() + b.Float()
		return Float(sum), !math.IsInf(sum, 0)
	}
	x, y := int64(a.bits), int64(b.bits)
	sum := x + y
	return Value{uint64(sum), a.kind}, (sum > x) == (y > 0) || y == 0
}
