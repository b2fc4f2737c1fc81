package boardfile

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/zrankdb/zrank/board/archive"
	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/cmd/zrank/internal/datadir"
	"github.com/zrankdb/zrank/engine"
)

// Options are for Export, ExportCSV and Import.
type Options struct {
	Dir     string
	Boards  []string // exports: which; none: all
	Partial bool     // Export: what cannot be written is left out
	DryRun  bool     // Import: nothing is stored
	// Progress is called now and then with the board and how many entries there are so far.
	Progress func(board string, entries int)
}

// Export writes boards of a directory, and the kinds of groups that they have before them; with all boards all kinds. Errors: those of the directory and of archive.Write, with the name of
// the board.
func Export(ctx context.Context, w io.Writer, o Options) (report Report, err error) {
	err = datadir.OpenStill(o.Dir, engine.Options{MustExist: true, FeedLogBytes: datadir.FeedLog}, func(d *datadir.Data) error {
		names := o.Boards
		if len(names) == 0 {
			if names, err = d.Boards.Names(ctx); err != nil {
				return err
			}
		}
		if names, err = sourcesFirst(ctx, d.Boards, names); err != nil { // before the file has any boards
			return err
		}
		kinds, err := kindsOf(ctx, d.Boards, names)
		if err != nil {
			return err
		}
		if len(o.Boards) == 0 {
			if kinds, err = d.Boards.GroupKinds(ctx); err != nil {
				return err
			}
		}
		for _, kind := range kinds {
			r, err := archive.WriteGroups(ctx, w, d.Boards, kind)
			if err != nil {
				return fmt.Errorf("groups %q: %w", kind, err)
			}
			report = append(report, Row{Kind: kind, Groups: r.Groups, Members: r.Members})
		}
		entries := 0
		for _, name := range names {
			r, err := archive.Write(ctx, w, d.Boards, name, archive.Options{Partial: o.Partial, Progress: func(n int) { o.progress(name, entries+n) }})
			if err != nil {
				return fmt.Errorf("%q: %w", name, err)
			}
			entries += r.Entries
			report = append(report, Row{Board: name, Periods: r.Periods, Entries: r.Entries, LeftOut: r.LeftOut})
		}
		return nil
	})
	return report, err
}

// kindsOf returns the kinds of the groups of derived boards, in order. Error: board.ErrNoBoard.
func kindsOf(ctx context.Context, boards *local.Boards, names []string) (kinds []string, err error) {
	for _, name := range names {
		b, err := boards.Board(ctx, name)
		if err != nil {
			return nil, err
		}
		if d := b.Spec().Derived; d != nil {
			kinds = append(kinds, d.Groups)
		}
	}
	slices.Sort(kinds)
	return slices.Compact(kinds), nil
}

// sourcesFirst returns names of boards, each behind the one that it follows, if that is among them. Error: board.ErrNoBoard.
func sourcesFirst(ctx context.Context, boards *local.Boards, names []string) (ordered []string, err error) {
	var add func(name string) error
	add = func(name string) error {
		if slices.Contains(ordered, name) || !slices.Contains(names, name) {
			return nil
		}
		b, err := boards.Board(ctx, name)
		if err != nil {
			return err
		}
		if d := b.Spec().Derived; d != nil {
			if err := add(d.From); err != nil {
				return err
			}
		}
		ordered = append(ordered, name)
		return nil
	}
	for _, name := range names {
		if err := add(name); err != nil {
			return nil, err
		}
	}
	return ordered, nil
}

func (o *Options) progress(board string, entries int) {
	if o.Progress != nil {
		o.Progress(board, entries)
	}
}
