package engine

import (
	"time"

	"github.com/zrankdb/zrank/engine/internal/keyspace"
	"github.com/zrankdb/zrank/engine/internal/locks"
)

// Stats are figures of an engine. Counts begin when the engine is opened, unless a field says otherwise.
type Stats struct {
	Sets     int    // that exist
	Expiring int    // of those, that have an expiry
	Loaded   int    // of those, in memory
	Members  int    // in the sets in memory
	Memory   int    // bytes of memory held by the sets, by their own count; what Options.MemoryLimit limits
	Layers   Layers // how Memory divides, and what the engine needs besides it
	Private  int    // private keys in memory: those that the store may not have yet; without a store, all
	Loads    int    // sets read from the disk, for their first use or after they had left memory
	Evicted  int    // sets that have left memory
	Expired  uint64 // expired sets that were dropped

	WrittenOut uint64 // sets that were written to the disk between two snapshots, so that they could leave memory under Options.MemoryLimit
	RoomWaits  uint64 // transactions that have waited for room under Options.MemoryLimit

	Log        int64         // bytes of log that the next Open would read
	Disk       int64         // bytes of all files, including the log
	LastSeq    uint64        // the last commit, counted across restarts; all fields from Log to Snapshots are 0 in memory only
	DurableSeq uint64        // the last commit that is known to be on the disk
	Lag        time.Duration // age of the oldest commit that is not on the disk; 0: there is none
	Snapshots  Snapshots     // their number, age, size and errors
	Refused    error         // why an Update would be refused now: ErrDiskFull, ErrStalled or ErrPersistence; nil: it would not

	Commits     uint64        // transactions that have changed something
	RolledBack  uint64        // transactions that have failed after they had begun
	Restarts    uint64        // runs of closures that had to begin again, because a set that they asked for was not free
	DiskWaits   uint64        // times that a caller has waited for the disk
	DiskWaited  time.Duration // in all of these
	Waiting     int           // calls that have waited for a key for Options.SlowCall, and still do
	LongestWait time.Duration // how long the one of them that began first has waited; a closure that does not end holds them up
	SlowCalls   uint64        // Updates, Acknowledges, and Views of the sample, that took Options.SlowCall
	Updates     CallTimes     // of all Updates, including waits for locks and for the disk
	Views       CallTimes     // of a random sample of one in ViewSample
	EventsLost  uint64        // events dropped because OnEvent or Logger was too slow
}

// Snapshots are figures of snapshots: see Stats.
type Snapshots struct {
	Taken    uint64        // since Open
	Failed   uint64        // since Open
	Age      time.Duration // since the last one was published, before Open perhaps; 0: there is none
	Duration time.Duration // of the last one
	Bytes    int64         // of pages that the last one wrote
	Err      error         // why the last one failed; nil if it did not
}

// Layers are bytes of memory by their use.
type Layers struct {
	Listpacks int // listpacks, and what bigger sets need besides their index and table
	Indexes   int // of the bigger sets: the order of scores
	Tables    int // of the bigger sets: members and their scores
	Keyspace  int // estimate for the map of keys, including cold sets
}

// Stats returns the engine's figures, each at about this moment. It visits no set and takes no lock that a transaction holds.
// O(files on the disk). Errors: ErrClosed.
func (e *Engine) Stats() (Stats, error) {
	if e.life.Closed.Load() {
		return Stats{}, ErrClosed
	}
	t, a := e.counters.Totals(), e.keys.Accounts
	st := Stats{Sets: t.Sets, Loaded: t.Loaded, Members: t.Members, Updates: callTimes(t.Updates), Views: callTimes(t.Views), Commits: t.Commits, RolledBack: t.RolledBack, Restarts: t.Restarts,
		Layers:    Layers{Keyspace: t.Keys + t.Sets*keyspace.PerSet, Listpacks: t.Listpacks, Indexes: t.Indexes, Tables: t.Tables},
		SlowCalls: e.counters.Slow.Load(), Expired: e.counters.Expired.Load(),
		Memory: int(a.Used.Load()), Loads: int(e.residency.Loads.Load()), Evicted: int(a.Evicted.Load()),
		WrittenOut: e.residency.WrittenOut.Load(), RoomWaits: e.residency.Room.Waits.Load(),
		Expiring: e.m.expiries.Count(), Private: e.m.private.Kept(), EventsLost: e.events.Lost.Load()}
	st.Waiting, st.LongestWait = e.locks.Waiting()
	if e.store == nil {
		return st, nil
	}
	st.DurableSeq = e.store.DurableSeq() // read before LastSeq, so that it is not above it
	st.Log, st.LastSeq, st.Lag = e.store.LogBytes(), e.store.LastSeq(), e.store.Lag()
	st.DiskWaits, st.DiskWaited = e.store.Waits()
	st.Snapshots, st.Refused = Snapshots(e.checkpoints.Figures.Now()), e.store.Refused()
	if at := e.store.SnapshotTime(); !at.IsZero() {
		st.Snapshots.Age = max(time.Since(at), 1)
	}
	var err error
	st.Disk, err = e.store.DiskUsage()
	return st, locks.ClosedError(err)
}
