package demo

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/cmd/zrank/internal/console"
	"github.com/zrankdb/zrank/cmd/zrank/internal/datadir"
	"github.com/zrankdb/zrank/cmd/zrank/internal/flags"
	"github.com/zrankdb/zrank/cmd/zrank/internal/season"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/numbers"
)

// New returns the command "zrank demo".
func New() *cobra.Command {
	d := &demo{}
	c := &cobra.Command{
		Use:   "demo",
		Short: "Simulate a game's season, show its boards and reopen them",
		Long: `Simulate a season of a game: thousands of players who differ in skill and habits, hundreds of thousands of results over some
weeks, three boards. Weeks and months close as the season goes on. Every commit is on the disk before the next begins. At the end
the directory is opened again and every rank compared.

With --serve the season is slow enough to be watched, and pages in a browser show it: boards, players, guilds, awards, the feed. They stay when the
season is over, until Ctrl-C.

The data directory is left for "zrank top" and the like. The next demo deletes what this one left and starts over; it refuses a
directory that holds anything else.`,
		Example: `  zrank demo
  zrank demo --serve
  zrank demo --dir data --seed 2 --players 1000 --results 50000`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			d.out, d.errs = c.OutOrStdout(), c.ErrOrStderr()
			return d.run(c)
		},
	}
	flags.Dir(c, &d.dir)
	c.Flags().Uint64Var(&d.config.Seed, "seed", 1, "the same seed gives the same season")
	c.Flags().IntVar(&d.config.Players, "players", season.DefaultPlayers, "players")
	c.Flags().IntVar(&d.config.Results, "results", season.DefaultResults, "results in the whole season")
	c.Flags().IntVar(&d.config.Weeks, "weeks", season.DefaultWeeks, "weeks the season lasts")
	c.Flags().BoolVar(&d.serve, "serve", false, "show the season in a browser while it goes on, at --addr")
	c.Flags().StringVar(&d.addr, "addr", "127.0.0.1:8080", "with --serve: where the pages are")
	c.Flags().DurationVar(&d.lasts, "for", 3*time.Minute, "with --serve: how long the season takes")
	return c
}

// run plays a season into the directory, shows its boards and figures, and compares all ranks after it has reopened the directory.
func (d *demo) run(c *cobra.Command) error {
	if d.config.Players < 1 || d.config.Results < 1 || d.config.Weeks < 1 {
		return flags.Errorf("--players is %d, --results %d, --weeks %d: want at least 1 of each", d.config.Players, d.config.Results, d.config.Weeks)
	}
	if d.lasts < 0 {
		return flags.Errorf("--for is %v, want at least 0", d.lasts)
	}
	s, err := season.New(d.config)
	if err != nil {
		return flags.Wrong(err)
	}
	whole := context.WithoutCancel(c.Context()) // an interrupt ends the season only
	if err := d.clear(whole); err != nil {
		return err
	}
	var before digest
	err = datadir.Open(d.dir, engine.Options{}, func(db *datadir.Data) error {
		fmt.Fprintf(d.out, "A season of %d weeks: %s players, %s results, into %s\n\n",
			d.config.Weeks, numbers.Count(d.config.Players), numbers.Count(d.config.Results), d.dir)
		if err := db.Engine.Update(whole, func(tx *engine.Tx) error { return tx.Put(demoMark, nil) }); err != nil {
			return err
		}
		took, err := d.show(c.Context(), db, s)
		if err != nil {
			return err
		}
		fmt.Fprintln(d.out)
		if err := d.tables(whole, db); err != nil {
			return err
		}
		if before, err = digestOf(whole, db); err != nil {
			return err
		}
		return d.figures(db.Engine, took, before)
	})
	if err != nil {
		return err
	}
	return d.reopen(whole, before)
}

// clear removes the directory of an earlier demo. Errors: a directory with anything else.
func (d *demo) clear(ctx context.Context) error {
	if _, err := os.Stat(d.dir); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	empty := false
	err := datadir.Open(d.dir, datadir.Existing, func(db *datadir.Data) (err error) {
		empty, err = onlyDemo(ctx, db)
		return err
	})
	if errors.Is(err, engine.ErrNotStore) || empty {
		// The directory is new, or its demo ended before the first commit. If it is no store, run gets the error when it opens it.
		return nil
	}
	if err != nil {
		return fmt.Errorf("%s: %w; choose another place with --dir", d.dir, err)
	}
	for _, name := range []string{"LOCK", "IDENTITY", "HWM", "db"} {
		if err := os.RemoveAll(filepath.Join(d.dir, name)); err != nil {
			return err
		}
	}
	return nil
}

// onlyDemo reports whether a directory is empty. The error names the first board, set or private key that no demo made.
func onlyDemo(ctx context.Context, d *datadir.Data) (empty bool, err error) {
	for _, b := range d.Boards.All() {
		if !isOurs(b.Name()) {
			return false, fmt.Errorf("holds board %q, which no demo made", b.Name())
		}
	}
	keys, err := d.Engine.Keys("")
	if err != nil {
		return false, err
	}
	for _, key := range keys {
		if k, ok := local.ParseKey(key); !ok || !isOurs(k.Board) {
			return false, fmt.Errorf("holds set %q, which no demo made", key)
		}
	}
	empty = len(keys) == 0
	err = d.Engine.View(ctx, func(tx *engine.Tx) error {
		for kv, err := range tx.Scan("") {
			if err != nil {
				return err
			}
			empty = false
			if key := string(kv.Key); key != demoMark && key != datadir.ClockKey && !strings.HasPrefix(key, datadir.BoardKeys) {
				return fmt.Errorf("holds %q, which no demo made", key)
			}
		}
		if _, marked, err := tx.Get(demoMark); err != nil || !empty && !marked {
			return errors.Join(err, errors.New("holds boards that no demo made"))
		}
		return nil
	})
	return empty, err
}

// reopen opens the directory again and compares all ranks with an earlier digest.
func (d *demo) reopen(ctx context.Context, before digest) error {
	start := time.Now()
	return datadir.Open(d.dir, datadir.Existing, func(db *datadir.Data) error {
		took := time.Since(start)
		after, err := digestOf(ctx, db)
		if err != nil {
			return err
		}
		if after != before {
			return fmt.Errorf("reopened %s and the ranks are not the same: a bug in zrank", d.dir)
		}
		st, err := db.Engine.Stats()
		if err != nil {
			return err
		}
		fmt.Fprintf(d.out, "Closed and opened again in %s, %s on the disk: all %s ranks are the same\n\nTry: zrank around --dir %s %s %s\n",
			took.Round(time.Millisecond), console.Size(st.Disk), numbers.Count(after.places), d.dir, season.Arena, d.me)
		return nil
	})
}
