package board

import (
	"fmt"
	"slices"
	"strings"

	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/board/window"
)

const (
	// membersColumn is the last column of a derived board: the number of members that have a score.
	membersColumn = "members"
	averageColumn = "average"
	totalColumn   = "total"
	// averageDecimals is how many decimals an average has more than the column that it is of.
	averageDecimals = 3
)

// Complete returns a valid spec of a derived board with the columns and windows that it has from its source, a stored spec. Error: ErrSpec, for what the
// source or its rules make impossible.
func (s Spec) Complete(source Spec) (complete Spec, err error) {
	bad := func(format string, args ...any) error {
		return fmt.Errorf("%w %.64q: derived: "+format, append([]any{ErrSpec, s.Name}, args...)...)
	}
	source, s.Derived = source.WithDefaults(), s.WithDefaults().Derived
	columns, reason := s.Derived.columns(source)
	if reason != "" {
		return s, bad("%s", reason)
	}
	own := Spec{Columns: columns}.WithDefaults()
	if len(s.Columns) > 0 && (Spec{Columns: s.Columns}).WithDefaults().Differences(own) != nil {
		return s, bad("columns are those of the groups of %q, want none here", source.Name)
	}
	if s.Op != "" && s.Op != rules.Best {
		return s, bad("op is %s, want none: derived.op says how scores are computed", s.Op)
	}
	s.Columns, s.Op = own.Columns, own.Op
	if s.Windows, err = s.followed(source, bad); err != nil {
		return s, err
	}
	return s, s.Validate()
}

// followed returns the windows of a derived board: those that it names, or all of the source,
// rolling ones only if it can have them. Each may have another Keep.
func (s Spec) followed(source Spec, bad func(format string, args ...any) error) (windows []window.Window, err error) {
	canRoll := s.Derived.Points == Follow && s.Top == nil && s.Parts <= 1 && s.PartMembers == 0
	if len(s.Windows) == 0 {
		for _, w := range source.Windows {
			if w.Kind != window.Rolling || canRoll {
				windows = append(windows, w)
			}
		}
		if len(windows) == 0 {
			return nil, bad("all windows of %q are rolling, which this board cannot have", source.Name)
		}
		return windows, nil
	}
	for _, w := range s.Windows {
		i := slices.IndexFunc(source.Windows, func(of window.Window) bool { return of.Name == w.Label() })
		if i < 0 {
			return nil, bad("window %q is none of %q", w.Label(), source.Name)
		}
		of := source.Windows[i]
		keep := w.Keep
		if w.Name, w.Keep = w.Label(), of.Keep; w.Differences(of) != nil {
			return nil, bad("window %q is not that of %q: %s", w.Name, source.Name, strings.Join(w.Differences(of), "; "))
		}
		of.Keep = keep
		windows = append(windows, of)
	}
	return windows, nil
}

// columns returns the columns of a board of groups, or why there are none.
func (d *Derived) columns(source Spec) (columns []rules.Column, reason string) {
	for i, c := range source.Columns {
		if (d.Op == GroupAverage || source.Derived != nil) && i > 0 || d.Op == GroupCount { // of groups of groups only the first column
			break
		}
		if d.Op != GroupBest && (c.Kind == rules.Float64 || c.Absent != "") {
			return nil, fmt.Sprintf("column %q of %q cannot be added up exactly: op %s wants columns of int64 that are never absent", c.Name, source.Name, d.Op)
		}
		of := rules.Column{Name: c.Name, Kind: c.Kind, Decimals: c.Decimals, Order: c.Order}
		if d.Op == GroupBest {
			of.Absent = c.Absent
		}
		columns = append(columns, of)
	}
	members := rules.Column{Name: membersColumn}
	if d.Op != GroupAverage {
		columns = append(columns, members)
	} else {
		first := columns[0]
		average := first
		average.Name, average.Decimals = averageColumn, min(first.Decimals+averageDecimals, rules.MaxDecimals)
		first.Name = totalColumn
		columns = []rules.Column{average, members, first}
	}
	if len(columns) > rules.MaxColumns {
		return nil, fmt.Sprintf("%q has %d columns, and a board of groups has one more: at most %d", source.Name, len(source.Columns), rules.MaxColumns)
	}
	return columns, ""
}
