package boardoracle

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/window"
)

// The rules of package rules and the calendar of package window, written again: the oracle uses neither package.

// entry is the entry of a member in a period.
type entry struct {
	score   []board.Value
	reached int64 // microseconds after 1970
	arrival int
	meta    string
	times   []int64 // by column, of Last and First: when the result happened that counts; nil if it is not known. An operator of the board has the first
}

// timesOf returns a copy of the times of an entry. Where they are not known the entry's own time counts, and with ByMember the order of arrival.
func (e entry) timesOf(spec board.Spec) []int64 {
	if e.times != nil {
		return slices.Clone(e.times)
	}
	at := e.reached
	if spec.Ties == board.ByMember {
		at = math.MinInt64
	}
	return slices.Repeat([]int64{at}, len(spec.Columns))
}

// compareValues returns a negative number if a is the better value of a column, and a positive one if b is.
func compareValues(c board.Column, a, b board.Value) int {
	if a.IsAbsent() || b.IsAbsent() {
		switch {
		case a == b:
			return 0
		case a.IsAbsent() == (c.Absent == board.AbsentFirst):
			return -1
		}
		return 1
	}
	less := compareNumbers(a, b)
	if c.Order == board.Asc {
		return less
	}
	return -less
}

// compareNumbers compares two values of one kind.
func compareNumbers(a, b board.Value) int {
	if a.IsFloat() {
		return cmp.Compare(a.Float(), b.Float())
	}
	return cmp.Compare(units(a), units(b))
}

// compareScores returns a negative number if a is the better score.
func compareScores(columns []board.Column, a, b []board.Value) int {
	for i, c := range columns {
		if better := compareValues(c, a[i], b[i]); better != 0 {
			return better
		}
	}
	return 0
}

// compareEntries compares two members of a ranking; a negative number says that a is ahead.
func compareEntries(spec board.Spec, entries map[string]entry, a, b string) int {
	x, y := entries[a], entries[b]
	if better := compareScores(spec.Columns, x.score, y.score); better != 0 {
		return better
	}
	earlier := cmp.Compare(x.reached, y.reached)
	if hasArrivals(spec) {
		earlier = cmp.Or(earlier, cmp.Compare(x.arrival, y.arrival))
	}
	switch spec.Ties {
	case board.ByMember:
		return strings.Compare(a, b)
	case board.LastToReach:
		earlier = -earlier
	}
	return cmp.Or(earlier, strings.Compare(a, b))
}

// hasArrivals reports whether a board has an order of arrival: those with Top or in parts have none.
func hasArrivals(spec board.Spec) bool {
	return spec.Top == nil && spec.Parts == 0 && spec.PartMembers == 0
}

// checkScore converts a submitted score to the kinds of the columns, and adds those that are computed. Errors: ErrColumns, ErrAbsent, ErrKind,
// ErrBounds, ErrOverflow.
func checkScore(spec board.Spec, s board.Score) (values []board.Value, err error) {
	given := 0 // columns that are submitted
	for _, c := range spec.Columns {
		if c.Of == nil {
			given++
		}
	}
	if s.Len() != given {
		return nil, board.ErrColumns
	}
	at := -1
	for _, c := range spec.Columns {
		if c.Of != nil {
			values = append(values, board.Int(0))
			continue
		}
		at++
		v := s.At(at)
		switch {
		case v.IsAbsent() && c.Absent == "":
			return nil, board.ErrAbsent
		case v.IsAbsent():
			values = append(values, v)
			continue
		case c.Kind == board.Int64 && v.IsFloat():
			if v, err = whole(v); err != nil {
				return nil, err
			}
		case c.Kind == board.Float64 && !v.IsFloat():
			if f := float64(units(v)); f >= math.MaxInt64 || int64(f) != units(v) {
				return nil, board.ErrKind
			}
			v = board.Float(float64(units(v)))
		}
		if c.Op != board.Sum && spec.K == 0 && !inBounds(c, v) || isReserved(c, v) {
			return nil, board.ErrBounds
		}
		values = append(values, v)
	}
	return values, compute(spec, values)
}

// checkRanked is checkScore for a score that may have the columns that are computed. Such a score has only whole numbers.
func checkRanked(spec board.Spec, s board.Score) (values []board.Value, err error) {
	computed := slices.ContainsFunc(spec.Columns, func(c board.Column) bool { return c.Of != nil })
	if !computed || s.Len() != len(spec.Columns) {
		return checkScore(spec, s)
	}
	values = scoreValues(s)
	for i, c := range spec.Columns {
		switch {
		case values[i].IsAbsent() && c.Absent == "":
			return nil, board.ErrAbsent
		case values[i].IsFloat():
			if values[i], err = whole(values[i]); err != nil {
				return nil, err
			}
		}
	}
	return values, nil
}

// whole returns a float64 as an int64. Error: ErrKind for one that is not whole or not below 2^53.
func whole(v board.Value) (board.Value, error) {
	if f := v.Float(); f != math.Trunc(f) || math.Abs(f) >= 1<<53 {
		return v, board.ErrKind
	}
	return board.Int(int64(v.Float())), nil
}

// units returns a whole number; 0 if it is absent.
func units(v board.Value) int64 {
	n, _ := v.Units()
	return n
}

// scoreValues returns the columns of a score.
func scoreValues(s board.Score) (values []board.Value) {
	for i := range s.Len() {
		values = append(values, s.At(i))
	}
	return values
}

