package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/cmd/zrank/internal/season"
	"github.com/zrankdb/zrank/cmd/zrank/internal/show"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board"
	"github.com/zrankdb/zrank/engine/board/window"
)

// demo plays a season, shows it, and proves that it is still there after the directory has been opened again.
type demo struct {
	dir    string
	config season.Config
	out    io.Writer
	errs   io.Writer
	me     string // the player in the middle of the arena
}

func newDemo() *cobra.Command {
	d := &demo{}
	c := &cobra.Command{
		Use:   "demo",
		Short: "Simulate a game's season, show its boards and reopen them",
		Long: `Simulate a season of a game: thousands of players who differ in skill and habits, hundreds of thousands of results over some
weeks, three boards. Weeks and months close as the season goes on. Every commit is on the disk before the next begins. At the end
the directory is opened again and every rank compared.

The data directory is left for "zrank top" and the like. The next demo deletes what this one left and starts over; it refuses a
directory that holds anything else.`,
		Example: `  zrank demo
  zrank demo --dir data --seed 2 --players 1000 --results 50000`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			d.out, d.errs = c.OutOrStdout(), c.ErrOrStderr()
			return d.run(c)
		},
	}
	dirFlag(c, &d.dir)
	c.Flags().Uint64Var(&d.config.Seed, "seed", 1, "the same seed gives the same season")
	c.Flags().IntVar(&d.config.Players, "players", season.DefaultPlayers, "players")
	c.Flags().IntVar(&d.config.Results, "results", season.DefaultResults, "results in the whole season")
	c.Flags().IntVar(&d.config.Weeks, "weeks", season.DefaultWeeks, "weeks the season lasts")
	return c
}

// demoSpecs are the boards of the game.
var demoSpecs = map[string]board.Spec{
	season.Arena: {Name: season.Arena, Op: board.Sum, Windows: []board.Window{board.All, board.Month, board.Week}},
	season.Speedrun: {Name: season.Speedrun, Op: board.Best, Windows: []board.Window{board.All, board.Week},
		Columns: []board.Column{{Name: "seconds", Kind: board.Float64, Order: board.Asc}}},
	season.Ladder: {Name: season.Ladder, Op: board.Last, Windows: []board.Window{board.All}},
}

// demoBoards is their order on the screen.
var demoBoards = []string{season.Arena, season.Speedrun, season.Ladder}

// demoMark is the private key that tells a demo's directory from one with somebody's scores.
const demoMark = "demo"

func (d *demo) run(c *cobra.Command) error {
	if d.config.Players < 1 || d.config.Results < 1 || d.config.Weeks < 1 {
		return usagef("--players is %d, --results %d, --weeks %d: want at least 1 of each", d.config.Players, d.config.Results, d.config.Weeks)
	}
	s, err := season.New(d.config)
	if err != nil {
		return wrongCall(err)
	}
	if err := d.clear(); err != nil {
		return err
	}
	var before digest
	err = withData(d.dir, engine.Options{}, func(db *data) error {
		fmt.Fprintf(d.out, "A season of %d weeks: %s players, %s results, into %s\n\n",
			d.config.Weeks, count(int64(d.config.Players)), count(int64(d.config.Results)), d.dir)
		if err := db.e.Update(nil, func(tx *engine.Tx) error { return tx.Put(demoMark, nil) }); err != nil {
			return err
		}
		took, err := d.play(c.Context(), db, s)
		if err != nil {
			return err
		}
		fmt.Fprintln(d.out)
		if err := d.tables(db); err != nil {
			return err
		}
		if before, err = digestOf(db); err != nil {
			return err
		}
		return d.figures(db.e, took, before)
	})
	if err != nil {
		return err
	}
	return d.reopen(before)
}

