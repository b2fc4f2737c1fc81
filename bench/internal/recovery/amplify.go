package recovery

import (
	"errors"

	"github.com/zrankdb/zrank/bench/internal/disk"
	"github.com/zrankdb/zrank/bench/internal/figure"
	"github.com/zrankdb/zrank/engine"
)

// lengths is how many times the log is filled and snapshotted.
const lengths = 2

// amplify counts what is written for each byte of log.
func amplify(o Options) (figure.Figures, error) {
	meter := disk.NewMeter()
	e, err := engine.Open(o.Dir, engine.Options{Durability: engine.None, SnapshotBytes: -1, FS: meter})
	if err != nil {
		return nil, err
	}
	l := newLoad(o.N, o.Seed+1)
	if o.Zipf {
		l.zipf()
	}
	before := meter.Written()
	log, pages, err := cycles(e, l, meter, o.LogBytes)
	if err = errors.Join(err, e.Close()); err != nil {
		return nil, err
	}
	return figure.Figures{
		figure.Log:         float64(log),
		figure.PagesPerLog: float64(pages) / float64(log),
		figure.FilesPerLog: float64(meter.Written().Since(before).All) / float64(log),
	}, nil
}

// cycles fills the log and takes a snapshot, some times, and returns the bytes of log and of pages.
func cycles(e *engine.Engine, l *load, meter *disk.Meter, bytes int64) (log, pages int64, err error) {
	for range lengths {
		if err = fill(e, l, [][]string{arenaKey}, bytes); err == nil {
			err = e.Flush()
		}
		if err != nil {
			return 0, 0, err
		}
		st, err := e.Stats()
		if err != nil {
			return 0, 0, err
		}
		log += st.Log
		before := meter.Written()
		if err := e.Snapshot(); err != nil {
			return 0, 0, err
		}
		pages += meter.Written().Since(before).Log
	}
	return log, pages, nil
}
