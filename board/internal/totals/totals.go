package totals

import (
	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/board/window"
)

// Totals computes the scores of the groups of one board. It does not change.
type Totals struct {
	Derived board.Derived // defaults filled in
	taken   int           // the number of columns of the members that the groups have, the first ones
	order   *rules.Rules  // of these columns; nil unless the operator goes by the best members
	sums    int           // the number of columns of the members that are added up
	names   []string      // of these columns
	scales  []int         // the decimals of these columns
	average int           // the decimals of an average
	rolling *Totals       // of rolling windows, see In
	clamps  bool          // what is out of range is at that end of the range
}

// New returns the Totals of a board of groups. of is the rules of its members. Errors: those of rules.New.
func New(d board.Derived, of *rules.Rules, own *rules.Rules) (*Totals, error) {
	columns := own.Columns()
	t := &Totals{Derived: d, taken: len(columns) - 1, average: columns[0].Decimals}
	switch d.Op {
	case board.GroupSum, board.GroupBestOf:
		t.sums = t.taken
	case board.GroupAverage:
		t.sums = 1
	}
	if t.ByMember() {
		var err error
		if t.order, err = rules.New(columns[:t.taken], rules.Best, rules.ByMember); err != nil {
			return nil, err
		}
	}
	for _, c := range of.Columns()[:t.sums] {
		t.names, t.scales = append(t.names, c.Name), append(t.scales, c.Decimals)
	}
	rolling := *t
	rolling.clamps = true
	t.rolling = &rolling
	return t, nil
}

// In returns the Totals of a window. In a rolling one a sum or an average that is out of range is
// at that end of the range, because nobody can refuse that a result leaves.
func (t *Totals) In(w window.Window) *Totals {
	if w.Kind == window.Rolling {
		return t.rolling
	}
	return t
}

// ByMember reports whether a change of one member needs the scores of the others: see Of. Otherwise Add and Remove do.
func (t *Totals) ByMember() bool {
	return t.Derived.Op == board.GroupBest || t.Derived.Op == board.GroupBestOf
}

// IsRanked reports whether a group with so many members that have a score is ranked.
func (t *Totals) IsRanked(members int64) bool { return members >= int64(max(t.Derived.Least, 1)) }

// Total is what a group has: the number of its members that have a score and, but for GroupBest and GroupCount, the sums of their columns in units.
type Total struct {
	Members int64
	sums    [plain]wide // of the first columns
	more    []wide      // of the others
}

// plain is the number of sums that a Total has in itself.
const plain = 4

// sum returns the place of the sum of a column of t.
func (x *Total) sum(t *Totals, i int) *wide {
	if i < plain {
		return &x.sums[i]
	}
	if x.more == nil {
		x.more = make([]wide, t.sums-plain)
	}
	return &x.more[i-plain]
}

// unitsOf returns the units of a column, 0 if it has no value.
func unitsOf(s rules.Score, column int) int64 {
	units, _ := s.At(column).Units()
	return units
}

// Add adds the score of a member. It does not count the member.
func (t *Totals) Add(x *Total, s rules.Score) {
	for i := range t.sums {
		sum := x.sum(t, i)
		*sum = sum.plus(widen(unitsOf(s, i)))
	}
}

// Subtract is the inverse of Add.
func (t *Totals) Subtract(x *Total, s rules.Score) {
	for i := range t.sums {
		sum := x.sum(t, i)
		*sum = sum.minus(widen(unitsOf(s, i)))
	}
}

// overflow is the error of a column of a group that is out of range.
func (t *Totals) overflow(column int) error {
	return &rules.ScoreError{Column: column, Name: t.names[column], Reason: rules.ErrOverflow}
}