// clear removes what an earlier demo has left, and refuses where anything else is.
func (d *demo) clear() error {
	if _, err := os.Stat(d.dir); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	empty := false
	err := withData(d.dir, existing, func(db *data) (err error) {
		empty, err = onlyDemo(db)
		return err
	})
	if errors.Is(err, engine.ErrNotStore) || empty {
		return nil // new, or a demo that was stopped before its first commit; a directory of others is refused by Open
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

// onlyDemo returns an error if a directory holds anything but a demo, and whether it holds nothing at all.
func onlyDemo(d *data) (empty bool, err error) {
	for _, b := range d.boards.All() {
		if _, ours := demoSpecs[b.Name()]; !ours {
			return false, fmt.Errorf("holds board %q, which no demo made", b.Name())
		}
	}
	keys, err := d.e.Keys("")
	if err != nil {
		return false, err
	}
	for _, key := range keys {
		if k, ok := board.ParseKey(key); !ok || demoSpecs[k.Board].Name == "" {
			return false, fmt.Errorf("holds set %q, which no demo made", key)
		}
	}
	empty = len(keys) == 0
	err = d.e.View(nil, func(tx *engine.Tx) error {
		for kv, err := range tx.Scan("") {
			if err != nil {
				return err
			}
			empty = false
			if key := string(kv.Key); key != demoMark && key != clockKey && !strings.HasPrefix(key, boardKeys) {
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

// tables shows the ends of the boards, and one player among neighbours.
func (d *demo) tables(db *data) error {
	w := show.New(d.out, show.Table, db.layout())
	for _, name := range demoBoards {
		for _, win := range demoSpecs[name].Windows {
			if win.Kind == window.Month {
				continue
			}
			b, r, err := db.ranking(name, win.Label(), "")
			if errors.Is(err, board.ErrNoBoard) {
				continue // a short season may leave one out
			}
			if err != nil {
				return err
			}
			rows, err := r.Top(5)
			if err != nil {
				return err
			}
			if err := writeRows(w, b, r, rows); err != nil {
				return err
			}
		}
	}
	return d.middle(db, w)
}

// middle shows the player in the middle of the arena.
func (d *demo) middle(db *data, w *show.Writer) error {
	b, r, err := db.ranking(season.Arena, "", "")
	if errors.Is(err, board.ErrNoBoard) {
		return nil
	}
	if err != nil {
		return err
	}
	n, err := r.Len()
	if err != nil {
		return err
	}
	middle, _, err := r.At(n/2 + 1)
	if err != nil {
		return err
	}
	d.me = middle.Member
	rows, _, err := r.Around(d.me, 2)
	if err != nil {
		return err
	}
	title := fmt.Sprintf("%s · where %s stands among %s", season.Arena, d.me, count(int64(n)))
	return w.Write(title, columnNames(b.Spec()), shown(r, rows))
}

// figures says what it cost.
func (d *demo) figures(e *engine.Engine, took time.Duration, all digest) error {
	st, err := e.Stats()
	if err != nil {
		return err
	}
	results := int64(d.config.Results)
	fmt.Fprintf(d.out, "\n%s results in %s: %s a second, each in up to 3 rankings, on the disk before the next batch\n",
		count(results), took.Round(time.Millisecond), count(perSecond(results, took)))
	fmt.Fprintf(d.out, "%s players with %s places in %d rankings take %s of memory: %d bytes a player, %d a place\n",
		count(int64(all.players)), count(int64(all.places)), all.rankings, size(int64(st.Memory)),
		st.Memory/max(all.players, 1), st.Memory/max(all.places, 1))
	fmt.Fprintf(d.out, "%s on the disk, before the log of %s is cut\n", size(st.Disk), size(st.Log))
	return nil
}

// reopen opens the directory again and compares.
func (d *demo) reopen(before digest) error {
	start := time.Now()
	return withData(d.dir, existing, func(db *data) error {
		took := time.Since(start)
		after, err := digestOf(db)
		if err != nil {
			return err
		}
		if after != before {
			return fmt.Errorf("reopened %s and the ranks are not the same: a bug in zrank", d.dir)
		}
		st, err := db.e.Stats()
		if err != nil {
			return err
		}
		fmt.Fprintf(d.out, "Closed and opened again in %s, %s on the disk: all %s ranks are the same\n\nTry: zrank around --dir %s %s %s\n",
			took.Round(time.Millisecond), size(st.Disk), count(int64(after.places)), d.dir, season.Arena, d.me)
		return nil
	})
}

// digest stands for every place of every ranking.
type digest struct {
	sum                       [sha256.Size]byte
	rankings, places, players int
}

func digestOf(d *data) (digest, error) {
	var g digest
	h := sha256.New()
	players := map[string]struct{}{}
	err := d.each(func(_ *board.Board, r board.Ranking) error {
		i := r.Info()
		for row, err := range r.All() {
			if err != nil {
				return err
			}
			fmt.Fprintf(h, "%q %q %q %d %q %v %v\n", i.Board, i.Window, i.Period, row.Rank, row.Member, row.Score, row.Reached)
			players[row.Member] = struct{}{}
			g.places++
		}
		g.rankings++
		return nil
	})
	h.Sum(g.sum[:0])
	g.players = len(players)
	return g, err
}
