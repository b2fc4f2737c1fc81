package persist

import (
	"context"
	"time"

	"github.com/zrankdb/zrank/persist/internal/commitlog"
	"github.com/zrankdb/zrank/persist/internal/pebbledb"
)

// Compaction tells how far a compaction is, and what it has freed.
type Compaction struct {
	Bytes  int64 // of tables that are to be compacted
	Done   int64 // of these, compacted so far
	Before int64 // bytes of files when the compaction began
	After  int64 // bytes of files when it ended; 0: it has not
}

// pollInterval is the time between two looks at what a compaction waits for.
const pollInterval = 5 * time.Millisecond

// compactionRun is a running compaction.
type compactionRun struct {
	ctx      context.Context // ends when the caller's ends, when the store is closed, or when it fails
	l        *commitlog.Log
	db       *pebbledb.DB
	progress func(Compaction)
	now      Compaction
	oldSeq   uint64 // Pebble's sequence number up to which entries are old
}

// watch ends the context of the compaction when the store is closed or fails. While others commit, it makes Pebble's work give way.
func (r *compactionRun) watch(ended <-chan struct{}, cancel context.CancelCauseFunc) {
	t := time.NewTicker(pollInterval)
	defer t.Stop()
	last := r.l.LastSeq()
	for {
		select {
		case <-ended:
			return
		case <-t.C:
		}
		if err := r.db.Refused(); err != nil {
			cancel(err)
			return
		}
		if seq := r.l.LastSeq(); seq != last {
			last = seq
			r.db.PebbleGivesWay()
		}
	}
}

// await waits until ready returns true.
func (r *compactionRun) await(ready func() (bool, error)) error {
	t := time.NewTicker(pollInterval)
	defer t.Stop()
	for {
		if ok, err := ready(); ok || err != nil {
			return err
		}
		select {
		case <-r.ctx.Done():
			return context.Cause(r.ctx)
		case <-t.C:
		}
	}
}

// report calls the caller's function.
func (r *compactionRun) report() {
	if r.progress != nil {
		r.progress(r.now)
	}
}
