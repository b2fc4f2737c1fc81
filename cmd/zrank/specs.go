package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/cmd/zrank/internal/events"
	"github.com/zrankdb/zrank/engine/board"
	"github.com/zrankdb/zrank/engine/board/window"
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

// readSpecs reads a spec file: one spec, or an array of them.
func readSpecs(path string) (all []board.Spec, array bool, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, false, err
	}
	parts := []json.RawMessage{text}
	if text = bytes.TrimLeft(text, " \t\r\n"); bytes.HasPrefix(text, []byte("[")) {
		array = true
		if err := json.Unmarshal(text, &parts); err != nil {
			return nil, false, fmt.Errorf("%s: %w", path, err)
		}
		if len(parts) == 0 {
			return nil, false, fmt.Errorf("%s: has no spec", path)
		}
	}
	for i, part := range parts {
		spec, err := board.ReadSpec(bytes.NewReader(part))
		if err == nil && slices.ContainsFunc(all, func(s board.Spec) bool { return s.Name == spec.Name }) {
			err = fmt.Errorf("board %q is there twice", spec.Name)
		}
		if err != nil && array {
			err = fmt.Errorf("spec %d: %w", i+1, err)
		}
		if err != nil {
			return nil, false, fmt.Errorf("%s: %w", path, err)
		}
		all = append(all, spec)
	}
	return all, array, nil
}

// specFlags are the flags that make the spec of all boards of a replay.
type specFlags struct {
	file, board, op, order, ties, grace string
	windows, columns                    []string

	read *specs // from the file
}

// inFile are the flags whose meaning a spec file has.
var inFile = []string{"board", "window", "column", "op", "order", "ties", "grace"}

func (f *specFlags) add(c *cobra.Command) {
	fs := c.Flags()
	fs.StringVar(&f.file, "spec", "", "file with the boards' specs as JSON, in the place of the flags from --board to --grace")
	fs.StringVar(&f.board, "board", "main", "board of the events of files without a column of boards")
	fs.StringSliceVar(&f.windows, "window", []string{"all"}, "windows of the boards: all, hour, day, week, month, year or every-3h, each also with more of [name=]week[-sunday][@Asia/Shanghai][+grace][#keep]")
	fs.StringArrayVar(&f.columns, "column", nil, "a column of the scores, the first decides: name[:int64|float64][:desc|asc][:op] (default: one column, score)")
	fs.StringVar(&f.op, "op", "", "best, last, first, sum, min or max (default: sum for a delta column, else last)")
	fs.StringVar(&f.order, "order", "desc", "which scores are better, the high or the low: desc or asc")
	fs.StringVar(&f.ties, "ties", "first", "who stands first at equal scores: first to reach it, last to reach it, or member name")
	fs.StringVar(&f.grace, "grace", "forever", "how long after its end a period takes late rows, in windows that do not say it: 0s, 90m, forever (until zrank close)")
}

// resolve returns what the flags say, for input of one kind.
func (f *specFlags) resolve(c *cobra.Command, kind events.Kind) (specs, error) {
	if f.file == "" {
		spec, err := f.spec(kind)
		if err != nil {
			return specs{}, usageError{err}
		}
		s, err := newSpecs([]board.Spec{spec}, true)
		if err != nil {
			return s, usageError{err}
		}
		s.named = len(f.columns) > 0
		return s, nil
	}
	for _, name := range inFile {
		if c.Flags().Changed(name) {
			return specs{}, usagef("--%s and --spec: the spec file says it", name)
		}
	}
	if f.read != nil {
		return *f.read, nil
	}
	all, array, err := readSpecs(f.file)
	if err != nil {
		return specs{}, err
	}
	s, err := newSpecs(all, !array)
	if err != nil {
		return s, fmt.Errorf("%s: %w", f.file, err)
	}
	f.read = &s
	return s, nil
}

// spec returns the spec that the flags other than --spec make.
func (f *specFlags) spec(kind events.Kind) (board.Spec, error) {
	s := board.Spec{Name: f.board, Op: board.Op(f.op), Ties: board.Ties(f.ties)}
	if f.op == "" {
		s.Op = board.Last
		if kind == events.Delta {
			s.Op = board.Sum
		}
	}
	var grace window.Duration
	if err := grace.UnmarshalText([]byte(f.grace)); err != nil {
		return s, fmt.Errorf("--grace: %w", err)
	}
	for _, text := range f.windows {
		w, err := window.ParseShort(strings.TrimSpace(text))
		if err != nil {
			return s, err
		}
		if w.Grace == 0 && w.Kind != window.All {
			w.Grace = grace
		}
		s.Windows = append(s.Windows, w)
	}
	for _, text := range f.columns {
		c, err := parseColumn(text)
		if err != nil {
			return s, err
		}
		s.Columns = append(s.Columns, c)
	}
	if len(s.Columns) == 0 {
		s.Columns = []board.Column{{Name: events.Single, Order: board.Order(f.order)}}
	} else if board.Order(f.order) != board.Desc {
		return s, fmt.Errorf("--order and --column: say it in --column, as in time:asc")
	}
	return s, s.Validate()
}

// parseColumn reads a --column.
func parseColumn(text string) (c board.Column, err error) {
	parts := strings.Split(text, ":")
	c.Name = parts[0]
	for _, part := range parts[1:] {
		switch {
		case slices.Contains([]board.Kind{board.Int64, board.Float64}, board.Kind(part)) && c.Kind == "":
			c.Kind = board.Kind(part)
		case slices.Contains([]board.Order{board.Asc, board.Desc}, board.Order(part)) && c.Order == "":
			c.Order = board.Order(part)
		case slices.Contains([]board.Op{board.Best, board.Last, board.First, board.Sum, board.Min, board.Max}, board.Op(part)) && c.Op == "":
			c.Op = board.Op(part)
		default:
			return c, fmt.Errorf("--column is %q: want name[:int64|float64][:desc|asc][:op], not %q", text, part)
		}
	}
	return c, nil
}
