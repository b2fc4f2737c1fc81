package recovery

import (
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/zrankdb/zrank/bench/internal/figure"
	"github.com/zrankdb/zrank/bench/internal/latency"
	"github.com/zrankdb/zrank/bench/internal/workload"
	"github.com/zrankdb/zrank/engine"
)

const (
	// So many writers that a slow flush does not make them late for their next calls.
	writers = 64
	// each is the time between two calls of one writer in its timetable: 4,000 calls a second in all.
	each = 16 * time.Millisecond
	// changed is which part of the members changes before a snapshot.
	changed = 20
	// changeSize is how many updates the commits of those changes have.
	changeSize = 1000
	// settled is how long the writers are left alone before a snapshot.
	settled = 100 * time.Millisecond
	// maxSnapshots ends a stage that does not get enough calls.
	maxSnapshots = 40
)

// call is one call of a writer: when it was to begin, and when it ended.
type call struct{ due, end time.Duration }

// window is the time of a snapshot.
type window struct{ from, to time.Duration }

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
	crew := hire(e, o)
	windows, err := crew.watch(e, o)
	calls, writeErr := crew.dismiss()
	if err = errors.Join(err, writeErr); err != nil {
		return err
	}
	within(calls, windows).Into(f)
	if o.Still {
		return nil
	}
	long := time.Duration(0)
	for _, w := range windows {
		long += w.to - w.from
	}
	f[figure.Snapshots] = float64(len(windows))
	f[figure.Snapshot] = milliseconds(long / time.Duration(len(windows)))
	return nil
}

// within collects the times of the calls that were under way, or due, in one of the windows.
func within(calls []call, windows []window) *latency.Recorder {
	r := latency.New()
	for _, c := range calls {
		for _, w := range windows {
			if c.due < w.to && c.end > w.from {
				r.Record(c.end - c.due)
				break
			}
		}
	}
	return r
}

// crew is the writers at work.
type crew struct {
	start time.Time
	stop  atomic.Bool
	all   sync.WaitGroup
	calls [writers][]call
	errs  [writers]error
}

func hire(e *engine.Engine, o Options) *crew {
	c := &crew{start: time.Now()}
	for i := range writers {
		l := newLoad(o.N, o.Seed+100+uint64(i))
		c.all.Go(func() { c.write(e, i, l) })
	}
	return c
}

// write makes calls by the timetable.
func (c *crew) write(e *engine.Engine, id int, l *load) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	<-timer.C
	var s workload.Stream
	for i := 0; !c.stop.Load(); i++ {
		if i%looks == 0 {
			s = l.draw(looks)
		}
		due := time.Duration(i)*each + time.Duration(id)*each/writers
		if early := due - time.Since(c.start); early > 0 {
			timer.Reset(early)
			<-timer.C
		}
		if err := apply(e, arenaKey, &s, i%looks, i%looks+1); err != nil {
			c.errs[id] = err
			return
		}
		c.calls[id] = append(c.calls[id], call{due, time.Since(c.start)})
	}
}

// watch takes snapshots until there are enough calls in them, and says when they were.
func (c *crew) watch(e *engine.Engine, o Options) ([]window, error) {
	if o.Still {
		pause(settled)
		from := time.Since(c.start)
		pause(time.Duration(o.Calls) * each / writers)
		return []window{{from, time.Since(c.start)}}, nil
	}
	var windows []window
	l := newLoad(o.N, o.Seed+200)
	long := time.Duration(0)
	for len(windows) < maxSnapshots && int(long*writers/each) < o.Calls {
		if err := l.change(e, o.N/changed, changeSize); err != nil {
			return nil, err
		}
		pause(settled)
		w := window{from: time.Since(c.start)}
		if err := e.Snapshot(); err != nil {
			return nil, err
		}
		w.to = time.Since(c.start)
		windows = append(windows, w)
		long += w.to - w.from
	}
	return windows, nil
}

// dismiss ends the writers and returns their calls.
func (c *crew) dismiss() (calls []call, err error) {
	c.stop.Store(true)
	c.all.Wait()
	for i := range writers {
		calls = append(calls, c.calls[i]...)
		err = errors.Join(err, c.errs[i])
	}
	return calls, err
}

func pause(d time.Duration) { <-time.After(d) }
