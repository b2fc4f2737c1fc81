package totals

import (
	"math"
	"math/bits"
	"slices"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/rules"
)

// Score returns the score of a group, unless the operator is GroupBest. Error: a *rules.ScoreError,
// for a sum or an average that is out of range, unless the window is rolling.
func (t *Totals) Score(x *Total) (rules.Score, error) {
	var array [plain + 1]rules.Value
	values := array[:0]
	for i := range t.sums {
		units, ok := x.sum(t, i).int64()
		if !ok && !t.clamps {
			return rules.Score{}, t.overflow(i)
		} else if !ok {
			units = x.sum(t, i).end()
		}
		values = append(values, rules.Decimal(units, t.scales[i]))
	}
	members := rules.Int(x.Members)
	if t.Derived.Op != board.GroupAverage {
		return rules.Values(append(values, members)...), nil
	}
	total, _ := values[0].Units()
	average, err := t.averageOf(total, x.Members)
	return rules.Values(average, members, values[0]), err
}

// averageOf returns the average of a group, with halves rounded away from zero.
func (t *Totals) averageOf(total, members int64) (rules.Value, error) {
	size, scale := uint64(total), uint64(1)
	if total < 0 {
		size = -size
	}
	for range t.average - t.scales[0] {
		scale *= 10
	}
	upper, lower := bits.Mul64(size, scale)
	half := wide{upper, lower}.plus(widen(members / 2))
	units := uint64(math.MaxUint64)
	if half.upper < uint64(members) {
		units, _ = bits.Div64(half.upper, half.lower, uint64(members))
	}
	if units > math.MaxInt64 && !t.clamps {
		return rules.Value{}, t.overflow(0)
	} else if units = min(units, math.MaxInt64); total < 0 {
		units = -units
	}
	return rules.Decimal(int64(units), t.average), nil
}

// Plus adds what a group has with a score.
func (t *Totals) Plus(x *Total, s rules.Score) {
	was := t.Total(s)
	for i := range t.sums {
		sum := x.sum(t, i)
		*sum = sum.plus(*was.sum(t, i))
	}
	x.Members += was.Members
}

// Total is the inverse of Score, and of a score of GroupBest it has the number of members.
func (t *Totals) Total(s rules.Score) (x Total) {
	if t.Derived.Op == board.GroupAverage {
		*x.sum(t, 0) = widen(unitsOf(s, 2))
		x.Members = unitsOf(s, 1)
		return x
	}
	for i := range t.sums {
		*x.sum(t, i) = widen(unitsOf(s, i))
	}
	x.Members = unitsOf(s, s.Len()-1)
	return x
}

// IsAtEnd reports whether a sum of a group in a rolling window is at an end of its range, so that
// it may stand for one beyond it.
func (t *Totals) IsAtEnd(s rules.Score) bool {
	x := t.Total(s)
	for i := range t.sums {
		units, _ := x.sum(t, i).int64()
		if t.clamps && units == x.sum(t, i).end() {
			return true
		}
	}
	return false
}

// Tally computes the score of a group from those of all its members that have one.
type Tally struct {
	t    *Totals
	x    Total
	best []rules.Score // of the operators that go by them, best first
}

// Tally returns a Tally without members.
func (t *Totals) Tally() *Tally { return &Tally{t: t} }

// Add adds the score of a member. O(columns), with GroupBestOf O(K).
func (y *Tally) Add(s rules.Score) {
	y.x.Members++
	if !y.t.ByMember() {
		y.t.Add(&y.x, s)
		return
	}
	k := max(y.t.Derived.K, 1)
	i, _ := slices.BinarySearchFunc(y.best, s, y.t.order.Compare)
	if i < k {
		y.best = slices.Insert(y.best, i, s)
		y.best = y.best[:min(len(y.best), k)]
	}
}

// AddPart adds a part of the score of a member, and members to their number: what a member who has left the group has left there, say.
func (y *Tally) AddPart(s rules.Score, members int64) {
	y.t.Add(&y.x, s)
	y.x.Members += members
}

// SubtractPart subtracts a part of the score of a member.
func (y *Tally) SubtractPart(s rules.Score) { y.t.Subtract(&y.x, s) }

// Members returns the number of members.
func (y *Tally) Members() int64 { return y.x.Members }

// Score returns the score of the group, which has a member. Error: that of Totals.Score.
func (y *Tally) Score() (rules.Score, error) {
	if y.t.Derived.Op == board.GroupBest {
		return y.t.WithMembers(y.best[0], y.x.Members), nil
	}
	x := y.x
	if y.t.ByMember() {
		x = Total{Members: x.Members}
		for _, s := range y.best {
			y.t.Add(&x, s)
		}
	}
	return y.t.Score(&x)
}

// WithMembers returns the score of a group of GroupBest.
func (t *Totals) WithMembers(best rules.Score, members int64) rules.Score {
	values := make([]rules.Value, 0, t.taken+1)
	for i := range t.taken {
		values = append(values, best.At(i))
	}
	return rules.Values(append(values, rules.Int(members))...)
}

// Recount returns the score of a group of GroupBest with another number of members.
func (t *Totals) Recount(group rules.Score, members int64) rules.Score {
	values := make([]rules.Value, group.Len())
	for i := range values {
		values[i] = group.At(i)
	}
	values[len(values)-1] = rules.Int(members)
	return rules.Values(values...)
}

// IsBetter reports whether the score of a member is better than, or as good as, that of the best member of a group of GroupBest.
func (t *Totals) IsBetter(s, group rules.Score) bool { return t.order.Compare(s, group) <= 0 }

// Difference returns a - b, of scores of members that are added up. Error: a *rules.ScoreError.
func (t *Totals) Difference(a, b rules.Score) (rules.Score, error) {
	var x Total
	t.Add(&x, a)
	t.Subtract(&x, b)
	return t.part(&x)
}

// Sum returns those columns of two scores that are added up. Error: a *rules.ScoreError.
func (t *Totals) Sum(a, b rules.Score) (rules.Score, error) {
	var x Total
	t.Add(&x, a)
	t.Add(&x, b)
	return t.part(&x)
}

// Counted returns those columns of a member's score that are added up.
func (t *Totals) Counted(s rules.Score) (rules.Score, error) {
	var x Total
	t.Add(&x, s)
	return t.part(&x)
}

// part returns the sums of a Total. Error: a *rules.ScoreError.
func (t *Totals) part(x *Total) (rules.Score, error) {
	values := make([]rules.Value, t.sums)
	for i := range values {
		units, ok := x.sum(t, i).int64()
		if !ok {
			return rules.Score{}, t.overflow(i)
		}
		values[i] = rules.Decimal(units, t.scales[i])
	}
	return rules.Values(values...), nil
}
