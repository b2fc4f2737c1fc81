package keyspace

import (
	"math"
	"sync/atomic"

	"github.com/zrankdb/zrank/zset"
)

// listpackLimits are the thresholds up to which a set is a listpack: the number of entries in the upper 32 bits, the bytes of a member in
// the lower. A set adopts them at its next change, so changing them is O(1).
type listpackLimits struct{ both atomic.Uint64 }

func (l *listpackLimits) Set(entries, member int) {
	const most = math.MaxInt32 // more than fits in any listpack
	l.both.Store(uint64(min(max(entries, 0), most))<<32 | uint64(min(max(member, 0), most)))
}

func (l *listpackLimits) Get() (entries, member int) {
	both := l.both.Load()
	return int(both >> 32), int(both & math.MaxUint32)
}

// Fit applies the thresholds to a set that no other goroutine uses yet, and re-encodes it if they require another encoding.
func (l *listpackLimits) Fit(z *zset.IntSet) {
	z.SetListpack(l.Get())
	z.Fit()
}
