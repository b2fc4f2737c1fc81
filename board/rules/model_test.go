package rules_test

import (
	"cmp"
	"errors"
	"math"
	"math/big"
	"slices"
	"sort"

	"github.com/zrankdb/zrank/board/rules"
)

// number is a value of a column in the model: an int64, the units of a number with decimals, or a float64.
type number struct {
	i        int64
	f        float64
	float    bool
	decimals int
	absent   bool
}

func (n number) value() rules.Value {
	if n.absent {
		return rules.Absent
	}
	if n.decimals > 0 {
		return rules.Decimal(n.i, n.decimals)
	}
	if n.float {
		return rules.Float(n.f)
	}
	return rules.Int(n.i)
}

// submission is a submission that the model has accepted, with its values converted to the columns' kinds.
type submission struct {
	member string
	values []number
	at     int64  // when it happened, in microseconds after 1970
	n      uint64 // its arrival
}

// model is the oracle of the rules. It stores every accepted submission, and computes each result from this list and the package's
// documentation.
type model struct {
	columns []rules.Column // with all defaults filled in, and an operator each
	op      rules.Op
	ties    rules.Ties
	log     map[string][]submission
}

// standing is a member's entry in the model: the score, when it was reached, and the arrival of the submission that last changed it.
type standing struct {
	member  string
	values  []number
	reached int64
	arrival uint64
}

// take returns a submission with its values converted to the columns' kinds, and all its faults: column and reason. It does not log it.
func (m *model) take(member string, values []number, at int64, n uint64) (submission, []rules.ScoreError) {
	sub := submission{member, slices.Clone(values), at, n}
	var faults []rules.ScoreError
	bad := func(column int, reason error) {
		faults = append(faults, rules.ScoreError{Column: column, Reason: reason})
	}
	for i, c := range m.columns {
		switch v := &sub.values[i]; {
		case v.absent:
			if c.Absent == "" {
				bad(i, rules.ErrAbsent)
			}
		case v.float && (math.IsNaN(v.f) || math.IsInf(v.f, 0)):
			bad(i, rules.ErrNotFinite)
		case c.Kind == rules.Int64 && v.decimals != c.Decimals || v.float && c.Decimals > 0:
			if !v.rescale(c.Decimals) {
				bad(i, rules.ErrKind)
			} else if reason := m.outside(member, sub, i); reason != nil {
				bad(i, reason)
			}
		case v.float && c.Kind == rules.Int64 && (v.f != math.Trunc(v.f) || math.Abs(v.f) >= 1<<53):
			bad(i, rules.ErrKind)
		case v.float && c.Kind == rules.Int64:
			*v = number{i: int64(v.f)}
			if reason := m.outside(member, sub, i); reason != nil {
				bad(i, reason)
			}
		case !v.float && c.Kind == rules.Float64:
			exact, _ := new(big.Rat).SetString(v.value().String())
			f, same := exact.Float64()
			if v.decimals == 0 && !same {
				bad(i, rules.ErrKind)
				continue
			}
			*v = number{f: f, float: true}
			fallthrough
		default:
			if reason := m.outside(member, sub, i); reason != nil {
				bad(i, reason)
			}
		}
	}
	return sub, faults
}

// rescale gives a number other decimals, exactly, and returns false if that is not possible.
func (n *number) rescale(decimals int) bool {
	exact, ok := new(big.Rat).SetString(n.value().String())
	if !ok || n.float && decimals == 0 {
		return false
	}
	exact.Mul(exact, new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(decimals)), nil)))
	*n = number{i: exact.Num().Int64(), decimals: decimals}
	return exact.IsInt() && exact.Num().IsInt64()
}

// outside returns the fault of column i of a submission, or nil: the bounds apply to the sum in a Sum column, else to the submitted value.
func (m *model) outside(member string, sub submission, i int) error {
	c, v, ok := m.columns[i], sub.values[i], true
	if reserved(c, v) {
		return rules.ErrBounds
	}
	if c.Op == rules.Sum {
		v, ok = total(append(slices.Clone(m.log[member]), sub), i)
	}
	switch {
	case !ok:
		return rules.ErrOverflow
	case reserved(c, v), c.Min != nil && less(v, bound(*c.Min)), c.Max != nil && less(bound(*c.Max), v):
		return rules.ErrBounds
	}
	return nil
}

// reserved reports whether a value is the one whose place absent values take: the best of all int64, or the worst.
func reserved(c rules.Column, v number) bool {
	best := c.Absent == rules.AbsentFirst
	end := int64(math.MinInt64)
	if best == (c.Order == rules.Desc) {
		end = math.MaxInt64
	}
	return c.Absent != "" && c.Kind == rules.Int64 && v.i == end
}

// present returns the submissions with a value in a column.
func present(subs []submission, column int) []submission {
	return slices.DeleteFunc(slices.Clone(subs), func(s submission) bool { return s.values[column].absent })
}

// bound returns a column's bound as a number of its kind.
func bound(v rules.Value) number {
	if v.IsFloat() {
		return number{f: v.Float(), float: true}
	}
	return number{i: whole(v.Units())}
}

// less compares numbers of one kind.
func less(a, b number) bool {
	if a.float {
		return a.f < b.f
	}
	return a.i < b.i
}

