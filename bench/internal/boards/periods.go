package boards

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime"
	"time"

	"github.com/zrankdb/zrank/bench/internal/bench"
	"github.com/zrankdb/zrank/bench/internal/crew"
	"github.com/zrankdb/zrank/bench/internal/disk"
	"github.com/zrankdb/zrank/bench/internal/figure"
	"github.com/zrankdb/zrank/bench/internal/measure"
	"github.com/zrankdb/zrank/bench/internal/subject"
	"github.com/zrankdb/zrank/bench/internal/workload"
	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/engine"
)

// The stages without submitters. live is the memory of three windows of n players. kept is one window whose period of n players is
// closed: how long that takes, its memory once a snapshot has been taken, its disk, how long the first card takes after the engine was
// opened anew and the kernel has forgotten its files, and a migration to another tie rule.
const live, kept = "live", "kept"

// event is something that happens while a crew submits to a board of three windows: midnight, and the day of n players is closed; a
// snapshot, after which a closed day leaves memory. A stage is its own line.
type event struct {
	name, title      string
	closes, snapshot bool
}

var events = []event{
	{"still", "nothing", false, false},
	{"close", "the day is closed", true, false},
	{"leave", "closed, snapshotted, out of memory", true, true},
	{"snapshot", "snapshotted, nothing closed", false, true},
}

func (e event) happens() bool { return e.closes || e.snapshot }

func stages() []string {
	list := []string{live, kept}
	for _, e := range events {
		list = append(list, e.name)
	}
	return list
}

// quiet are the options of an engine at Interval that takes snapshots only when it is told to.
var quiet = engine.Options{Durability: engine.Interval, SnapshotBytes: -1, SnapshotAge: -1}

// settled is the time that the writers submit before the event.
const settled = 500 * time.Millisecond

func runStage(ctx context.Context, o bench.Options, f figure.Figures) error {
	switch o.Case {
	case live:
		return weigh(o, f)
	case kept:
		return keep(ctx, o, f)
	}
	for _, e := range events {
		if e.name == o.Case {
			return e.run(o, f)
		}
	}
	return fmt.Errorf("no stage %q", o.Case)
}

func weigh(o bench.Options, f figure.Figures) error {
	a, err := openArena("", engine.Options{}, newClock(), windows...)
	if err != nil {
		return err
	}
	before := measure.LiveHeap()
	err = fill(o.N, o.Seed, a.put)
	f[figure.Live] = (float64(measure.LiveHeap()) - float64(before)) / float64(o.N*len(windows))
	return errors.Join(err, a.close())
}

func keep(ctx context.Context, o bench.Options, f figure.Figures) error {
	c := newClock()
	a, err := openArena(o.Dir, quiet, c, board.Day)
	if err != nil {
		return err
	}
	if err = errors.Join(closed(a, c, o, f), a.close()); err != nil {
		return err
	}
	size, err := disk.Size(o.Dir)
	if err = errors.Join(err, disk.Evict(o.Dir)); err != nil {
		return err
	}
	f[figure.Files] = float64(size) / float64(o.N)
	if a, err = openArena(o.Dir, quiet, c, board.Day); err != nil {
		return err
	}
	return errors.Join(reopened(ctx, a, o, f), a.close())
}

// closed fills the period and closes it.
func closed(a *arena, c *clock, o bench.Options, f figure.Figures) error {
	if err := fill(o.N, o.Seed, a.put); err != nil {
		return err
	}
	c.midnight()
	begin := time.Now()
	if _, err := a.boards.CloseDue(context.Background()); err != nil {
		return err
	}
	f[figure.Took] = bench.Milliseconds(time.Since(begin))
	begin = time.Now()
	if err := a.engine.Snapshot(); err != nil {
		return err
	}
	f[figure.Snapshot] = bench.Milliseconds(time.Since(begin))
	u, err := only(a, o.N)
	f[figure.Closed] = float64(u.Memory) / float64(o.N)
	return err
}

// only returns the one closed period, which must have all players.
func only(a *arena, n int) (u board.Usage, err error) {
	all, err := a.Periods(context.Background(), "day")
	if err != nil {
		return u, err
	}
	if len(all) != 1 || !all[0].Closed || all[0].Members != n {
		return u, fmt.Errorf("the board has %+v, want one closed period of %d players", all, n)
	}
	return all[0], nil
}

// reopened reads the period, and migrates the board. It reads the size on disk here because the store counts only bytes that it has written.
func reopened(ctx context.Context, a *arena, o bench.Options, f figure.Figures) error {
	runtime.GC() // earlier garbage must not slow the reader
	u, err := only(a, o.N)
	if err != nil {
		return err
	}
	f[figure.Stored] = float64(u.Disk) / float64(o.N)
	r, err := a.Period(ctx, "day", u.Period)
	if err != nil {
		return err
	}
	begin := time.Now()
	card, err := r.Card(ctx, "player:0000000000000", top, each)
	if err != nil {
		return err
	}
	f[figure.Touch] = bench.Milliseconds(time.Since(begin))
	if !card.Ranked {
		return subject.Absent("player 0")
	}
	s := spec(board.Day)
	s.Ties = board.LastToReach
	begin = time.Now()
	_, err = a.boards.Migrate(ctx, s)
	f[figure.Migrate] = bench.Milliseconds(time.Since(begin))
	return errors.Join(err, bench.Want("players on the card", card.Len, o.N))
}

// run fills a board of three windows, and runs the event while a crew submits.
func (e event) run(o bench.Options, f figure.Figures) error {
	c := newClock()
	a, err := openArena(o.Dir, quiet, c, windows...)
	if err != nil {
		return err
	}
	if err = fill(o.N, o.Seed, a.put); err == nil {
		runtime.GC() // the garbage of the fill must not slow the event
		err = e.watch(a, c, o, f)
	}
	return errors.Join(err, a.close())
}

func (e event) watch(a *arena, c *clock, o bench.Options, f figure.Figures) error {
	day, err := a.At(context.Background(), "day", c.now()) // which it stays with when the next one begins
	if err != nil {
		return err
	}
	var do func() error
	if e.happens() {
		do = func() error { return e.do(a, c) }
	}
	calls, err := crew.Watch(settled, o.After, func(id int) func(int) error { return submitter(a, o, id) }, do)
	if err != nil {
		return err
	}
	maps.Copy(f, calls.Figures(0, 1))
	found, err := day.Len(context.Background())
	info, unknown := day.Info(context.Background())
	if info.Closed != e.closes {
		err = errors.Join(err, unknown, fmt.Errorf("the day is closed: %v", info.Closed))
	}
	return errors.Join(err, bench.Want("players in the day", found, o.N))
}

// do makes the event happen. The board's own goroutine may be the one that closes the day.
func (e event) do(a *arena, c *clock) (err error) {
	if e.closes {
		c.midnight()
		_, err = a.boards.CloseDue(context.Background())
	}
	if e.snapshot && err == nil {
		err = a.engine.Snapshot()
	}
	return err
}

// submitter makes the submissions of one writer.
func submitter(a *arena, o bench.Options, id int) func(i int) error {
	r := rand.New(rand.NewPCG(o.Seed+uint64(id), 0x77726974))
	next := workload.Endless(func(int) int { return r.IntN(o.N) }, func() float64 { return float64(1 + r.IntN(maxPoints)) })
	return func(int) error {
		s, at := next()
		_, err := a.Submit(context.Background(), board.Submission{Member: s.Key(at).Name, Score: board.Ints(int64(s.Score(at)))})
		return err
	}
}
