package commitlog

import (
	"context"
	"time"

	"github.com/zrankdb/zrank/persist/internal/pebbledb"
)

// PauseShare is the length of a pause, in lengths of the step before it. The work takes a quarter of a processor and of the disk then.
const PauseShare = 3

const (
	maxPause   = 20 * time.Millisecond // the longest pause
	hurryBytes = 64 << 20              // what the log grows by, at least, before the work stops pausing
)

// Pacer makes long work in the background give way to commits: a snapshot, or a set that goes to the log in many commits. The work is in steps
// of about 64 KiB. After each step the goroutine sleeps for PauseShare times as long as the step took, waits for the disk included. A goroutine
// that sleeps lets its processor look for timers, for the network and for what a processor inside a call to the disk has left; runtime.Gosched
// does none of that.
//
// There is no pause if nothing else was committed since the last one. Nor is there one once the log has grown to twice its length at the
// beginning, and by hurryBytes: then commits come faster than work that pauses can end. A Pacer is for one goroutine.
type Pacer struct {
	l     *Log
	limit int64     // length of the log from which there are no pauses
	seen  uint64    // the last commit at the end of the last step
	began time.Time // of the step
}

// NewPacer returns a Pacer whose first step begins now.
func (l *Log) NewPacer() *Pacer {
	size := l.LogBytes()
	return &Pacer{l: l, limit: size + max(size, hurryBytes), seen: l.LastSeq(), began: time.Now()}
}

// Pause ends a step and begins the next. own is the number of commits that the step itself has appended.
func (p *Pacer) Pause(own uint64) {
	last := p.l.LastSeq()
	if last != p.seen+own && p.l.LogBytes() < p.limit {
		p.l.DB.GiveWay(min(PauseShare*time.Since(p.began), maxPause))
	}
	p.seen, p.began = last, time.Now()
}

// Bulk waits for the commits of a caller that appends many, one after the other. It is for one goroutine.
type Bulk struct {
	l     *Log
	pacer *Pacer
	bytes int // appended since the last look at Pebble's backlog
}

// NewBulk returns a Bulk before its first commit.
func (l *Log) NewBulk() *Bulk { return &Bulk{l: l, pacer: l.NewPacer()} }

// Wait is Log.Wait, and then gives way to other commits. At levels at which those do not wait for the disk it first waits until the commit is
// in Pebble, and Pebble not far behind: otherwise the caller would fill the queue, and everybody's commits would wait for room in it. size is
// the size of the commit.
func (b *Bulk) Wait(ctx context.Context, seq uint64, size int) error {
	if err := b.l.Wait(ctx, seq); err != nil {
		return err
	}
	for b.l.applied.Load() < seq {
		t, err := b.l.turnOf(seq)
		if err != nil || t == nil {
			return err
		}
		<-t.done
	}
	b.pacer.Pause(1)
	if b.bytes += size; b.bytes < pebbledb.PaceEvery {
		return nil
	}
	b.bytes = 0
	_, err := b.l.DB.CatchUp()
	return err
}