// total returns the sum of one column in the order of arrival, and false if it is out of range.
func total(subs []submission, column int) (number, bool) {
	subs = present(subs, column)
	if !subs[0].values[column].float {
		sum := new(big.Int)
		for _, s := range subs {
			sum.Add(sum, big.NewInt(s.values[column].i))
		}
		return number{i: sum.Int64(), decimals: subs[0].values[column].decimals}, sum.IsInt64()
	}
	sum := subs[0].values[column].f
	for _, s := range subs[1:] {
		sum += s.values[column].f
	}
	return number{f: sum, float: true}, !math.IsInf(sum, 0)
}

// better reports whether the score a is better than b: by the first column in which they differ.
func (m *model) better(a, b []number) bool {
	for i, c := range m.columns {
		if a[i].absent != b[i].absent {
			return a[i].absent == (c.Absent == rules.AbsentFirst)
		}
		if a[i].absent || !less(a[i], b[i]) && !less(b[i], a[i]) {
			continue
		}
		return less(b[i], a[i]) == (c.Order == rules.Desc)
	}
	return false
}

// equal reports whether no column differs.
func (m *model) equal(a, b []number) bool { return !m.better(a, b) && !m.better(b, a) }

// newest and oldest return the submission that happened last, and of those the one that arrived last; or the other way round.
func newest(subs []submission) submission {
	return slices.MaxFunc(subs, func(a, b submission) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.n, b.n)) })
}

func oldest(subs []submission) submission {
	return slices.MinFunc(subs, func(a, b submission) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.n, b.n)) })
}

// score computes the score that a list of submissions results in.
func (m *model) score(subs []submission) []number {
	switch m.op {
	case rules.First:
		return oldest(subs).values
	case rules.Last:
		return newest(subs).values
	case rules.Best:
		best := subs[0].values
		for _, s := range subs {
			if m.better(s.values, best) {
				best = s.values
			}
		}
		return best
	}
	score := make([]number, len(m.columns))
	for i, c := range m.columns {
		subs := present(subs, i)
		if len(subs) == 0 {
			score[i] = number{absent: true}
			continue
		}
		score[i] = subs[0].values[i]
		for _, s := range subs {
			v := s.values[i]
			if c.Op == rules.Max && less(score[i], v) || c.Op == rules.Min && less(v, score[i]) {
				score[i] = v
			}
		}
		switch c.Op {
		case rules.Last:
			score[i] = newest(subs).values[i]
		case rules.First:
			score[i] = oldest(subs).values[i]
		case rules.Sum:
			score[i], _ = total(subs, i)
		}
	}
	return score
}

// alone reports whether the last of the submissions by itself results in a score: it has all its values, and is the newest where that counts.
func (m *model) alone(subs []submission, score []number) bool {
	s := subs[len(subs)-1]
	has := func(op rules.Op) bool {
		return slices.ContainsFunc(m.columns, func(c rules.Column) bool { return c.Op == op })
	}
	switch {
	case len(subs) == 1:
		return true
	case has(rules.Sum), !m.equal(score, s.values), m.op == rules.Last && newest(subs).n != s.n:
		return false
	}
	for i, c := range m.columns {
		if c.Op == rules.Last && !s.values[i].absent && newest(present(subs, i)).n != s.n {
			return false
		}
	}
	return m.op != rules.First || oldest(subs).n == s.n
}

// stand computes a member's standing from its submissions. A score is reached when the latest of the submissions that it comes from happened.
// These submissions are the makers: the list of those that changed the score, restarted by each submission that alone results in it.
func (m *model) stand(member string) standing {
	subs := m.log[member]
	var makers []submission
	var arrival uint64
	var was []number
	for k, s := range subs {
		score := m.score(subs[:k+1])
		alone := m.alone(subs[:k+1], score)
		switch {
		case k == 0 || !m.equal(score, was):
			if alone {
				makers = nil
			}
			makers, arrival = append(makers, s), s.n
		case alone && m.ties == rules.FirstToReach && s.at < latest(makers): // it makes the score older: R1
			makers, arrival = []submission{s}, s.n
		}
		was = score
	}
	if m.ties == rules.ByMember {
		return standing{member: member, values: was}
	}
	return standing{member, was, latest(makers), arrival}
}

func latest(subs []submission) int64 {
	return slices.MaxFunc(subs, func(a, b submission) int { return cmp.Compare(a.at, b.at) }).at
}

// sorted returns standings in the order of the ranking.
func (m *model) sorted(places []standing) []standing {
	places = slices.Clone(places)
	sort.SliceStable(places, func(i, j int) bool {
		a, b := places[i], places[j]
		switch {
		case m.better(a.values, b.values):
			return true
		case m.better(b.values, a.values):
			return false
		case a.reached != b.reached:
			return (a.reached < b.reached) == (m.ties == rules.FirstToReach)
		case a.arrival != b.arrival:
			return (a.arrival < b.arrival) == (m.ties == rules.FirstToReach)
		}
		return a.member < b.member
	})
	return places
}

// entry converts the standing to an Entry.
func (s standing) entry() rules.Entry {
	values := make([]rules.Value, len(s.values))
	for i, v := range s.values {
		values[i] = v.value()
	}
	return rules.Entry{Score: rules.Values(values...), Reached: s.reached, Arrival: s.arrival}
}

// explains reports whether an error names one of the faults.
func explains(faults []rules.ScoreError, err error) bool {
	var got *rules.ScoreError
	return errors.As(err, &got) && slices.ContainsFunc(faults, func(f rules.ScoreError) bool {
		return f.Column == got.Column && errors.Is(err, f.Reason)
	})
}

// whole returns the units of a value that has some.
func whole(units int64, ok bool) int64 {
	if !ok {
		panic("the value has no units")
	}
	return units
}
