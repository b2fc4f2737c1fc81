package rules

import (
	"fmt"
	"math"
)

// Apply is the whole rule of a board whose operator keeps no results (see ApplyKept), a pure function. It returns a member's entry after a
// submission, and whether it differs from the old one. had says whether the member has an entry; if not, the submission becomes its entry.
// Otherwise old must be an entry that Apply returned. O(columns). Errors: ErrColumns, a *ScoreError; then next is old.
//
// A score that comes from one submission was reached when that submission happened. A score that comes from several, as a sum does,
// was reached when the latest of them happened, so a late one cannot make it seem older. A submission that leaves the score as it
// is changes nothing, with one exception: with FirstToReach, if the submission alone would result in the same score and happened
// earlier, then Reached becomes its time (R1).
//
// Last and First go by the times of results, which an entry does not tell if a later result has repeated its score: see ApplyTimed. Apply takes
// Reached for the time of the result that counts.
func (r *Rules) Apply(old Entry, had bool, sub Entry) (next Entry, changed bool, err error) {
	if len(r.timed) == 0 {
		return r.apply(old, had, nil, sub)
	}
	var times Times
	r.setTimes(&times, old, nil)
	return r.apply(old, had, &times, sub)
}

// ApplyTimed is Apply for rules with Timed columns. stored are the times of the entry as ApplyTimed has returned them, and after those to store now,
// which may differ although the entry is as it was; empty if the entry tells them. If they are not known, stored is empty. O(columns). Errors: those
// of Apply; then next is old, and after is stored.
func (r *Rules) ApplyTimed(old Entry, had bool, stored []byte, sub Entry) (next Entry, changed bool, after []byte, err error) {
	var times Times
	r.setTimes(&times, old, stored)
	if next, changed, err = r.apply(old, had, &times, sub); err != nil {
		return old, false, stored, err
	}
	return next, changed, r.appendTimes(&times, next), nil
}

// Merge returns the entry of a member that gets the score of another one too, whose entry is also, as a result that happened at a time. stored and after are
// times as of ApplyTimed. Of results that happened at one time each counts as if it had arrived when it did. O(columns). Errors: those of Apply; then next is old,
// and after is stored.
func (r *Rules) Merge(old Entry, stored []byte, also Entry, at int64) (next Entry, after []byte, err error) {
	next, changed, after, err := r.ApplyTimed(old, true, stored, Entry{Score: r.Submitted(also.Score), Reached: at})
	if changed {
		next.Arrival = mergedArrival(next, old, also)
	}
	return next, after, err
}

// mergedArrival returns the arrival of the entry that two have become: of the one that tells when it was reached, of both or none the later one.
func mergedArrival(next, a, b Entry) uint64 {
	switch first, second := next.Reached == a.Reached, next.Reached == b.Reached; {
	case first && !second:
		return a.Arrival
	case second && !first:
		return b.Arrival
	}
	return max(a.Arrival, b.Arrival)
}

// apply is Apply with the times of the results that count, which it changes; nil if the rules do not go by them.
func (r *Rules) apply(old Entry, had bool, times *Times, sub Entry) (next Entry, changed bool, err error) {
	if sub.Score, err = r.Check(sub.Score); err != nil {
		return old, false, err
	}
	at := sub.Reached
	if r.ties == ByMember {
		sub.Reached, sub.Arrival = 0, 0
	}
	next = sub
	switch {
	case !had:
		err = r.inBounds(next.Score)
		for i := range r.timed {
			times[i] = at
		}
	case r.op == Last && at < times[0], r.op == First && at >= times[0], r.op == Best && r.Compare(sub.Score, old.Score) > 0:
		return old, false, nil
	case r.op == Last, r.op == First:
		times[0] = at
	case r.op.byColumn():
		next, err = r.combine(old, sub, times, at)
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

// combine applies the operator of each column to a submission that happened at a time. Error: a *ScoreError.
func (r *Rules) combine(old, sub Entry, times *Times, at int64) (Entry, error) {
	next, alone := sub, true // alone: the submission alone results in the score
	var b builder
	b.grow(len(r.columns))
	timed := 0 // columns so far that go by times
	for i := range r.columns {
		c := &r.columns[i]
		was, submitted := old.Score.At(i), sub.Score.At(i)
		value := submitted
		switch op := or(c.Op, r.op); {
		case c.Of != nil:
		case submitted.IsAbsent():
			value, alone = was, alone && op != Sum
			if op == Last || op == First {
				timed++
			}
		case was.IsAbsent():
			alone = alone && op != Sum
			if op == Last || op == First {
				times[timed] = at
				timed++
			}
		case op == Sum:
			alone = false
			sum, ok := add(was, submitted)
			if !ok {
				return old, c.fault(i, submitted, ErrOverflow)
			}
			value = sum
		case op == Last, op == First:
			t := &times[timed]
			timed++
			if op == Last && at < *t || op == First && at >= *t {
				value = was
				alone = alone && op == First
				break
			}
			*t = at
		case op == Min, op == Max:
			if (compare(was, submitted) < 0) == (op == Min) {
				value = was
			}
		}
		b.add(value)
	}
	next.Score = b.score()
	if err := r.compute(&next.Score); err != nil {
		return old, err
	}
	if !alone || next.Score != sub.Score { // the score comes from more than one submission
		next.Reached = max(old.Reached, sub.Reached)
	}
	return next, r.inBounds(next.Score)
}

// Check returns a submitted score with its values converted to the columns' kinds, or the error of a score that the board refuses.
// It adds the computed columns. It does not check the bounds of columns that are added up, which are bounds of the sum. O(columns). Errors: ErrColumns,
// a *ScoreError.
func (r *Rules) Check(s Score) (Score, error) {
	if s.Len() != r.given {
		return Score{}, fmt.Errorf("%w: %d, want %d", ErrColumns, s.Len(), r.given)
	}
	if r.sums != nil {
		s = r.widen(s)
	}
	for i := range r.columns {
		c := &r.columns[i]
		if c.Of != nil {
			continue
		}
		v, err := c.value(s.At(i))
		if err == nil && (or(c.Op, r.op) != Sum && r.k == 0 && !c.within(v) || c.isReserved(v)) {
			err = ErrBounds
		}
		if err != nil {
			return Score{}, c.fault(i, s.At(i), err)
		}
		if v != s.At(i) {
			s.set(i, v)
		}
	}
	if r.sums == nil {
		return s, nil
	}
	err := r.compute(&s)
	if err == nil && r.k == 0 && !r.op.byColumn() {
		err = r.inBounds(s)
	}
	return s, err
}

// CheckRanked is Check for a score with all columns, as rankings have them, or with those that are submitted.
func (r *Rules) CheckRanked(s Score) (Score, error) {
	if r.sums == nil || s.Len() != len(r.columns) {
		return r.Check(s)
	}
	for i := range r.columns {
		v, err := r.columns[i].value(s.At(i))
		if err != nil {
			return Score{}, r.columns[i].fault(i, s.At(i), err)
		}
		s.set(i, v)
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

// within reports whether a value of the column's kind is within the bounds.
func (c *Column) within(v Value) bool {
	if v.IsAbsent() {
		return true
	}
	return (c.Min == nil || compare(*c.Min, v) <= 0) && (c.Max == nil || compare(v, *c.Max) <= 0) && !c.isReserved(v)
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
