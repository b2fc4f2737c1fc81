package periods

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/zrankdb/zrank/bench/internal/boards"
	"github.com/zrankdb/zrank/bench/internal/disk"
	"github.com/zrankdb/zrank/bench/internal/figure"
	"github.com/zrankdb/zrank/bench/internal/measure"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board"
)

// Options say what a run does.
type Options struct {
	Stage string
	Dir   string        // empty, on the disk that is measured
	N     int           // players
	Seed  uint64        // of the load
	After time.Duration // how long submissions count after an event
}

// Live and Kept are the stages without submitters. Those with them are the names of Events. A stage is its own line of the report.
const (
	Live = "live"
	Kept = "kept"
)

// Stages is every stage, in the order in which they are made.
func Stages() []string {
	list := []string{Live, Kept}
	for _, e := range Events {
		list = append(list, e.Name)
	}
	return list
}

// Run runs a stage.
func Run(ctx context.Context, o Options) (figure.Figures, error) {
	switch o.Stage {
	case Live:
		return live(o)
	case Kept:
		return kept(ctx, o)
	}
	for _, e := range Events {
		if e.Name == o.Stage {
			return watched(o, e)
		}
	}
	return nil, fmt.Errorf("no stage %q", o.Stage)
}

// live weighs the windows.
func live(o Options) (figure.Figures, error) {
	a, err := boards.Open("", engine.Options{}, boards.NewClock(), boards.Windows...)
	if err != nil {
		return nil, err
	}
	before := measure.LiveHeap()
	err = boards.Fill(o.N, o.Seed, a.Apply)
	bytes := float64(measure.LiveHeap()) - float64(before)
	return figure.Figures{figure.Live: bytes / float64(o.N*len(boards.Windows))}, errors.Join(err, a.Close())
}

// quiet are the options of an engine at Interval that takes snapshots when it is told to.
var quiet = engine.Options{Durability: engine.Interval, SnapshotBytes: -1, SnapshotAge: -1}

// kept closes a period, and looks at what is left of it.
func kept(ctx context.Context, o Options) (figure.Figures, error) {
	f := figure.Figures{}
	clock := boards.NewClock()
	a, err := boards.Open(o.Dir, quiet, clock, board.Day)
	if err != nil {
		return nil, err
	}
	if err = errors.Join(closed(a, clock, o, f), a.Close()); err != nil {
		return nil, err
	}
	size, err := disk.Size(o.Dir)
	if err != nil {
		return nil, err
	}
	f[figure.Files] = float64(size) / float64(o.N)
	if err := disk.Evict(o.Dir); err != nil {
		return nil, err
	}
	if a, err = boards.Open(o.Dir, quiet, clock, board.Day); err != nil {
		return nil, err
	}
	return f, errors.Join(reopened(ctx, a, o, f), a.Close())
}

// closed fills the period and closes it.
func closed(a *boards.Arena, clock *boards.Clock, o Options, f figure.Figures) error {
	if err := boards.Fill(o.N, o.Seed, a.Apply); err != nil {
		return err
	}
	clock.Midnight()
	begin := time.Now()
	if _, err := a.Boards.CloseDue(); err != nil {
		return err
	}
	f[figure.Took] = milliseconds(time.Since(begin))
	begin = time.Now()
	if err := a.Engine.Snapshot(); err != nil {
		return err
	}
	f[figure.Snapshot] = milliseconds(time.Since(begin))
	u, err := only(a, o.N)
	f[figure.Closed] = float64(u.Memory) / float64(o.N)
	return err
}

// only returns the one period that there is, closed and with all players.
func only(a *boards.Arena, n int) (u board.Usage, err error) {
	all, err := a.Usage()
	if err != nil {
		return u, err
	}
	if len(all) != 1 || !all[0].Closed || all[0].Members != n {
		return u, fmt.Errorf("the board has %+v, want one closed period of %d players", all, n)
	}
	return all[0], nil
}

// reopened reads the period, and migrates the board. What the period takes on the disk is known by now: what the store had not
// written out when it was asked would count for nothing.
func reopened(ctx context.Context, a *boards.Arena, o Options, f figure.Figures) error {
	runtime.GC() // what the time before has left is not the reader's
	u, err := only(a, o.N)
	if err != nil {
		return err
	}
	f[figure.Stored] = float64(u.Disk) / float64(o.N)
	r, err := a.Period("day", u.Period)
	if err != nil {
		return err
	}
	begin := time.Now()
	card, err := r.Card("player:0000000000000", 10, 5)
	if err != nil {
		return err
	}
	f[figure.Touch] = milliseconds(time.Since(begin))
	if !card.Ranked || card.Len != o.N {
		return fmt.Errorf("the card of the closed period has %d players, want %d", card.Len, o.N)
	}
	spec := boards.Spec(board.Day)
	spec.Ties = board.LastToReach
	begin = time.Now()
	_, err = a.Boards.Migrate(ctx, spec)
	f[figure.Migrate] = milliseconds(time.Since(begin))
	return err
}

func milliseconds(d time.Duration) float64 { return d.Seconds() * 1000 }
