package redisfile

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/cmd/zrank/internal/flags"
	"github.com/zrankdb/zrank/cmd/zrank/internal/live"
	"github.com/zrankdb/zrank/cmd/zrank/internal/show"
	"github.com/zrankdb/zrank/server/resp/rdbfile"
)

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

FILE may be an append-only file, or the folder appendonlydir of Redis 7: its commands are executed one after the other, on a directory without keys. A last command that is not whole is
left out, as Redis does. Commands on hashes, lists and streams are left out and counted; any other that zrank does not have ends the import with its place in the file.

A file of "zrank export --format jsonl" has boards: they are made, and those that there are already are left out.

With a URL, redis://user:password@host:port or rediss:// for TLS, the keys of a running Redis are copied, and then every change as it comes, until Ctrl-C: as by a replica, or
where the source refuses that (--by scan) by SCAN and keyspace notifications. At the end the directory is brought in step, and every key is compared. To switch over, stop the
writers, or send CLIENT PAUSE to the source, and then press Ctrl-C. By replication, commands that zrank does not have, such as INCR, are left out and counted; --by scan copies the
keys that they change.

--map FILE makes sorted sets periods of new boards, whose specs --spec has. FILE is a JSON array of rules; the first whose key matches counts:

  [{"key": "lb:daily:{period}", "board": "arena", "window": "day", "score": "points * 2^32 + (2^32 - 1 - time)"},
   {"key": "lb:all", "board": "arena", "window": "all", "score": "points + time / 10^10"}]

