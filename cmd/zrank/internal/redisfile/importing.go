package redisfile

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/jedib0t/go-pretty/v6/progress"
	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/cmd/zrank/internal/boardfile"
	"github.com/zrankdb/zrank/cmd/zrank/internal/datadir"
	"github.com/zrankdb/zrank/cmd/zrank/internal/mapping"
	"github.com/zrankdb/zrank/cmd/zrank/internal/show"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/numbers"
	"github.com/zrankdb/zrank/server/resp/rdbfile"
	"github.com/zrankdb/zrank/server/resp/replica"
)

// importOptions are the flags of import.
type importOptions struct {
	dir, match, format, by           string
	compare                          bool
	db                               int
	mapFile, spec                    string
	replace, dry, verify, again, any bool
	partial                          bool
}

// importing is a run of import.
type importing struct {
	*importOptions
	c     *cobra.Command
	in    *input
	rules []*mapping.Rule // of the map; nil: there is none
	specs []board.Spec    // of its boards

	playing bool            // the file has commands that are executed
	played  *replica.Played // what these have done; nil: there are none
}

// verify reads the whole file and stores nothing. Afterwards the file is at its beginning.
func (x *importing) verify(ctx context.Context, how rdbfile.ImportOptions) error {
	how.DryRun = true
	_, m, err := x.read(ctx, how)
	if err != nil {
		return err
	}
	if err := x.refusal(m, "nothing is stored; --dry-run lists all reasons, --partial leaves these out"); err != nil {
		return err
	}
	return x.in.again()
}

// refusal is the error of a map that refuses something, unless that is to be left out.
func (x *importing) refusal(m *mapped, advice string) error {
	if m.refs == 0 || x.partial {
		return nil
	}
	why := sortedKeys(m.bad)[0]
	return fmt.Errorf("%s: %s, such as %s: %s (%s)", x.in.name, m.refusedCount(), m.bad[why].example, why, advice)
}

// read reads the file, and stores what is in it unless this is a dry run. Without a directory a dry run needs none.
func (x *importing) read(ctx context.Context, how rdbfile.ImportOptions) (r *rdbfile.ImportReport, m *mapped, err error) {
	b := newBar(x.c.ErrOrStderr(), x.in.name, x.in.size, progress.UnitsBytes)
	defer b.stop()
	how.Progress = func(r *rdbfile.ImportReport) {
		b.move(fmt.Sprintf("%s: %s", x.in.name, numbers.Plural(int(r.Keys), "key")), x.in.read, x.in.size)
	}
	do := func(e *engine.Engine, boards *local.Boards, now time.Time) error {
		if m, err = newMapped(x.c.Context(), boards, x.rules, x.specs, now); err != nil {
			return err
		}
		if x.rules != nil {
			how.Take = m.take
		}
		if r, err = x.take(e, how); err == nil && !how.DryRun {
			err = m.finish()
		}
		return errors.Join(err, m.discard())
	}
	err = x.open(ctx, how.DryRun, do)
	b.stop()
	return r, m, x.explain(x.c.Context(), how, r, err)
}

// take imports the keys of the file, and executes the commands behind them.
func (x *importing) take(e *engine.Engine, how rdbfile.ImportOptions) (r *rdbfile.ImportReport, err error) {
	ctx := x.c.Context()
	if how.Behind = x.behind; !x.playing {
		return rdbfile.Import(ctx, e, x.in.r, how)
	}
	how.Behind = func(offset int64, commands io.Reader) (err error) {
		x.played, err = replica.Play(ctx, e, commands, replica.PlayOptions{Offset: offset, DryRun: how.DryRun})
		return x.in.place(err)
	}
	if !how.DryRun {
		if err := replica.Begin(ctx, e, x.in.resume); err != nil {
			return nil, err
		}
	}
	if x.in.kind == commands {
		r, err = &rdbfile.ImportReport{}, how.Behind(0, x.in.r)
	} else {
		r, err = rdbfile.Import(ctx, e, x.in.r, how)
	}
	if err == nil && !how.DryRun {
		err = replica.End(ctx, e)
	}
	return r, err
}

// behind returns the error of commands in a file that is not known to have any.
func (x *importing) behind(offset int64, r io.Reader) error {
	head, err := bufio.NewReader(r).Peek(1)
	if err == nil && (head[0] == '*' || head[0] == '#') {
		return fmt.Errorf("commands follow behind its keys, at byte %d, and are not imported: it is no file of BGSAVE, and does not say that it is an append-only file", offset)
	}
	return nil
}

// boards makes the boards of a file.
func (x *importing) boards(f show.Format) error {
	c, in := x.c, x.in
	b := newBar(c.ErrOrStderr(), in.name, in.size, progress.UnitsBytes)
	defer b.stop()
	r, err := boardfile.Import(c.Context(), in.r, boardfile.Options{Dir: x.dir, DryRun: x.dry, Progress: func(_ string, n int) {
		b.move(fmt.Sprintf("%s: %s entries", in.name, numbers.Count(n)), in.read, in.size)
	}})
	b.stop()
	if err != nil {
		return fmt.Errorf("%s: %w (%s before it)", in.name, err, numbers.Plural(len(r), "board"))
	}
	return boardfile.List.Write(c.OutOrStdout(), f, r)
}

// open opens the directory; for a dry run an empty engine if there is none.
func (x *importing) open(ctx context.Context, dry bool, do func(e *engine.Engine, boards *local.Boards, now time.Time) error) error {
	err := datadir.OpenStill(x.dir, engine.Options{FeedLogBytes: datadir.FeedLog, MustExist: dry}, func(d *datadir.Data) error {
		if x.playing { // the clock stands: a later command may prolong an expiry that is past today
			return do(d.Engine, d.Boards, time.Now())
		}
		if err := d.Clock.Serve(ctx, d.Engine, slog.New(slog.DiscardHandler)); err != nil {
			return err
		}
		return do(d.Engine, d.Boards, d.Clock.Now())
	})
	if !dry || !errors.Is(err, engine.ErrNotStore) {
		return err
	}
	o := engine.Options{}
	if x.playing {
		o.Clock = datadir.NewClock().Now
	}
	e, err := engine.New(o)
	if err != nil {
		return err
	}
	boards, err := local.Open(e, local.Options{})
	if err == nil {
		err = errors.Join(do(e, boards, time.Now()), boards.Close())
	}
	return errors.Join(err, e.Close())
}

// explain says in an error how far the import has come.
func (x *importing) explain(ctx context.Context, how rdbfile.ImportOptions, r *rdbfile.ImportReport, err error) error {
	if err == nil || r == nil {
		return err
	}
	came := fmt.Sprintf("after %s", numbers.Plural(int(r.Keys), "key"))
	switch {
	case how.DryRun:
		return fmt.Errorf("%s: %w (%s; nothing is stored)", x.in.name, err, came)
	case ctx.Err() != nil && (errors.Is(err, context.Cause(ctx)) || errors.Is(err, ctx.Err())) && how.Resume != "":
		return fmt.Errorf("stopped %s; the same command goes on from there", came)
	}
	if rdbfile.Damaged(err) {
		return fmt.Errorf("%s: %w (%s; what came before is imported, and may be wrong: import a whole file with --replace)", x.in.name, err, came)
	}
	return fmt.Errorf("%s: %w (%s; what came before is imported)", x.in.name, err, came)
}
