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
// step calls Begin while it has them locked, finds when the next result leaves, and calls Raise with that once its commit is made. Raise takes
// account of every submission after Begin.
type Roll struct {
	Timers  string     // the key of the set of members, by the time at which the first of their results leaves
	Results string     // the key of the set of results
	Step    sync.Mutex // held during a step, from before Begin until after Raise

	steps  atomic.Uint64
	next   atomic.Int64 // microseconds after 1970; math.MinInt64: unknown
	mu     sync.Mutex
	lowest int64 // argument of Lower since Begin
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

// Steps returns the number of calls of Raise. While it stays the same, Next does not rise.
func (r *Roll) Steps() uint64 { return r.steps.Load() }

// Lower notes that a result leaves at a time.
func (r *Roll) Lower(at int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lowest = min(r.lowest, at)
	r.next.Store(min(r.next.Load(), at))
}

// Begin begins a step. The caller holds Step.
func (r *Roll) Begin() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lowest = math.MaxInt64
}

// Raise ends a step that found that the first result leaves at a time. The caller holds Step.
func (r *Roll) Raise(at int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.steps.Add(1)
	r.next.Store(min(at, r.lowest))
}
