package recovery

import (
	"errors"
	"fmt"

	"github.com/zrankdb/zrank/bench/internal/bench"
	"github.com/zrankdb/zrank/bench/internal/disk"
	"github.com/zrankdb/zrank/bench/internal/figure"
	"github.com/zrankdb/zrank/bench/internal/subject"
	"github.com/zrankdb/zrank/bench/internal/workload"
	"github.com/zrankdb/zrank/engine"
)

const (
	// looks is how many commits there are between two looks at the length of the log.
	looks = 2000
	// Updates of other sets go to sideSets sets of sideMembers each.
	sideSets, sideMembers = 100, 1000
	// lengths is how many times amplify fills the log and takes a snapshot.
	lengths = 2
)

// filler makes commits of one update each.
type filler struct {
	e    *engine.Engine
	r    random
	keys [][]string // of the sets, in turn
}

// fillUntilKilled fills the log, and goes on in the background until the process is killed.
func fillUntilKilled(o bench.Options) error {
	e, err := engine.Open(o.Dir, engine.Options{Durability: engine.Interval, SnapshotBytes: -1})
	if err != nil {
		return err
	}
	l := filler{e, newRandom(o.N, o.Seed+1, false), [][]string{subject.ArenaKey}}
	if o.Case == fillBeside {
		l.r, l.keys = newRandom(sideMembers, o.Seed+1, false), nil
		for i := range sideSets {
			l.keys = append(l.keys, []string{fmt.Sprintf("side:%d", i)})
		}
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
	s := workload.NewStream(looks, l.r.pick, l.r.score)
	for i := range looks {
		if err := subject.AddTo(l.e, l.keys[i%len(l.keys)], &s, i, i+1); err != nil {
			return err
		}
	}
	return nil
}

// amplify counts what is written for each byte of log.
func amplify(zipf bool) func(o bench.Options, f figure.Figures) error {
	return func(o bench.Options, f figure.Figures) error {
		meter := disk.NewMeter()
		e, err := engine.Open(o.Dir, engine.Options{Durability: engine.None, SnapshotBytes: -1, FS: meter})
		if err != nil {
			return err
		}
		l, before := filler{e, newRandom(o.N, o.Seed+1, zipf), [][]string{subject.ArenaKey}}, meter.Written()
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
