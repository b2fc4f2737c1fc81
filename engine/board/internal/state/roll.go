package state

import (
	"math"
	"sync"
	"sync/atomic"

	"github.com/zrankdb/zrank/engine/board/internal/boardkey"
)

// Roll is what the timeline of a rolling window has besides: the keys of the sets beside its ranking, and a time before which no result leaves.
//
// Next never exceeds the time at which the first result leaves. A submission calls Lower while it has the sets locked, and need not commit. A
// transaction that applies what is due calls Begin while it has them locked, finds when the next result leaves, and calls Raise with that once
// its commit is made. Raise takes account of every submission after Begin, and does nothing if there has been another Begin since.
type Roll struct {
	Timers  string     // the key of the set of members, by the time at which the first of their results leaves
	Results string     // the key of the set of results
	Step    sync.Mutex // held during a step, so that steps do not queue for the sets

	next   atomic.Int64  // microseconds after 1970; math.MinInt64: unknown. Written under mu
	raised atomic.Uint64 // calls of Raise. Written under mu
	mu     sync.Mutex
	begun  uint64 // calls of Begin
	lowest int64  // argument of Lower since the last Begin
}

func newRoll(board, window string, version int) *Roll {
	key := func(kind string) string {
		return boardkey.Key{Board: board, Kind: kind + window, Period: boardkey.NoPeriod, Version: version}.String()
	}
	r := &Roll{Timers: key(boardkey.TimersKind), Results: key(boardkey.ResultsKind), lowest: math.MaxInt64}
	r.next.Store(math.MinInt64)
	return r
}

// Next returns a time, in microseconds after 1970, before which no result leaves. math.MinInt64: it is not known yet.
func (r *Roll) Next() int64 { return r.next.Load() }

// Raised returns the number of calls of Raise. While it stays the same, Next does not rise.
func (r *Roll) Raised() uint64 { return r.raised.Load() }

// Lower notes that a result leaves at a time. The caller has the sets locked.
func (r *Roll) Lower(at int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lowest = min(r.lowest, at)
	if at < r.next.Load() {
		r.next.Store(at)
	}
}

// Begin notes that a transaction finds out when the next result leaves. It returns a number for Raise. The caller has the timers locked.
func (r *Roll) Begin() uint64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.begun++
	r.lowest = math.MaxInt64
	return r.begun
}

// Raise notes that the first result left at a time when Begin returned a number, and that the transaction has been committed.
func (r *Roll) Raise(begun uint64, at int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if begun == r.begun {
		r.raised.Add(1)
		r.next.Store(min(at, r.lowest))
	}
}
