package specs

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/window"
	"github.com/zrankdb/zrank/cmd/zrank/internal/events"
	"github.com/zrankdb/zrank/cmd/zrank/internal/flags"
)

// Flags has the flags that describe the boards of a replay.
type Flags struct {
	file, board, op, order, ties, grace string
	windows, columns                    []string

	read *Specs // from the file
}

// inFile are the flags that a spec file replaces.
var inFile = []string{"board", "window", "column", "op", "order", "ties", "grace"}

// Add adds the flags to a command.
func (f *Flags) Add(c *cobra.Command) {
	fs := c.Flags()
	fs.StringVar(&f.file, "spec", "", "file with the boards' specs as JSON, in place of the flags from --board to --grace")
	fs.StringVar(&f.board, "board", "main", "board of the events of files without a column of boards")
	fs.StringSliceVar(&f.windows, "window", []string{"all"}, "windows of the boards: all, hour, day, week, month, year or every-3h, each also with more of [name=]week[-sunday][@Asia/Shanghai][+grace][#keep]")
	fs.StringArrayVar(&f.columns, "column", nil, "a column of the scores, the first decides: name[:int64|float64][:desc|asc][:op] (default: one column, score)")
	fs.StringVar(&f.op, "op", "", "best, last, first, sum, min or max (default: sum for a delta column, else last)")
	fs.StringVar(&f.order, "order", "desc", "which scores are better, the high or the low: desc or asc")
	fs.StringVar(&f.ties, "ties", "first", "who stands first at equal scores: first to reach it, last to reach it, or member name")
	fs.StringVar(&f.grace, "grace", "forever", "how long after its end a period takes late rows, in windows that do not say it: 0s, 90m, forever (until zrank close)")
}

// Resolve returns the specs that the flags describe, for input of one kind. Errors: wrong flags, and those of ReadFile.
func (f *Flags) Resolve(c *cobra.Command, kind events.Kind) (Specs, error) {
	if f.file == "" {
		spec, err := f.spec(kind)
		if err != nil {
			return Specs{}, flags.Wrong(err)
		}
		s, err := newSpecs([]board.Spec{spec}, true)
		if err != nil {
			return s, flags.Wrong(err)
		}
		s.Named = len(f.columns) > 0
		return s, nil
	}
	for _, name := range inFile {
		if c.Flags().Changed(name) {
			return Specs{}, flags.Errorf("--%s and --spec: the spec file says it", name)
		}
	}
	if f.read != nil {
		return *f.read, nil
	}
	all, array, err := ReadFile(f.file)
	if err != nil {
		return Specs{}, err
	}
	s, err := newSpecs(all, !array)
	if err != nil {
		return s, fmt.Errorf("%s: %w", f.file, err)
	}
	f.read = &s
	return s, nil
}

// spec returns the spec that the flags other than --spec describe.
func (f *Flags) spec(kind events.Kind) (board.Spec, error) {
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
		if w.Grace == 0 && w.Ends() {
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

// parseColumn parses a --column.
func parseColumn(text string) (c board.Column, err error) {
	parts := strings.Split(text, ":")
	c.Name = parts[0]
	for _, part := range parts[1:] {
		switch {
		case slices.Contains([]board.ColumnKind{board.Int64, board.Float64}, board.ColumnKind(part)) && c.Kind == "":
			c.Kind = board.ColumnKind(part)
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
