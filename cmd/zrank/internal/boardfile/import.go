package boardfile

import (
	"context"
	"errors"
	"io"

	"github.com/zrankdb/zrank/board/archive"
	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/cmd/zrank/internal/datadir"
	"github.com/zrankdb/zrank/engine"
)

// Import makes the boards of a file in a directory, which it makes if it does not exist, and the kinds of groups. Those that there are already are left out, so that an import that was
// interrupted goes on if it is made again. Errors: those of the directory and of archive.Read.
func Import(ctx context.Context, r io.Reader, o Options) (report Report, err error) {
	read := func(boards *local.Boards) error {
		x, err := archive.Read(ctx, r, boards, archive.Options{SkipExisting: true, Progress: func(n int) { o.progress("", n) }})
		report, err = made(ctx, boards, x, err)
		return err
	}
	if o.DryRun {
		kinds, err := groupKinds(ctx, o.Dir)
		if err != nil {
			return nil, err
		}
		err = inMemory(ctx, kinds, read)
		return report, err
	}
	err = datadir.Open(o.Dir, engine.Options{FeedLogBytes: datadir.FeedLog}, func(d *datadir.Data) error { return read(d.Boards) })
	return report, err
}

// made reports what has been made of a file.
func made(ctx context.Context, boards *local.Boards, x archive.Report, failed error) (report Report, err error) {
	for _, kind := range x.Kinds {
		g, err := boards.Groups(ctx, kind)
		if err != nil {
			return report, errors.Join(failed, err)
		}
		row := Row{Kind: kind}
		all, err := g.All(ctx)
		if err != nil {
			return report, errors.Join(failed, err)
		}
		for _, i := range all {
			row.Groups, row.Members = row.Groups+1, row.Members+i.Members
		}
		report = append(report, row)
	}
	for _, kind := range x.SkippedKinds {
		report = append(report, Row{Kind: kind, Skipped: true})
	}
	for _, name := range x.Boards {
		b, err := boards.Board(ctx, name)
		if err != nil {
			return report, errors.Join(failed, err)
		}
		row := Row{Board: name}
		all, err := datadir.Periods(ctx, b)
		if err != nil {
			return report, errors.Join(failed, err)
		}
		for _, u := range all {
			row.Periods, row.Entries = row.Periods+1, row.Entries+u.Members
		}
		report = append(report, row)
	}
	for _, name := range x.Skipped {
		report = append(report, Row{Board: name, Skipped: true})
	}
	return report, failed
}

// groupKinds returns the kinds of groups of a directory, which need not be one yet.
func groupKinds(ctx context.Context, dir string) (kinds []string, err error) {
	err = datadir.OpenStill(dir, datadir.Existing, func(d *datadir.Data) (err error) {
		kinds, err = d.Boards.GroupKinds(ctx)
		return err
	})
	if errors.Is(err, engine.ErrNotStore) {
		err = nil
	}
	return kinds, err
}

// inMemory calls fn with boards that nobody keeps, which have kinds of groups without groups.
func inMemory(ctx context.Context, kinds []string, fn func(*local.Boards) error) error {
	e, err := engine.New(engine.Options{})
	if err != nil {
		return err
	}
	boards, err := local.Open(e, local.Options{})
	if err == nil {
		for _, kind := range kinds {
			if err == nil {
				_, err = boards.DefineGroups(ctx, kind)
			}
		}
		if err == nil {
			err = fn(boards)
		}
		err = errors.Join(err, boards.Close())
	}
	return errors.Join(err, e.Close())
}
