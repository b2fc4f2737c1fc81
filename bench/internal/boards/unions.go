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
	"github.com/zrankdb/zrank/bench/internal/figure"
	"github.com/zrankdb/zrank/bench/internal/workload"
	"github.com/zrankdb/zrank/board"
)

// unions is the case of seven days of n players each, six closed and one live, that are united into a week while a crew submits. The players of
// each day are drawn from 2.2 n. Each event has a board of its own.
const unions = "unions"

// unionEvents are the events of the case.
var unionEvents = []struct {
	name, title string
	do          func(a *arena) error // nil: nothing happens
}{
	{"nothing", "no union", nil},
	{"computed", "seven days united into a week", func(a *arena) error { _, err := a.boards.Union(context.Background(), sevenDays); return err }},
	{"stored", "seven days united into a week, stored", func(a *arena) error { return a.boards.StoreUnion(context.Background(), "week", sevenDays) }},
}

var sevenDays = board.UnionSpec{Sources: []board.UnionSource{{Board: "arena", Window: "day", Last: 7}}}

func unionLine(event string) string { return unions + "/" + event }

// runUnions runs all events, each first alone, for what it allocates.
func runUnions(o bench.Options) (found []bench.Sample, err error) {
	for _, e := range unionEvents {
		f := figure.Figures{}
		if err := runUnion(o, o.Dir+"/"+e.name, e.do, f); err != nil {
			return nil, fmt.Errorf("%s: %w", e.name, err)
		}
		found = append(found, bench.Sample{Line: unionLine(e.name), Figures: f})
	}
	return found, nil
}

func runUnion(o bench.Options, dir string, do func(*arena) error, f figure.Figures) error {
	c := newClock()
	a, err := openArena(dir, quiet, c, board.Day)
	if err != nil {
		return err
	}
	if err = a.fillDays(c, o); err == nil {
		err = watchUnion(a, o, do, f)
	}
	return errors.Join(err, a.close())
}

// fillDays fills seven days, and closes all but the last.
func (a *arena) fillDays(c *clock, o bench.Options) error {
	r := rand.New(rand.NewPCG(o.Seed, 0x646179))
	for day := range 7 {
		if day > 0 {
			c.midnight()
			if _, err := a.boards.CloseDue(context.Background()); err != nil {
				return err
			}
		}
		order := r.Perm(o.N * 22 / 10)[:o.N]
		for lo := 0; lo < o.N; lo += fillSize {
			s := workload.NewStream(min(fillSize, o.N-lo), func(i int) int { return order[lo+i] }, func() float64 { return float64(r.Int64N(startSpan)) })
			if err := a.put(&s); err != nil {
				return err
			}
		}
	}
	return a.engine.Snapshot()
}

func watchUnion(a *arena, o bench.Options, do func(*arena) error, f figure.Figures) error {
	var event func() error
	if do != nil {
		event = func() error { return do(a) }
		if err := do(a); err != nil { // closed days come from the disk
			return err
		}
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		begin := time.Now()
		if err := do(a); err != nil {
			return err
		}
		f[figure.Fill] = bench.Milliseconds(time.Since(begin)) // alone
		runtime.ReadMemStats(&after)
		f[figure.AllocBytes] = float64(after.TotalAlloc - before.TotalAlloc)
	}
	runtime.GC()
	calls, err := crew.Watch(settled, o.After, func(id int) func(int) error { return submitter(a, o, id) }, event)
	if err == nil {
		maps.Copy(f, calls.Figures(0, 1))
	}
	return err
}
