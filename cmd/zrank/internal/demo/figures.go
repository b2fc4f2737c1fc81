package demo

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/window"
	"github.com/zrankdb/zrank/cmd/zrank/internal/console"
	"github.com/zrankdb/zrank/cmd/zrank/internal/datadir"
	"github.com/zrankdb/zrank/cmd/zrank/internal/season"
	"github.com/zrankdb/zrank/cmd/zrank/internal/show"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/numbers"
)

// tables shows the top of each board, and one player among neighbours.
func (d *demo) tables(ctx context.Context, db *datadir.Data) error {
	w := show.New(d.out, show.Table, db.Layout())
	for _, name := range demoBoards {
		for _, win := range demoSpecs[name].Windows {
			if win.Kind == window.Month {
				continue
			}
			b, r, err := db.Ranking(ctx, name, win.Label(), "")
			if errors.Is(err, board.ErrNoBoard) {
				continue // a short season may have no results for it
			}
			if err != nil {
				return err
			}
			rows, err := r.Top(ctx, 5)
			if err != nil {
				return err
			}
			if err := datadir.WriteRows(ctx, w, b.Spec(), r, rows); err != nil {
				return err
			}
		}
	}
	return d.middle(ctx, db, w)
}

// middle shows the player at the middle rank of the arena, with two neighbours on each side.
func (d *demo) middle(ctx context.Context, db *datadir.Data, w *show.Writer) error {
	b, r, err := db.Ranking(ctx, season.Arena, "", "")
	if errors.Is(err, board.ErrNoBoard) {
		return nil
	}
	if err != nil {
		return err
	}
	n, err := r.Len(ctx)
	if err != nil {
		return err
	}
	middle, _, err := r.At(ctx, n/2+1)
	if err != nil {
		return err
	}
	d.me = middle.Member
	rows, _, err := r.Around(ctx, d.me, 2)
	if err != nil {
		return err
	}
	info, err := r.Info(ctx)
	if err != nil {
		return err
	}
	title := fmt.Sprintf("%s · where %s stands among %s", season.Arena, d.me, numbers.Count(n))
	return w.Write(title, datadir.ColumnNames(b.Spec()), datadir.Shown(info, rows))
}

// figures writes how much time, memory and disk the season has taken.
func (d *demo) figures(e *engine.Engine, took time.Duration, all digest) error {
	st, err := e.Stats()
	if err != nil {
		return err
	}
	results := int64(d.config.Results)
	fmt.Fprintf(d.out, "\n%s results in %s: %s a second, each in up to 3 rankings, on the disk before the next batch\n",
		numbers.Count(results), took.Round(time.Millisecond), numbers.Count(console.PerSecond(results, took)))
	fmt.Fprintf(d.out, "%s players with %s places in %d rankings take %s of memory: %d bytes a player, %d a place\n",
		numbers.Count(all.players), numbers.Count(all.places), all.rankings, console.Size(int64(st.Memory)),
		st.Memory/max(all.players, 1), st.Memory/max(all.places, 1))
	fmt.Fprintf(d.out, "%s on the disk, before the log of %s is cut\n", console.Size(st.Disk), console.Size(st.Log))
	return nil
}
