package recovery

import (
	"errors"
	"time"

	"github.com/zrankdb/zrank/bench/internal/crew"
	"github.com/zrankdb/zrank/bench/internal/figure"
	"github.com/zrankdb/zrank/bench/internal/latency"
	"github.com/zrankdb/zrank/bench/internal/workload"
	"github.com/zrankdb/zrank/engine"
)

const (
	// changed is which part of the members changes before a snapshot.
	changed = 20
	// changeSize is how many updates the commits of those changes have.
	changeSize = 1000
	// settled is how long the writers are left alone before a snapshot.
	settled = 100 * time.Millisecond
	// maxSnapshots ends a stage that does not get enough calls.
	maxSnapshots = 40
)

// stall measures writers with snapshots, or without if there is nothing to snapshot for.
func stall(o Options) (figure.Figures, error) {
	level, err := engine.ParseDurability(o.Level)
	if err != nil {
		return nil, err
	}
	e, err := engine.Open(o.Dir, engine.Options{Durability: level, SnapshotBytes: -1})
	if err != nil {
		return nil, err
	}
	f := figure.Figures{}
	err = touch(e, o, figure.Figures{})
	if err == nil {
		err = stalls(e, o, f)
	}
	return f, errors.Join(err, e.Close())
}

func stalls(e *engine.Engine, o Options, f figure.Figures) error {
	c := crew.Hire(func(id int) func(int) error { return writer(e, o, id) })
	windows, err := watch(c, e, o)
	calls, writeErr := c.Dismiss()
	if err = errors.Join(err, writeErr); err != nil {
		return err
	}
	times := latency.New()
	for _, own := range calls {
		crew.Within(times, own, windows)
	}
	times.Into(f)
	if o.Still {
		return nil
	}
	long := time.Duration(0)
	for _, w := range windows {
		long += w.To - w.From
	}
	f[figure.Snapshots] = float64(len(windows))
	f[figure.Snapshot] = milliseconds(long / time.Duration(len(windows)))
	return nil
}

// writer makes the calls of one of the crew.
func writer(e *engine.Engine, o Options, id int) func(i int) error {
	l := newLoad(o.N, o.Seed+100+uint64(id))
	var s workload.Stream
	return func(i int) error {
		if i%looks == 0 {
			s = l.draw(looks)
		}
		return apply(e, arenaKey, &s, i%looks, i%looks+1)
	}
}

// watch takes snapshots until there are enough calls in them, and says when they were.
func watch(c *crew.Crew, e *engine.Engine, o Options) ([]crew.Window, error) {
	if o.Still {
		crew.Pause(settled)
		from := c.Now()
		crew.Pause(time.Duration(o.Calls) * crew.Each / crew.Writers)
		return []crew.Window{{From: from, To: c.Now()}}, nil
	}
	var windows []crew.Window
	l := newLoad(o.N, o.Seed+200)
	long := time.Duration(0)
	for len(windows) < maxSnapshots && int(long*crew.Writers/crew.Each) < o.Calls {
		if err := l.change(e, o.N/changed, changeSize); err != nil {
			return nil, err
		}
		crew.Pause(settled)
		w := crew.Window{From: c.Now()}
		if err := e.Snapshot(); err != nil {
			return nil, err
		}
		w.To = c.Now()
		windows = append(windows, w)
		long += w.To - w.From
	}
	return windows, nil
}
