package recovery

import (
	"errors"
	"time"

	"github.com/zrankdb/zrank/bench/internal/bench"
	"github.com/zrankdb/zrank/bench/internal/crew"
	"github.com/zrankdb/zrank/bench/internal/figure"
	"github.com/zrankdb/zrank/bench/internal/subject"
	"github.com/zrankdb/zrank/bench/internal/workload"
	"github.com/zrankdb/zrank/engine"
)

const (
	// changed is which part of the members changes before a snapshot, in commits of changeSize.
	changed, changeSize = 20, 1000
	// settled is how long the writers write before a snapshot.
	settled = 100 * time.Millisecond
	// maxSnapshots ends a stage that does not get enough calls.
	maxSnapshots = 40
)

// stall measures writers while snapshots are taken, or without if it is still.
func stall(durability string, still bool) func(o bench.Options, f figure.Figures) error {
	return func(o bench.Options, f figure.Figures) error {
		level, err := engine.ParseDurability(durability)
		if err != nil {
			return err
		}
		e, err := engine.Open(o.Dir, engine.Options{Durability: level, SnapshotBytes: -1})
		if err != nil {
			return err
		}
		if err = touch(e, o, figure.Figures{}); err == nil {
			err = writers(e, o, still, f)
		}
		return errors.Join(err, e.Close())
	}
}

// writers lets a crew write, and notes the calls that snapshots delay.
func writers(e *engine.Engine, o bench.Options, still bool, f figure.Figures) error {
	c := crew.Hire(func(id int) func(int) error {
		r := newRandom(o.N, o.Seed+100+uint64(id), false)
		next := workload.Endless(r.pick, r.score)
		return func(int) error {
			s, at := next()
			return subject.AddTo(e, subject.ArenaKey, s, at, at+1)
		}
	})
	w := crew.Watched{}
	var err error
	if still {
		crew.Pause(settled)
		from := c.Now()
		crew.Pause(time.Duration(o.Calls) * crew.Each / crew.Writers)
		w.Windows = []crew.Window{{From: from, To: c.Now()}}
	} else {
		w.Windows, err = snapshots(c, e, o)
	}
	var failed error
	w.Made, failed = c.Dismiss()
	if err = errors.Join(err, failed); err != nil {
		return err
	}
	w.All().Into(f)
	if still {
		return nil
	}
	long := time.Duration(0)
	for _, x := range w.Windows {
		long += x.To - x.From
	}
	f[figure.Snapshots] = float64(len(w.Windows))
	f[figure.Snapshot] = bench.Milliseconds(long / time.Duration(len(w.Windows)))
	return nil
}

// snapshots takes some until enough calls were due in them, and returns when they were.
func snapshots(c *crew.Crew, e *engine.Engine, o bench.Options) (windows []crew.Window, err error) {
	r, long := newRandom(o.N, o.Seed+200, false), time.Duration(0)
	for len(windows) < maxSnapshots && int(long*crew.Writers/crew.Each) < o.Calls {
		for left := o.N / changed; left > 0; left -= changeSize {
			s := workload.NewStream(min(left, changeSize), r.pick, r.score)
			if err := subject.AddTo(e, subject.ArenaKey, &s, 0, s.Len()); err != nil {
				return nil, err
			}
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
