package pebbledb

import (
	"sync"
	"sync/atomic"
	"time"
)

// space is the state of the free space of the store's disk.
type space struct {
	reserve int64        // Options.DiskReserve
	ahead   atomic.Int64 // bytes that may be written before the next check

	mu             sync.Mutex            // guards the changes of full and fullForRemoves
	full           atomic.Pointer[error] // the ErrDiskFull that commits get; nil: there is space
	fullForRemoves atomic.Bool           // commits that only remove get it too
}

const (
	// SpaceInterval is the time between two checks of the free space.
	SpaceInterval = 250 * time.Millisecond
	// spaceAhead is the number of bytes between two checks of the free space, unless a quarter of the reserve is less.
	spaceAhead = 16 << 20

	// DefaultReserve is the space to keep free on a disk that is large enough.
	DefaultReserve = 64 << 20
	// MaxRemoves is the largest size of a commit that only removes and may use the first quarter of the reserve. Without such commits
	// the program that has the store open could not free any space.
	MaxRemoves = 1 << 20

	leastReserve = pebbleStopAt * pebbleMemTable * 3 / 2 // enough for Pebble to flush all its memtables
)

// keep returns the space to keep free on a disk of total bytes. On a disk too small for leastReserve it is half of the disk; if that
// is not enough for Pebble, a write fails and the latch closes.
func (p *space) keep(total int64) int64 {
	if p.reserve != 0 {
		return p.reserve
	}
	return min(max(total/8, leastReserve), DefaultReserve, total/2)
}
