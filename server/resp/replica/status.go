package replica

import (
	"maps"
	"sync"
	"time"

	"github.com/zrankdb/zrank/rdb"
)

// Method is how the keys are copied.
type Method int

const (
	// Auto copies by replication, and by SCAN where the source refuses that.
	Auto Method = iota
	// Replication copies as a replica.
	Replication
	// Scan copies by SCAN and keyspace notifications.
	Scan
)

// Phase is what a Run does.
type Phase string

const (
	// Connecting is before the first connection, and while one is lost.
	Connecting Phase = "connecting"
	// Copying is while all keys come.
	Copying Phase = "copying"
	// Following is while changes come.
	Following Phase = "following"
	// Passing is the last pass of a copy by SCAN.
	Passing Phase = "last pass"
)

// Tally is how many of something were left out, and an example: a key, or an error.
type Tally struct {
	N       int64
	Example string
}

// Status is how far a Run is.
type Status struct {
	Phase    Phase
	Method   Method        // how it copies
	Keys     int64         // that were copied from files, or by SCAN
	Commands int64         // that were applied
	Offset   int64         // up to which everything is applied; by SCAN, 0
	Source   int64         // the offset of the source when it was asked last
	Behind   time.Duration // since when it is not in step; 0: it is
	Pending  int           // by SCAN: keys that have changed and are to be copied
	Copies   int           // how many files, or passes
	Lost     int           // connections

	Types     map[string]Tally // keys that were left out, by their type
	Unkeyed   rdb.Unkeyed      // what the copy left out that belongs to no key
	Commanded map[string]Tally // commands that were left out, by their name
	Warnings  []string
}

// Lag returns how many bytes of changes are not applied yet, as far as is known.
func (s Status) Lag() int64 { return max(0, s.Source-s.Offset) }

// Report is the last Status of a Run.
type Report struct {
	Status
	InStep bool // everything that the source had when ctx ended is applied
}

// tracker keeps the status. Any goroutine may use it.
type tracker struct {
	mu     sync.Mutex
	s      Status
	behind time.Time // zero: in step
	tell   func(Status)
	told   time.Time
}

func newTracker(tell func(Status)) *tracker {
	return &tracker{tell: tell, s: Status{Phase: Connecting, Types: map[string]Tally{}, Commanded: map[string]Tally{}}}
}

const tellEvery = 200 * time.Millisecond

// update changes the status and tells it, not too often unless the phase changes.
func (t *tracker) update(change func(s *Status)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	phase := t.s.Phase
	change(&t.s)
	now := time.Now()
	switch {
	case t.s.Lag() == 0 && t.s.Pending == 0:
		t.behind = time.Time{}
	case t.behind.IsZero():
		t.behind = now
	}
	if t.s.Behind = 0; !t.behind.IsZero() {
		t.s.Behind = now.Sub(t.behind)
	}
	if t.tell != nil && (t.s.Phase != phase || now.Sub(t.told) >= tellEvery) {
		t.told = now
		t.tell(t.copied())
	}
}

// copied returns the status with maps of its own. The caller holds mu.
func (t *tracker) copied() Status {
	s := t.s
	s.Types, s.Commanded = maps.Clone(s.Types), maps.Clone(s.Commanded)
	return s
}

func (t *tracker) now() Status {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.copied()
}

const maxNames = 100 // of types and commands

// leaveOut counts something that is left out.
func leaveOut(in map[string]Tally, name, example string) {
	x, known := in[name]
	if !known && len(in) >= maxNames {
		name = "others"
		x = in[name]
	}
	if x.N++; x.N == 1 {
		x.Example = example
	}
	in[name] = x
}
