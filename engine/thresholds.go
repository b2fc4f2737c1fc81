package engine

import (
	"math"
	"sync/atomic"

	"github.com/zrankdb/zrank/zset"
)

// listpackLimits are the thresholds of all sets: entries in the upper 32 bits, bytes of a member in the lower. A set takes them
// on with its next change, so that nobody has to go through all sets.
type listpackLimits struct{ both atomic.Uint64 }

func (l *listpackLimits) set(entries, member int) {
	const most = math.MaxInt32 // more than fits in any listpack
	l.both.Store(uint64(min(max(entries, 0), most))<<32 | uint64(min(max(member, 0), most)))
}

func (l *listpackLimits) get() (entries, member int) {
	both := l.both.Load()
	return int(both >> 32), int(both & math.MaxUint32)
}

// SetListpack sets the thresholds above which sets move from a listpack to a skiplist, as Redis CONFIG SET
// zset-max-listpack-entries and zset-max-listpack-value: the most entries that a listpack holds, and the bytes of its longest
// member. 0 means 0, unlike in Options; see zset.Set.SetListpack. It may be called at any time, in a transaction too. From then on
// sets that a member is added to follow them, and those that are read from the disk, or stored whole, get the encoding that they call for;
// others stay as they are. O(1).
func (e *Engine) SetListpack(entries, member int) { e.limits.set(entries, member) }

// Listpack returns the thresholds that SetListpack, or Options, have set, as Redis CONFIG GET; what is above 2^31-1 as that. O(1).
func (e *Engine) Listpack() (entries, member int) { return e.limits.get() }

// fit gives a set that nobody else uses yet the thresholds, and the encoding that they call for.
func (e *Engine) fit(z *zset.IntSet) {
	z.SetListpack(e.limits.get())
	z.Fit()
}
