package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/cmd/zrank/internal/datadir"
	"github.com/zrankdb/zrank/cmd/zrank/internal/flags"
	"github.com/zrankdb/zrank/cmd/zrank/internal/show"
	"github.com/zrankdb/zrank/cmd/zrank/internal/target"
	"github.com/zrankdb/zrank/internal/jsontext"
)

// unionFlags has the flags of "zrank union".
type unionFlags struct {
	at            target.Target
	format, ranks string
	n             int
	source        board.UnionSource // of every board
	weights       []string          // of the boards
	combine       string
	file          string // of a spec
	store, stored string // names
	drop          bool
}

func newUnion() *cobra.Command {
	var f unionFlags
	c := &cobra.Command{
		Use:   "union [BOARD...]",
		Short: "Show or store one ranking of several: of periods, of boards, with weights",
		Long: `Show one ranking of several periods or boards, as they are at one instant: by flags, which choose the same periods of every BOARD, or by
--spec, a file with a spec of any union. --store also keeps it under a name, as a closed ranking; --stored shows one that was kept, and with
--drop deletes it.`,
		Example: `  zrank union --dir data --window day --last 7 arena
  zrank union --dir data --weight 1 --weight 0.5 solo duo
  zrank union --dir data --window day --from 2026-11-16 --to 2026-11-22 --store week/47 arena
  zrank union --dir data --stored week/47`,
		RunE: func(c *cobra.Command, args []string) error { return f.run(c, args) },
	}
	f.at.Flags(c)
	flags.Format(c, &f.format)
	flags.Ranks(c, &f.ranks)
	fs := c.Flags()
	fs.IntVarP(&f.n, "number", "n", 10, "how many places")
	fs.StringVar(&f.source.Window, "window", "", "window of the boards, by its name (default: their first)")
	fs.StringVar(&f.source.Period, "period", "", "period of the window: "+target.PeriodHelp+" (default: the live one)")
	fs.IntVar(&f.source.Last, "last", 0, "how many periods, the live one and those before it")
	fs.StringVar(&f.source.From, "from", "", "the first of several periods")
	fs.StringVar(&f.source.To, "to", "", "the last of them (default: the live one)")
	fs.StringVar(&f.source.Baseline, "baseline", "", "a baseline of the window")
	fs.StringArrayVar(&f.weights, "weight", nil, "what the scores of a board are multiplied by: once, or once for each BOARD")
	fs.StringVar(&f.combine, "combine", "sum", "how the scores of a member are combined: sum, min, max or best")
	fs.StringVar(&f.file, "spec", "", "a JSON file with the spec of the union, in place of BOARD")
	fs.StringVar(&f.store, "store", "", "name to store the union under")
	fs.StringVar(&f.stored, "stored", "", "name of a stored union to show, in place of BOARD")
	fs.BoolVar(&f.drop, "drop", false, "delete the union that --stored names")
	return c
}

// run runs the command for some boards.
func (f *unionFlags) run(c *cobra.Command, args []string) error {
	mode, err := flags.ParseRanks(f.ranks)
	if err != nil {
		return err
	}
	format, err := flags.ParseFormat(f.format)
	if err != nil {
		return err
	}
	if err := f.validate(args); err != nil {
		return err
	}
	spec, err := f.spec(args)
	if err != nil {
		return err
	}
	return f.at.Open(func(d target.Boards) error {
		if f.drop {
			return d.DropUnion(c.Context(), f.stored)
		}
		if err := f.namePeriods(c.Context(), d, &spec); err != nil {
			return err
		}
		u, r, err := f.ranking(c.Context(), d, spec)
		if err != nil {
			return err
		}
		r = r.By(mode)
		rows, err := r.Top(c.Context(), f.n)
		if err != nil {
			return err
		}
		return writeUnion(show.New(c.OutOrStdout(), format, show.Layout{Columns: columnNames(u.Columns)}), u, rows)
	})
}

