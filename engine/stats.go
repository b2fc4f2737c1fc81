package engine

import (
	"time"

	"github.com/zrankdb/zrank/engine/internal/keyspace"
	"github.com/zrankdb/zrank/engine/internal/locks"
)

// Stats are figures of an engine. What is counted is counted since the engine was opened, unless said otherwise.
type Stats struct {
	Sets     int    // that exist
	Expiring int    // of those, that vanish at some time
	Loaded   int    // of those, in memory
	Members  int    // in the sets in memory
	Memory   int    // bytes of memory held by the sets, by their own count; what Options.MemoryLimit limits
	Layers   Layers // where Memory goes, and what the engine needs beside it
	Private  int    // private keys in memory: those that the store may not have yet; in memory only, all
	Loads    int    // sets read from the disk since Open, by their first touch or after they had left memory
	Evicted  int    // sets that have left memory since Open
	Expired  uint64 // sets that were collected after their time

	Log        int64         // bytes of log that the next Open would read
	Disk       int64         // bytes of files, the log's included
	LastSeq    uint64        // the last commit, in the engine's whole life; 0 in memory only, as are the others from Log on
	DurableSeq uint64        // the last commit that is known to be on the disk
	Lag        time.Duration // age of the oldest commit that is not; 0: there is none
	Snapshots  Snapshots

	Commits    uint64 // transactions that have changed something
	RolledBack uint64 // transactions that have failed after they had begun
	DiskWaits  uint64 // times that a caller has waited for the disk
	DiskWaited time.Duration
	SlowCalls  uint64    // Updates, Acknowledges, and Views of the sample, that took Options.SlowCall
	Updates    CallTimes // of all Updates, waiting for locks and for the disk included
	Views      CallTimes // of a random sample of one in ViewSample
	EventsLost uint64    // that OnEvent and Logger were too slow for
}

// Layers are bytes of memory by what they are for.
type Layers struct {
	Listpacks int // sets in that encoding, and what bigger sets need beside their index and table
	Indexes   int // of the bigger sets: order of scores
	Tables    int // of the bigger sets: members and their scores
	Keyspace  int // about what finding sets takes, cold ones included: keys, a map of them
}

// Stats returns the engine's figures, each at about this moment. It looks at no set and takes no lock that a transaction holds.
// O(files on the disk). Errors: ErrClosed.
func (e *Engine) Stats() (Stats, error) {
	if e.life.Closed.Load() {
		return Stats{}, ErrClosed
	}
	t, a := e.counters.Totals(), e.keys.Accounts
	st := Stats{Sets: t.Sets, Loaded: t.Loaded, Members: t.Members, Updates: t.Updates, Views: t.Views, Commits: t.Commits, RolledBack: t.RolledBack,
		Layers:    Layers{Keyspace: t.Keys + t.Sets*keyspace.PerSet, Listpacks: t.Listpacks, Indexes: t.Indexes, Tables: t.Tables},
		SlowCalls: e.counters.Slow.Load(), Expired: e.counters.Expired.Load(),
		Memory: int(a.Used.Load()), Loads: int(e.residency.Loads.Load()), Evicted: int(a.Evicted.Load()),
		Expiring: e.m.Expiries.Count(), Private: int(e.m.Private.Kept.Load()), EventsLost: e.events.Lost.Load()}
	if e.store == nil {
		return st, nil
	}
	st.DurableSeq = e.store.DurableSeq() // first: it is never above LastSeq
	st.Log, st.LastSeq, st.Lag = e.store.LogBytes(), e.store.LastSeq(), e.store.Lag()
	st.DiskWaits, st.DiskWaited = e.store.Waits()
	st.Snapshots = e.checkpoints.Figures.Now()
	if at := e.store.SnapshotTime(); !at.IsZero() {
		st.Snapshots.Age = max(time.Since(at), 1)
	}
	var err error
	st.Disk, err = e.store.DiskUsage()
	return st, locks.ClosedError(err)
}