// compute sets the computed columns, of whole numbers. Error: ErrOverflow.
func compute(spec board.Spec, values []board.Value) error {
	for i, c := range spec.Columns {
		if c.Of == nil {
			continue
		}
		var sum big.Int
		for k, of := range spec.Columns {
			if weight, ok := c.Of[of.Name]; ok && !values[k].IsAbsent() {
				sum.Add(&sum, new(big.Int).Mul(big.NewInt(units(weight)), big.NewInt(units(values[k]))))
			}
		}
		if !sum.IsInt64() {
			return board.ErrOverflow
		}
		values[i] = board.Int(sum.Int64())
	}
	return nil
}

// isReserved reports whether a value of int64 stands for Absent: the best of all, or the worst, in a column that may be absent. All these columns
// rank the greatest first.
func isReserved(c board.Column, v board.Value) bool {
	return c.Absent == board.AbsentFirst && v == board.Int(math.MaxInt64) || c.Absent == board.AbsentLast && v == board.Int(math.MinInt64)
}

func inBounds(c board.Column, v board.Value) bool {
	if v.IsAbsent() || isReserved(c, v) {
		return v.IsAbsent()
	}
	return (c.Min == nil || compareNumbers(v, *c.Min) >= 0) && (c.Max == nil || compareNumbers(v, *c.Max) <= 0)
}

// merge returns the entry of a member after a submission, and whether the submission changes it; its times may change though it does not. had is false
// if the member had no entry. at is when the submission happened.
func merge(spec board.Spec, old entry, had bool, sub entry, at int64) (next entry, changed bool, err error) {
	next = entry{slices.Clone(sub.score), sub.reached, sub.arrival, old.meta, slices.Repeat([]int64{at}, len(spec.Columns))}
	times := old.timesOf(spec)
	switch {
	case had && (spec.Op == board.First && at >= times[0] || spec.Op == board.Last && at < times[0]):
		return old, false, nil
	case had && spec.Op == board.Best && compareScores(spec.Columns, sub.score, old.score) > 0:
		return old, false, nil
	case had && spec.Op != board.Best && spec.Op != board.Last && spec.Op != board.First:
		alone := true // the score is that of the submission, in all columns
		for i, c := range spec.Columns {
			if c.Of != nil {
				continue
			}
			if sub.score[i].IsAbsent() || old.score[i].IsAbsent() {
				if alone = alone && c.Op != board.Sum; sub.score[i].IsAbsent() {
					next.score[i], next.times[i] = old.score[i], times[i]
					alone = alone && old.score[i].IsAbsent()
				}
				continue
			}
			late := c.Op == board.Last && at < times[i]
			if late || c.Op == board.First && at >= times[i] {
				next.score[i], next.times[i] = old.score[i], times[i]
			} else if next.score[i], err = mergeValue(c.Op, old.score[i], sub.score[i]); err != nil {
				return old, false, err
			}
			alone = alone && c.Op != board.Sum && !late && next.score[i] == sub.score[i]
		}
		if err := compute(spec, next.score); err != nil {
			return old, false, err
		}
		if !alone {
			next.reached = max(old.reached, sub.reached)
		}
	}
	for i, c := range spec.Columns {
		if !inBounds(c, next.score[i]) {
			return old, false, board.ErrBounds
		}
	}
	if had && slices.Equal(next.score, old.score) && (spec.Ties != board.FirstToReach || next.reached >= old.reached) {
		old.times = next.times
		return old, false, nil
	}
	return next, true, nil
}

// mergeValue is merge for one column.
func mergeValue(op board.Op, old, sub board.Value) (board.Value, error) {
	switch op {
	case board.Min:
		if compareNumbers(old, sub) < 0 {
			return old, nil
		}
	case board.Max:
		if compareNumbers(old, sub) > 0 {
			return old, nil
		}
	case board.Sum:
		return add(old, sub)
	}
	return sub, nil
}

func add(a, b board.Value) (board.Value, error) {
	if a.IsFloat() {
		sum := a.Float() + b.Float()
		if math.IsInf(sum, 0) {
			return a, board.ErrOverflow
		}
		return board.Float(sum), nil
	}
	sum := units(a) + units(b)
	if (units(b) > 0) != (sum > units(a)) && units(b) != 0 {
		return a, board.ErrOverflow
	}
	return board.Int(sum), nil
}

// periodOf returns the period of a window that contains a time. Hour and Every periods start at multiples of their
// length since 1970, in UTC.
func periodOf(w board.Window, t time.Time) board.Period {
	zone, err := time.LoadLocation(cmp.Or(w.TimeZone, "UTC"))
	if err != nil {
		panic(err) // the machine has no time zone data
	}
	there := t.In(zone)
	// days returns the period of n days that began back days before the day of t.
	days := func(back, n int, layout string) board.Period {
		y, m, d := there.Date()
		start := time.Date(y, m, d-back, 0, 0, 0, 0, zone)
		return board.Period{Name: start.Format(layout), Start: start, End: time.Date(y, m, d-back+n, 0, 0, 0, 0, zone)}
	}
	length := time.Hour
	switch w.Kind {
	case window.All, window.Rolling:
		return board.Period{Name: "all"}
	case window.Day:
		return days(0, 1, time.DateOnly)
	case window.Week:
		if w.Start == window.Sunday {
			return days(int(there.Weekday()), 7, time.DateOnly)
		}
		p := days((int(there.Weekday())+6)%7, 7, "")
		year, number := p.Start.ISOWeek()
		p.Name = fmt.Sprintf("%d-W%02d", year, number)
		return p
	case window.Every:
		length = time.Duration(w.Every)
	}
	seconds := int64(length / time.Second)
	start := time.Unix(t.Unix()-((t.Unix()%seconds)+seconds)%seconds, 0).UTC() // rounded down, also before 1970
	p := board.Period{Name: start.Format(time.RFC3339), Start: start, End: start.Add(length)}
	if w.Kind == window.Hour {
		p.Name = start.Format("2006-01-02T15")
	}
	return p
}
