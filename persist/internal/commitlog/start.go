package commitlog

import (
	"time"

	"github.com/zrankdb/zrank/persist/internal/pebbledb"
)

// New returns the log of a database that is open for writing. Run starts it.
func New(d *pebbledb.DB, c Config, at State) *Log {
	l := &Log{
		DB:        d,
		wait:      c.Sync,
		interval:  c.Interval,
		retain:    c.Retain,
		turn:      newTurn(),
		wake:      make(chan struct{}, 1),
		lag:       lag{max: c.MaxLag},
		tail:      tail{limit: c.TailBytes},
		current:   at.Current,
		committer: committer{chain: at.Chain, meter: at.Meter},
	}
	last := at.Chain.Next - 1
	l.Last.Store(last)
	l.applied.Store(last)
	l.reached(last)
	l.Opened = last
	l.logSize.Store(at.Meter.Size())
	d.WhenFailed(l.endTurns)
	return l
}

// Start returns the running log of a database that is open for writing.
func Start(d *pebbledb.DB, c Config, at State) *Log {
	l := New(d, c, at)
	d.Run()
	l.Run()
	return l
}

// Run starts the committer and the watchdog.
func (l *Log) Run() {
	if l.interval > 0 {
		l.lag.timer = time.AfterFunc(l.lag.max, l.lagTimer)
		l.lag.timer.Stop()
	}
	go l.commitLoop()
	go l.watchdog()
}

// endTurns wakes all waiters after a failure: the committer will not finish their turns.
func (l *Log) endTurns() {
	l.mu.Lock()
	l.turn.end()
	l.inflight.end()
	l.mu.Unlock()
	l.tail.wake()
}
