package specs

import (
	"errors"
	"fmt"
	"slices"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/cmd/zrank/internal/datadir"
	"github.com/zrankdb/zrank/cmd/zrank/internal/events"
)

// Specs are the boards that a replay feeds.
type Specs struct {
	All     []board.Spec // those whose boards take rows
	derived []board.Spec
	pattern bool     // there is one spec, for boards of any name
	Columns []string // the columns of all scores, without computed ones
	Absent  []string // those of Columns that a board may be without
	Named   bool     // a flag or a file names the columns
}

// newSpecs returns specs. All boards that take rows must have the same columns.
func newSpecs(all []board.Spec, pattern bool) (Specs, error) {
	s := Specs{pattern: pattern}
	for _, spec := range all {
		if spec.Derived != nil {
			s.derived = append(s.derived, spec)
		} else {
			s.All = append(s.All, spec)
		}
	}
	if len(s.All) == 0 {
		return s, fmt.Errorf("board %q is derived, and takes no rows: list the board that it follows too", all[0].Name)
	}
	for i, spec := range s.All {
		names := valueNames(spec)
		if i > 0 && !slices.Equal(names, s.Columns) {
			return s, fmt.Errorf("boards %q and %q have other columns: replay each from files of its own", s.All[0].Name, spec.Name)
		}
		s.Columns = names
		s.Absent = append(s.Absent, absentNames(spec, names)...)
		s.Named = s.Named || slices.ContainsFunc(spec.Columns, func(c board.Column) bool { return c.Name != "" })
	}
	return s, events.Options{Columns: s.Columns}.Validate()
}

// given returns the columns of a spec that rows have: all but computed ones.
func given(s board.Spec) []board.Column {
	return slices.DeleteFunc(slices.Clone(s.Columns), func(c board.Column) bool { return c.Of != nil })
}

// valueNames returns the names of the given columns of a spec, with defaults for those without a name.
func valueNames(s board.Spec) []string {
	if len(s.Columns) == 0 {
		return []string{events.Single}
	}
	names := datadir.ColumnNames(board.Spec{Columns: given(s)})
	for i, name := range names {
		if name == "" {
			names[i] = events.Single
			if i > 0 {
				names[i] += fmt.Sprint(i + 1)
			}
		}
	}
	return names
}

// absentNames returns those of names, the valueNames of a spec, that its board may be without.
func absentNames(s board.Spec, names []string) (absent []string) {
	for i, c := range given(s) {
		if c.Absent != "" {
			absent = append(absent, names[i])
		}
	}
	return absent
}

// Of returns the spec of a board; "" is the board of rows that name none. Errors: ErrNoBoard.
func (s Specs) Of(name string) (board.Spec, error) {
	if s.pattern {
		spec := s.All[0]
		spec.Name = name
		return spec, nil
	}
	i := slices.IndexFunc(s.All, func(spec board.Spec) bool { return spec.Name == name })
	if i < 0 {
		return board.Spec{}, fmt.Errorf("%w: %q", ErrNoBoard, name)
	}
	return s.All[i], nil
}

// DefaultBoard returns the board of rows that name none: "" if there are several boards.
func (s Specs) DefaultBoard() string {
	if len(s.All) > 1 {
		return ""
	}
	return s.All[0].Name
}

// Differences describes each difference to the specs of an earlier replay.
func (s Specs) Differences(was []board.Spec) (diff []string) {
	if s.pattern && len(was) == 1 {
		if s.All[0].Name != was[0].Name {
			diff = append(diff, fmt.Sprintf("board is %q, not %q", was[0].Name, s.All[0].Name))
		}
		return append(diff, s.All[0].Differences(was[0])...)
	}
	for _, spec := range s.All {
		i := slices.IndexFunc(was, func(w board.Spec) bool { return w.Name == spec.Name })
		if i < 0 {
			diff = append(diff, fmt.Sprintf("board %q is new", spec.Name))
			continue
		}
		for _, text := range spec.Differences(was[i]) {
			diff = append(diff, fmt.Sprintf("board %q: %s", spec.Name, text))
		}
	}
	for _, spec := range was {
		if !slices.ContainsFunc(s.All, func(other board.Spec) bool { return other.Name == spec.Name }) {
			diff = append(diff, fmt.Sprintf("board %q is gone", spec.Name))
		}
	}
	return diff
}

// ErrNoBoard is returned for a board that is in no spec file.
var ErrNoBoard = errors.New("the spec file has no such board")