A key has one of {period}, as the window names it, {week}, {date:20060102}, {unix} or {unixms}, or none if the window has one period only; {name}, which stands in "board" and in the name of its
spec, too, and makes a board for each name; and {any} for text that does not matter. Periods that are over are closed. Scores that hold points and a time are unpacked by the formula,
points * N + TIME or points + TIME / N, in seconds, or with "unit": "ms" in milliseconds; with "withoutTime": true the time, which may have lost digits, is left out. A score that has no exact
solution, or several, or whose time is not in the period, is refused, and with it the import unless --partial is given: a dry run then exits with 1, too. The boards appear whole at the end; an
import that was interrupted before begins again.`,
		Example: `  zrank import --dir data --dry-run dump.rdb
  zrank import --dir data redis://:secret@redis.example:6379
  zrank import --dir data --match 'lb:*' dump.rdb
  zrank import --dir data --map map.json --spec boards.json --dry-run dump.rdb
  zrank serve --dir data`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if strings.HasPrefix(args[0], "redis://") || strings.HasPrefix(args[0], "rediss://") {
				if err := onlyOfURL(c); err != nil {
					return err
				}
				return live.Import(c.Context(), c.OutOrStdout(), c.ErrOrStderr(), live.Options{Dir: o.dir, URL: args[0], By: o.by, Replace: o.replace, Compare: o.compare})
			}
			return o.run(c, args[0])
		},
	}
	o.addFlags(c)
	return c
}

// addFlags adds the flags of import.
func (o *importOptions) addFlags(c *cobra.Command) {
	flags.Dir(c, &o.dir)
	flags.Format(c, &o.format)
	choice(c, &o.match, &o.db)
	c.Flags().StringVar(&o.by, "by", "auto", "with a URL: how to copy: replication, scan, or auto")
	c.Flags().BoolVar(&o.compare, "compare", true, "with a URL: compare every key at the end")
	c.Flags().BoolVar(&o.replace, "replace", false, "replace the values of keys that have one")
	c.Flags().BoolVar(&o.dry, "dry-run", false, "read the whole file, store nothing, and say what would be imported")
	c.Flags().BoolVar(&o.verify, "verify", false, "read the whole file before anything is stored")
	c.Flags().BoolVar(&o.again, "again", false, "import a file that has been imported, or begin again")
	c.Flags().StringVar(&o.mapFile, "map", "", "file that says which keys become periods of boards, and how their scores were made")
	c.Flags().StringVar(&o.spec, "spec", "", "with --map: file with the specs of the boards")
	c.Flags().BoolVar(&o.partial, "partial", false, "with --map: leave out keys and members that are refused")
	c.Flags().BoolVar(&o.any, "any-version", false, "read files of later versions, and of Valkey, as far as they are like those that are known")
}

// onlyOfURL returns the error of a flag that a copy of a running Redis does not have: one that is ignored, such as --dry-run, would do what nobody asked for.
func onlyOfURL(c *cobra.Command) error {
	for _, name := range []string{"map", "spec", "partial", "dry-run", "verify", "match", "db", "again", "any-version", "format"} {
		if c.Flags().Changed(name) {
			return flags.Errorf("--%s is for a file, and not for a running Redis, whose keys are all copied: save a file there with BGSAVE", name)
		}
	}
	return nil
}

// choice adds --match and --db.
func choice(c *cobra.Command, match *string, db *int) {
	c.Flags().StringVar(match, "match", "*", "pattern of keys, as of the Redis command KEYS")
	c.Flags().IntVar(db, "db", rdbfile.AnyDatabase, "database; -1: all")
}

// validate returns the error of flags that do not go together.
func (o *importOptions) validate(path string, how rdbfile.ImportOptions) error {
	switch {
	case o.verify && path == "-":
		return flags.Errorf("--verify reads the file twice, and standard input can be read once")
	case o.mapFile != "" && path == "-":
		return flags.Errorf("--map reads the file twice, and standard input can be read once")
	case (o.mapFile == "") != (o.spec == ""):
		return flags.Errorf("--map and --spec belong together: the map says which keys become periods of which boards, and the specs what these are")
	}
	if err := how.Validate(); err != nil {
		return flags.Wrong(err)
	}
	return nil
}

// run imports a file.
func (o *importOptions) run(c *cobra.Command, path string) error {
	f, err := flags.ParseFormat(o.format)
	if err != nil {
		return err
	}
	how := rdbfile.ImportOptions{Match: o.match, DB: o.db, Replace: o.replace, DryRun: o.dry, AnyVersion: o.any}
	if err := o.validate(path, how); err != nil {
		return err
	}
	x := &importing{importOptions: o, c: c}
	if o.mapFile != "" {
		if x.rules, x.specs, err = readMap(o.mapFile, o.spec); err != nil {
			return err
		}
	}
	if x.in, err = openInput(path, c.InOrStdin()); err != nil {
		return err
	}
	defer x.in.close()
	if x.in.hasBoards() {
		return x.boards(f)
	}
	if err := x.in.check(o.any); err != nil {
		return fmt.Errorf("%s: %w", x.in.name, err)
	}
	if x.playing, err = x.plays(); err != nil {
		return err
	}
	if (o.verify || o.mapFile != "") && !o.dry {
		if err := x.verify(c.Context(), how); err != nil {
			return err
		}
	}
	if !o.again && o.mapFile == "" && !x.playing {
		how.Resume = x.in.resume
	}
	r, m, err := x.read(c.Context(), how)
	if err != nil {
		return err
	}
	if r.Before {
		_, err := fmt.Fprintf(c.OutOrStdout(), "%s has been imported before; --again imports it again\n", show.Printable(x.in.name))
		return err
	}
	if x.in.kind == base {
		fmt.Fprintf(c.ErrOrStderr(), "%s is the base of append-only files, without the newer writes, which are in the .incr.aof files beside it: import their folder\n", show.Printable(x.in.name))
	}
	rows := append(append(m.rows(o.dry), importRows(r, o.dry)...), x.commandRows()...)
	err = writeImport(c.OutOrStdout(), f, x.line(r), rows)
	if err == nil && o.dry {
		err = x.refusal(m, "without --dry-run nothing would be stored; --partial leaves these out")
	}
	if err == nil {
		err = x.failed()
	}
	return err
}
