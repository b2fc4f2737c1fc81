package redisfile

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jedib0t/go-pretty/v6/progress"
	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/cmd/zrank/internal/boardfile"
	"github.com/zrankdb/zrank/cmd/zrank/internal/datadir"
	"github.com/zrankdb/zrank/cmd/zrank/internal/flags"
	"github.com/zrankdb/zrank/cmd/zrank/internal/live"
	"github.com/zrankdb/zrank/cmd/zrank/internal/show"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/numbers"
	"github.com/zrankdb/zrank/server/resp/rdbfile"
)

// importOptions are the flags of import.
type importOptions struct {
	dir, match, format, by           string
	compare                          bool
	db                               int
	replace, dry, verify, again, any bool
}

// NewImport returns the command import.
func NewImport() *cobra.Command {
	o := &importOptions{}
	c := &cobra.Command{
		Use:   "import FILE|URL",
		Short: "Import the keys of a Redis file (dump.rdb) or of a running Redis, or boards from lines of JSON",
		Long: `Import the keys of FILE, which Redis has written by SAVE or BGSAVE, to the directory that --dir names, and make the directory if it does not exist. FILE may be
compressed with gzip; "-" is standard input. Sorted sets, plain sets and strings keep their keys, their databases and their expiry: "zrank serve" shows
them to Redis clients. Other types, and keys that have expired, are counted and left out. Keys that have a value in the directory keep it, unless --replace
is given. Files of versions 1 to 12 are read, those of Redis up to 8.0.

--dry-run reads the whole file, with its checksum, and says what would become what. --verify does that before anything is stored. Without it, the keys before a place that is
damaged are imported; the error names the place.

An import that was interrupted goes on where it stopped if the same command is given again; how far it has come is stored with the keys. A file that has been imported is not
imported again, unless --again is given. Standard input is always read from its beginning.

A file of "zrank export --format jsonl" has boards: they are made, and those that there are already are left out.

With a URL, redis://user:password@host:port or rediss:// for TLS, the keys of a running Redis are copied, and then every change as it comes, until Ctrl-C: as by a replica, or
where the source refuses that (--by scan) by SCAN and keyspace notifications. At the end the directory is brought in step, and every key is compared. To switch over, stop the
writers, or send CLIENT PAUSE to the source, and then press Ctrl-C.`,
		Example: `  zrank import --dir data --dry-run dump.rdb
  zrank import --dir data redis://:secret@redis.example:6379
  zrank import --dir data --match 'lb:*' dump.rdb
  zrank serve --dir data`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if strings.HasPrefix(args[0], "redis://") || strings.HasPrefix(args[0], "rediss://") {
				return live.Import(c.Context(), c.OutOrStdout(), c.ErrOrStderr(), live.Options{Dir: o.dir, URL: args[0], By: o.by, Replace: o.replace, Compare: o.compare})
			}
			return o.run(c, args[0])
		},
	}
	flags.Dir(c, &o.dir)
	flags.Format(c, &o.format)
	choice(c, &o.match, &o.db)
	c.Flags().StringVar(&o.by, "by", "auto", "with a URL: how to copy: replication, scan, or auto")
	c.Flags().BoolVar(&o.compare, "compare", true, "with a URL: compare every key at the end")
	c.Flags().BoolVar(&o.replace, "replace", false, "replace the values of keys that have one")
	c.Flags().BoolVar(&o.dry, "dry-run", false, "read the whole file, store nothing, and say what would be imported")
	c.Flags().BoolVar(&o.verify, "verify", false, "read the whole file before anything is stored")
	c.Flags().BoolVar(&o.again, "again", false, "import a file that has been imported, or begin again")
	c.Flags().BoolVar(&o.any, "any-version", false, "read files of later versions, and of Valkey, as far as they are like those that are known")
	return c
}

// choice adds --match and --db.
func choice(c *cobra.Command, match *string, db *int) {
	c.Flags().StringVar(match, "match", "*", "pattern of keys, as of the Redis command KEYS")
	c.Flags().IntVar(db, "db", rdbfile.AnyDatabase, "database; -1: all")
}

