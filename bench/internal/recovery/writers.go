package recovery

import (
	"errors"
	"fmt"
	"maps"
	"time"

	"github.com/zrankdb/zrank/bench/internal/bench"
	"github.com/zrankdb/zrank/bench/internal/crew"
	"github.com/zrankdb/zrank/bench/internal/disk"
	"github.com/zrankdb/zrank/bench/internal/figure"
	"github.com/zrankdb/zrank/bench/internal/subject"
	"github.com/zrankdb/zrank/bench/internal/workload"
	"github.com/zrankdb/zrank/engine"
)

const (
	// looks is the number of commits between two checks of the length of the log.
	looks = 2000
	// Updates of other sets go to sideSets sets of sideMembers each.
	sideSets, sideMembers = 100, 1000
	// lengths is the number of times that amplify fills the log and takes a snapshot.
	lengths = 2
)

// filler makes commits of one update each.
type filler struct {
	e     *engine.Engine
	write func(i int) error
}

func newFiller(e *engine.Engine, r random, key func(i int) string) filler {
	return filler{e, subject.Writer(e, key, r.pick, r.score)}
}

func arena(int) string { return subject.Arena }

// fillUntilKilled fills the log, and goes on in the background until the process is killed.
func fillUntilKilled(o bench.Options) error {
	e, err := engine.Open(o.Dir, engine.Options{Durability: engine.Interval, SnapshotBytes: -1})
	if err != nil {
		return err
	}
	l := newFiller(e, newRandom(o.N, o.Seed+1, false), arena)
	if o.Case == fillBeside {
		l = newFiller(e, newRandom(sideMembers, o.Seed+1, false), func(i int) string { return fmt.Sprintf("side:%d", i%sideSets) })
	}
	if err := errors.Join(l.until(o.LogBytes), e.Flush()); err != nil {
		return err
	}
	go func() {
		for l.some() == nil {
		}
	}()
	return nil
}

// until makes commits until the log has so many bytes.
func (l filler) until(bytes int64) error {
	for {
		st, err := l.e.Stats()
		if err != nil || st.Log >= bytes {
			return err
		}
		if err := l.some(); err != nil {
			return err
		}
	}
}

func (l filler) some() error {
	for i := range looks {
		if err := l.write(i); err != nil {
			return err
		}
	}
	return nil
}

// amplify measures the bytes written for each byte of log.
func amplify(zipf bool) func(o bench.Options, f figure.Figures) error {
	return func(o bench.Options, f figure.Figures) error {
		meter := disk.NewMeter()
		defer meter.Close()
		e, err := engine.Open(o.Dir, engine.Options{Durability: engine.None, SnapshotBytes: -1, FS: meter.FS})
		if err != nil {
			return err
		}
		l, before := newFiller(e, newRandom(o.N, o.Seed+1, zipf), arena), meter.Written()
		var log, pages int64
		for i := 0; i < lengths && err == nil; i++ {
			err = errors.Join(l.until(o.LogBytes), e.Flush())
			st, failed := e.Stats()
			log += st.Log
			start := meter.Written()
			err = errors.Join(err, failed, e.Snapshot())
			pages += meter.Written().Since(start).Log
		}
		if err = errors.Join(err, e.Close()); err != nil {
			return err
		}
		f[figure.Log] = float64(log)
		f[figure.PagesPerLog] = float64(pages) / float64(log)
		f[figure.FilesPerLog] = float64(meter.Written().Since(before).All) / float64(log)
		return nil
	}
}

const (
	// One in changed members gets another score before a snapshot, in commits of changeSize.
	changed, changeSize = 20, 1000
	// settled is the time that the writers write before a snapshot.
	settled = 100 * time.Millisecond
	// maxSnapshots ends a stage that does not get enough calls.
	maxSnapshots = 40
)

// stall measures writers during snapshots, or without snapshots if still.
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

// writers starts a crew, and records the calls during snapshots.
func writers(e *engine.Engine, o bench.Options, still bool, f figure.Figures) error {
	c := crew.Hire(func(id int) func(int) error {
		r := newRandom(o.N, o.Seed+100+uint64(id), false)
		return subject.Writer(e, arena, r.pick, r.score)
	})
	var err error
	if still {
		crew.Pause(settled)
		_, err = c.During(func() error {
			crew.Pause(time.Duration(o.Calls) * crew.Each / crew.Writers)
			return nil
		})
	} else {
		err = snapshots(c, e, o, f)
	}
	if err = errors.Join(err, c.Dismiss()); err != nil {
		return err
	}
	maps.Copy(f, c.Figures(0, 1))
	return nil
}

// snapshots takes some until enough calls were due in them.
func snapshots(c *crew.Crew, e *engine.Engine, o bench.Options, f figure.Figures) error {
	r, long, n := newRandom(o.N, o.Seed+200, false), time.Duration(0), 0
	for ; n < maxSnapshots && int(long*crew.Writers/crew.Each) < o.Calls; n++ {
		for left := o.N / changed; left > 0; left -= changeSize {
			s := workload.NewStream(min(left, changeSize), r.pick, r.score)
			if err := subject.AddTo(e, subject.ArenaKey, &s, 0, s.Len()); err != nil {
				return err
			}
		}
		crew.Pause(settled)
		took, err := c.During(e.Snapshot)
		if err != nil {
			return err
		}
		long += took
	}
	f[figure.Snapshots] = float64(n)
	f[figure.Snapshot] = bench.Milliseconds(long / time.Duration(n))
	return nil
}
