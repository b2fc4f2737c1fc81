package board

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/zrankdb/zrank/board/rules"
)

// UnionError says what is at fault in a union, in Err: one of its sources, by its index, Board and Window, or, with Source -1, the score of a
// Member, which does not fit in the result. Column is the name of the column at fault, "" if the fault is none of a column.
type UnionError struct {
	Source int    `json:"source"`                // from 0; -1: the fault is in the result
	Board  string `json:"board,omitempty"`       // of the source
	Window string `json:"window,omitempty"`      // of the source
	Member string `json:"member,text,omitempty"` // whose score cannot be expressed; "": none
	Column string `json:"column,omitempty"`      // the column; "": the fault is none of a column
	Err    error  `json:"-"`                     // what is wrong
}

// Error says what and where.
func (e *UnionError) Error() string {
	text := "union"
	if e.Source >= 0 {
		text += fmt.Sprintf(": source %d, %q", e.Source, e.Board)
		if e.Window != "" {
			text += ", window " + e.Window
		}
	}
	if e.Member != "" {
		text += fmt.Sprintf(": member %q", e.Member)
	}
	if e.Column != "" {
		text += fmt.Sprintf(": column %q", e.Column)
	}
	return fmt.Sprintf("%s: %v", text, e.Err)
}

// Unwrap returns Err.
func (e *UnionError) Unwrap() error { return e.Err }

// UnionSpec says which rankings a union takes, and how it combines a member's scores in them.
//
// Its JSON is that of the files that zrank union reads.
type UnionSpec struct {
	// Sources are the rankings, at least one. Their boards have the same number of columns, of the same kinds and orders; decimals, operators,
	// ties and names may differ.
	Sources []UnionSource `json:"sources"`
	// Combine says how the scores of a member are combined: Sum, the default, adds them up; Min and Max take the lower or higher value of each
	// column, whatever its order; Best takes the best score as a whole.
	Combine rules.Op `json:"combine,omitempty"`
	// Columns are the columns' own operators, Sum, Min or Max; "" stands for Combine. None with Best.
	Columns []rules.Op `json:"columns,omitempty"`
}

// Validate returns one error that wraps ErrUnion and names every impossible field, or nil. What depends on the boards is found by Union.
func (s UnionSpec) Validate() error {
	var problems []error
	bad := func(format string, args ...any) {
		problems = append(problems, fmt.Errorf("%w: "+format, append([]any{ErrUnion}, args...)...))
	}
	if len(s.Sources) == 0 {
		bad("there are no sources")
	}
	switch s.Combine {
	case "", rules.Sum, rules.Min, rules.Max, rules.Best:
	default:
		bad("combine is %q, want one of sum, min, max, best", s.Combine)
	}
	for i, op := range s.Columns {
		switch op {
		case "", rules.Sum, rules.Min, rules.Max:
		default:
			bad("columns[%d] is %q, want one of sum, min, max", i, op)
		}
	}
	if s.Combine == rules.Best && len(s.Columns) > 0 {
		bad("columns are set, and best takes whole scores")
	}
	for i, source := range s.Sources {
		source.validate(func(format string, args ...any) { bad("sources[%d]: "+format, append([]any{i}, args...)...) })
	}
	return errors.Join(problems...)
}

// UnionSource is one ranking, or several periods of a window. At most one of Period, Last, From and Baseline is set; with none of them it is the
// live period.
//
// Of several periods, those without members, or that are not kept any more, count as empty.
type UnionSource struct {
	Board  string `json:"board"`            // the board's name
	Window string `json:"window,omitempty"` // "": the board's first window
	// Period is the name of a period. There must be such a ranking.
	Period string `json:"period,omitempty"`
	// Last is a number of periods: the live one and those before it. Periods without members, or that are not kept any more, are empty.
	Last int `json:"last,omitempty"`
	// From and To are the names of the first and the last of several periods; without To, the last is the live one.
	From string `json:"from,omitempty"`
	To   string `json:"to,omitempty"` // the names of the first and the last of several periods; without To, the last is the live one
	// Baseline is the name of a baseline of the window.
	Baseline string `json:"baseline,omitempty"`
	// Weights multiply the scores, exactly: one for all columns, or one for each. None is 1. In columns of int64 they may have decimals, and then
	// the result has: 3 times 0.5 is 1.5.
	Weights []rules.Value `json:"weights,omitempty"`
}

func (s UnionSource) validate(bad func(format string, args ...any)) {
	set := 0
	for _, is := range []bool{s.Period != "", s.Last != 0, s.From != "", s.Baseline != ""} {
		if is {
			set++
		}
	}
	if set > 1 {
		bad("more than one of period, last, from and baseline is set")
	}
	if s.To != "" && s.From == "" {
		bad("to is %q, without from", s.To)
	}
	if s.Last < 0 || s.Last > MaxUnionPeriods {
		bad("last is %d, want 0 to %d", s.Last, MaxUnionPeriods)
	}
}

// MaxUnionPeriods is the largest number of rankings that a union takes, each period counted.
const MaxUnionPeriods = 1 << 10

// StoredUnion describes a stored union: its Name; its number of Members; StoredAt, when it was computed, by the engine's clock; its Spec;
// and the Columns of its scores.
type StoredUnion struct {
	Name     string         `json:"name"`     // its name
	Members  int            `json:"members"`  // how many members it ranks
	StoredAt time.Time      `json:"storedAt"` // when the call began that stored it, by the engine's clock
	Spec     UnionSpec      `json:"spec"`     // the rankings that it was made of
	Columns  []rules.Column `json:"columns"`  // of its scores
}

// Unioner ranks members by several rankings together.
type Unioner interface {
	// Union returns a ranking of the members of several rankings, computed now: seven days make a
	// week, three modes one ladder. It does not change, as if it were pinned, and takes as much memory
	// as a ranking of its members.
	Union(ctx context.Context, spec UnionSpec) (Ranking, error)
	// StoreUnion computes a union and stores it under a name, as a closed ranking of its own: it does
	// not change, is read from the disk when it is used, and Check compares its entries with the
	// digest that is stored beside it. Unions are stored one after the other. Errors: those of Union;
	// ErrUnion for a name.
	StoreUnion(ctx context.Context, name string, spec UnionSpec) error
	// StoredUnion returns the ranking of a stored union; Info has its name as the Period, and when it
	// was stored as ClosedAt. If the union is dropped or stored again, calls on the ranking return
	// ErrNoUnion. O(1).
	StoredUnion(ctx context.Context, name string) (Ranking, error)
	// StoredUnions returns the stored unions in the order of their names. O(unions).
	StoredUnions(ctx context.Context) ([]StoredUnion, error)
	// DropUnion deletes a stored union by one commit.
	DropUnion(ctx context.Context, name string) error
}