// run imports a file.
func (o *importOptions) run(c *cobra.Command, path string) error {
	f, err := flags.ParseFormat(o.format)
	if err != nil {
		return err
	}
	if o.verify && path == "-" {
		return flags.Errorf("--verify reads the file twice, and standard input can be read once")
	}
	how := rdbfile.ImportOptions{Match: o.match, DB: o.db, Replace: o.replace, DryRun: o.dry, AnyVersion: o.any}
	if err := how.Validate(); err != nil {
		return flags.Wrong(err)
	}
	in, err := openInput(path, c.InOrStdin())
	if err != nil {
		return err
	}
	defer in.close()
	if in.hasBoards() {
		return o.boards(c, in, f)
	}
	if err := in.check(o.any); err != nil {
		return fmt.Errorf("%s: %w", in.name, err)
	}
	if o.verify && !o.dry {
		dry := how
		dry.DryRun = true
		if _, err := o.read(c, in, dry); err != nil {
			return err
		}
		if err := in.again(); err != nil {
			return err
		}
	}
	if !o.again {
		how.Resume = in.resume
	}
	r, err := o.read(c, in, how)
	if err != nil {
		return err
	}
	if r.Before {
		_, err := fmt.Fprintf(c.OutOrStdout(), "%s has been imported before; --again imports it again\n", show.Printable(in.name))
		return err
	}
	return writeImport(c.OutOrStdout(), f, in.name, r, o.dry)
}

// boards makes the boards of a file.
func (o *importOptions) boards(c *cobra.Command, in *input, f show.Format) error {
	b := newBar(c.ErrOrStderr(), in.name, in.size, progress.UnitsBytes)
	defer b.stop()
	r, err := boardfile.Import(c.Context(), in.r, boardfile.Options{Dir: o.dir, DryRun: o.dry, Progress: func(_ string, n int) {
		b.move(fmt.Sprintf("%s: %s entries", in.name, numbers.Count(n)), in.read, in.size)
	}})
	b.stop()
	if err != nil {
		return fmt.Errorf("%s: %w (%s before it)", in.name, err, numbers.Plural(len(r), "board"))
	}
	return boardfile.List.Write(c.OutOrStdout(), f, r)
}

// read reads the file, and stores what is in it unless this is a dry run. Without a directory a dry run needs none.
func (o *importOptions) read(c *cobra.Command, in *input, how rdbfile.ImportOptions) (r *rdbfile.ImportReport, err error) {
	b := newBar(c.ErrOrStderr(), in.name, in.size, progress.UnitsBytes)
	defer b.stop()
	how.Progress = func(r *rdbfile.ImportReport) {
		b.move(fmt.Sprintf("%s: %s", in.name, numbers.Plural(int(r.Keys), "key")), in.read, in.size)
	}
	do := func(e *engine.Engine) error {
		r, err = rdbfile.Import(c.Context(), e, in.r, how)
		return err
	}
	err = datadir.OpenEngine(o.dir, engine.Options{FeedLogBytes: datadir.FeedLog, MustExist: how.DryRun}, do)
	if how.DryRun && errors.Is(err, engine.ErrNotStore) { // there is nothing to compare with
		var e *engine.Engine
		if e, err = engine.New(engine.Options{}); err == nil {
			err = errors.Join(do(e), e.Close())
		}
	}
	b.stop()
	return r, o.explain(c.Context(), in, how, r, err)
}

// explain says in an error how far the import has come.
func (o *importOptions) explain(ctx context.Context, in *input, how rdbfile.ImportOptions, r *rdbfile.ImportReport, err error) error {
	if err == nil || r == nil {
		return err
	}
	came := fmt.Sprintf("after %s", numbers.Plural(int(r.Keys), "key"))
	switch {
	case how.DryRun:
		return fmt.Errorf("%s: %w (%s; nothing is stored)", in.name, err, came)
	case ctx.Err() != nil && errors.Is(err, context.Cause(ctx)) && how.Resume != "":
		return fmt.Errorf("stopped %s; the same command goes on from there", came)
	}
	return fmt.Errorf("%s: %w (%s; what came before is imported)", in.name, err, came)
}