// validate returns an error for flags that contradict each other.
func (f *unionFlags) validate(args []string) error {
	ways := 0
	for _, is := range []bool{len(args) > 0, f.file != "", f.stored != ""} {
		if is {
			ways++
		}
	}
	switch {
	case ways != 1:
		return flags.Errorf("want one of BOARD, --spec and --stored")
	case f.drop && f.stored == "":
		return flags.Errorf("--drop needs --stored")
	case f.store != "" && f.stored != "":
		return flags.Errorf("--store and --stored are both set")
	case f.n < 1:
		return flags.Errorf("-n is %d, want 1 or more", f.n)
	case len(f.weights) > 1 && len(f.weights) != len(args):
		return flags.Errorf("%d times --weight, want once or once for each board", len(f.weights))
	}
	return nil
}

// spec returns the spec of the file, or of the boards and the flags.
func (f *unionFlags) spec(args []string) (spec board.UnionSpec, err error) {
	if f.file != "" {
		text, err := os.ReadFile(f.file)
		if err != nil {
			return spec, err
		}
		if text, err = jsontext.Clean(text); err != nil {
			return spec, fmt.Errorf("%s: %w", f.file, err)
		}
		read := json.NewDecoder(bytes.NewReader(text))
		read.DisallowUnknownFields()
		if err := read.Decode(&spec); err != nil {
			return spec, fmt.Errorf("%s: %w", f.file, err)
		}
		return spec, nil
	}
	spec.Combine = board.Op(f.combine)
	for i, name := range args {
		s := f.source
		s.Board = name
		if len(f.weights) > 0 {
			text := f.weights[min(i, len(f.weights)-1)]
			w, err := rules.ParseValue(text)
			if err != nil {
				return spec, flags.Errorf("--weight is %q, want a number", text)
			}
			s.Weights = []board.Value{w}
		}
		spec.Sources = append(spec.Sources, s)
	}
	return spec, nil
}

// namePeriods puts the names of periods in place of those that flags describe.
func (f *unionFlags) namePeriods(ctx context.Context, d target.Boards, spec *board.UnionSpec) error {
	if f.file != "" {
		return nil
	}
	for i := range spec.Sources {
		s := &spec.Sources[i]
		b, err := d.Board(ctx, s.Board)
		if err != nil {
			return err
		}
		for _, period := range []*string{&s.Period, &s.From, &s.To} {
			if *period, err = target.PeriodName(ctx, b, cmp.Or(s.Window, b.Spec().Windows[0].Name), *period); err != nil {
				return err
			}
		}
	}
	return nil
}

// ranking returns the ranking to show, and its description.
func (f *unionFlags) ranking(ctx context.Context, d target.Boards, spec board.UnionSpec) (u board.StoredUnion, r board.Ranking, err error) {
	name := f.stored
	if f.store != "" {
		name = f.store
		if err := d.StoreUnion(ctx, name, spec); err != nil {
			return u, nil, err
		}
	}
	if name == "" {
		if r, err = d.Union(ctx, spec); err != nil {
			return u, nil, err
		}
		b, err := d.Board(ctx, spec.Sources[0].Board)
		if err != nil {
			return u, nil, err
		}
		return board.StoredUnion{Spec: spec, Columns: b.Spec().Columns}, r, nil
	}
	if r, err = d.StoredUnion(ctx, name); err != nil {
		return u, nil, err
	}
	all, err := d.StoredUnions(ctx)
	for _, u := range all {
		if u.Name == name {
			return u, r, err
		}
	}
	return u, r, err
}

// writeUnion writes rows under the names of the boards.
func writeUnion(w *show.Writer, u board.StoredUnion, rows []board.Row) error {
	var names []string
	for _, s := range u.Spec.Sources {
		if !slices.Contains(names, s.Board) {
			names = append(names, s.Board)
		}
	}
	lines := datadir.Shown(board.Info{}, rows)
	for i := range lines {
		lines[i].Board, lines[i].Window, lines[i].Period = strings.Join(names, "+"), "union", u.Name
	}
	if err := w.Write(show.Title(strings.Join(names, "+"), "union", cmp.Or(u.Name, "union")), columnNames(u.Columns), lines); err != nil {
		return err
	}
	return w.Close()
}

func columnNames(columns []board.Column) []string {
	return datadir.ColumnNames(board.Spec{Columns: columns})
}
