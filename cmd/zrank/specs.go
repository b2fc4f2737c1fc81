package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/zrankdb/zrank/cmd/zrank/internal/events"
	"github.com/zrankdb/zrank/engine/board"
)

// specs say which boards a replay feeds.
type specs struct {
	all     []board.Spec
	pattern bool     // there is one, and boards that are not in it are made like it
	columns []string // of all their scores
	named   bool     // somebody has chosen the names of the columns
}

// newSpecs returns the specs of boards that have scores of the same columns.
func newSpecs(all []board.Spec, pattern bool) (specs, error) {
	s := specs{all: all, pattern: pattern}
	for i, spec := range all {
		names := valueNames(spec)
		if i > 0 && !slices.Equal(names, s.columns) {
			return s, fmt.Errorf("boards %q and %q have other columns: replay each from files of its own", all[0].Name, spec.Name)
		}
		s.columns = names
		s.named = s.named || slices.ContainsFunc(spec.Columns, func(c board.Column) bool { return c.Name != "" })
	}
	return s, events.Options{Columns: s.columns}.Validate()
}

// valueNames returns the names of the columns of a spec that may leave them out.
func valueNames(s board.Spec) []string {
	if len(s.Columns) == 0 {
		return []string{events.Single}
	}
	names := columnNames(s)
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

// of returns the spec of a board, "" being the one of rows that name none.
func (s specs) of(name string) (board.Spec, error) {
	if s.pattern {
		spec := s.all[0]
		spec.Name = name
		return spec, nil
	}
	i := slices.IndexFunc(s.all, func(spec board.Spec) bool { return spec.Name == name })
	if i < 0 {
		return board.Spec{}, fmt.Errorf("%w: %q", errNoSpec, name)
	}
	return s.all[i], nil
}

// defaultBoard is the board of rows that name none: "" if there are several.
func (s specs) defaultBoard() string {
	if len(s.all) > 1 {
		return ""
	}
	return s.all[0].Name
}

// differences returns a text for each difference to the specs of an earlier replay.
func (s specs) differences(was []board.Spec) (diff []string) {
	if s.pattern && len(was) == 1 {
		if s.all[0].Name != was[0].Name {
			diff = append(diff, fmt.Sprintf("board is %q, not %q", was[0].Name, s.all[0].Name))
		}
		return append(diff, s.all[0].Differences(was[0])...)
	}
	for _, spec := range s.all {
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
		if !slices.ContainsFunc(s.all, func(other board.Spec) bool { return other.Name == spec.Name }) {
			diff = append(diff, fmt.Sprintf("board %q is gone", spec.Name))
		}
	}
	return diff
}

// errNoSpec is returned for a board that is in no spec file.
var errNoSpec = errors.New("the spec file has no such board")
