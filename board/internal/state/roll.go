package state

import (
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/zrankdb/zrank/board/internal/boardkey"
)

// Roll is what the timeline of a rolling window has besides: the keys of the sets beside its ranking, and a time before which no result leaves.
//
// Next never exceeds the time at which the first result leaves. A submission calls Lower while it has the sets locked, and need not commit. A
// transaction that applies what is due calls Begin while it has them locked, finds when the next result leaves, and calls Raise with that once
// its commit is made. Raise takes account of every submission after Begin. It does nothing if one that began later has raised before.
type Roll struct {
	Timers  string     // the key of the set of members, by the time at which the first of their results leaves
	Results string     // the key of the set of results
	Hidden  string     // the key of the set with the entries of hidden members
	Step    sync.Mutex // held during a step, so that steps do not queue for the sets

	next   atomic.Int64  // microseconds after 1970; math.MinInt64: unknown. Written under mu
	raised atomic.Uint64 // calls of Raise that have raised next. Written under mu
	mu     sync.Mutex
	begun  uint64    // calls of Begin
	finds  []finding // between Begin and Raise, in the order of Begin, at most maxFindings: the oldest never raise
}

// finding is a call of Begin.
type finding struct {
	begun  uint64
	lowest int64 // argument of Lower since
}

// maxFindings is more than there are calls at a time, most likely. Transactions that fail, and those of callers, never call Raise; the next Raise
// forgets them.
const maxFindings = 256

func newRoll(board, window string, version int) *Roll {
	key := func(kind string) string {
		return boardkey.Key{Board: board, Kind: kind + window, Period: boardkey.NoPeriod, Version: version}.String()
	}
	r := &Roll{Timers: key(boardkey.TimersKind), Results: key(boardkey.ResultsKind), Hidden: key(boardkey.HiddenKind)}
	r.next.Store(math.MinInt64)
	return r
}

// Next returns a time, in microseconds after 1970, before which no result leaves. math.MinInt64: it is not known yet.
func (r *Roll) Next() int64 { return r.next.Load() }

// Raised rises whenever Next does.
func (r *Roll) Raised() uint64 { return r.raised.Load() }

// Lower notes that a result leaves at a time. The caller has the sets locked.
func (r *Roll) Lower(at int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := range r.finds {
		r.finds[i].lowest = min(r.finds[i].lowest, at)
	}
	if at < r.next.Load() {
		r.next.Store(at)
	}
}

// Begin notes that a transaction finds out when the next result leaves. It returns a number for Raise. The caller has the timers locked.
func (r *Roll) Begin() uint64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.begun++
	if len(r.finds) == maxFindings {
		r.finds = slices.Delete(r.finds, 0, 1)
	}
	r.finds = append(r.finds, finding{r.begun, math.MaxInt64})
	return r.begun
}

// Raise notes that the first result left at a time when Begin returned a number, and that the transaction has been committed.
func (r *Roll) Raise(begun uint64, at int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	i := slices.IndexFunc(r.finds, func(f finding) bool { return f.begun == begun })
	if i < 0 {
		return
	}
	at = min(at, r.finds[i].lowest)
	if r.finds = slices.Delete(r.finds, 0, i+1); at > r.next.Load() {
		r.next.Store(at)
		r.raised.Add(1)
	}
}
