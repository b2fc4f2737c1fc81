package pebbledb

import (
	"sync"
	"sync/atomic"
	"time"
)

// space is what the store knows of the free space of its disk.
type space struct {
	reserve int64        // Options.DiskReserve
	ahead   atomic.Int64 // bytes that may be written before the next look

	mu     sync.Mutex            // guards the changes of full and fuller
	full   atomic.Pointer[error] // what commits are answered; nil: there is space
	fuller atomic.Bool           // also those that only remove
}

const (
	// SpaceInterval is the time between two looks at the free space.
	SpaceInterval = 250 * time.Millisecond
	spaceAhead    = 16 << 20 // bytes, or a quarter of the reserve if that is less

	// DefaultReserve is the space to keep free on a disk that is large enough.
	DefaultReserve = 64 << 20
	// MaxRemoves is up to which size commits that only remove may use the first quarter of the reserve: without them an owner
	// could not clear space by the means of the program that has the store open.
	MaxRemoves = 1 << 20

	leastReserve = pebbleStopAt * pebbleMemTable * 3 / 2 // for Pebble to flush all it has
)

// keep returns the space to keep free on a disk of this size. A disk too small for Pebble's needs is used by half; should
// that not be enough, the files freeze.
func (p *space) keep(total int64) int64 {
	if p.reserve != 0 {
		return p.reserve
	}
	return min(max(total/8, leastReserve), DefaultReserve, total/2)
}
