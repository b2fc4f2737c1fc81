package engine

import (
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// counters are what the engine counts as it runs. Goroutines on different processors count on different stripes, so that they
// do not pass a cache line to and fro; Stats adds the stripes up.
type counters struct {
	epoch   time.Time
	stripes []stripe
	pool    sync.Pool // gives each processor the stripe that it had before
	next    atomic.Uint32
	slow    atomic.Uint64 // calls that took Options.SlowCall
	expired atomic.Uint64 // sets that were collected after their time
}

// stripe is one processor's share. Two stand a cache line apart at least.
type stripe struct {
	_          [64]byte
	updates    recorder
	views      recorder // of the sample
	commits    atomic.Uint64
	rolledBack atomic.Uint64

	sets, members, keys        atomic.Int64 // sets that exist, members in memory, bytes of the keys of sets
	loaded                     atomic.Int64 // sets in memory
	listpacks, indexes, tables atomic.Int64 // bytes
	_                          [64]byte
}

const maxStripes = 16

func newCounters() *counters {
	c := &counters{}
	n := 1
	for n < runtime.GOMAXPROCS(0) && n < maxStripes {
		n *= 2
	}
	c.epoch, c.stripes = time.Now(), make([]stripe, n)
	c.pool.New = func() any { return &c.stripes[c.next.Add(1)%uint32(n)] }
	return c
}

// mine returns a stripe that goroutines on other processors hardly use at this moment. O(1).
func (c *counters) mine() *stripe {
	s := c.pool.Get().(*stripe)
	c.pool.Put(s)
	return s
}

// now is the time since the engine was made, by the monotonic clock.
func (c *counters) now() time.Duration { return time.Since(c.epoch) }

// sampled reports whether a View is in the sample. Reading the clock twice would take a third of a short View's time, and
// counting it a tenth.
func sampled() bool { return rand.Uint32()%ViewSample == 0 }

// total adds up one counter of all stripes. A look may miss what was added to one stripe and see it taken from another: the sum is
// 0 at least. O(1).
func (c *counters) total(of func(*stripe) *atomic.Int64) int {
	sum := int64(0)
	for i := range c.stripes {
		sum += of(&c.stripes[i]).Load()
	}
	return int(max(sum, 0))
}

// sets returns how many sets exist. O(1).
func (c *counters) sets() int { return c.total(func(s *stripe) *atomic.Int64 { return &s.sets }) }

// totals are the sums of all stripes.
type totals struct {
	updates, views             CallTimes
	commits, rolledBack        uint64
	sets, members, keys        int // sets that exist, members in memory, bytes of the keys of sets
	loaded                     int // sets in memory
	listpacks, indexes, tables int // bytes
}

// totals adds the stripes up. O(1).
func (c *counters) totals() (t totals) {
	for i := range c.stripes {
		s := &c.stripes[i]
		s.updates.addTo(&t.updates)
		s.views.addTo(&t.views)
		t.commits += s.commits.Load()
		t.rolledBack += s.rolledBack.Load()
	}
	t.sets, t.members, t.keys, t.loaded = c.sets(), c.total(func(s *stripe) *atomic.Int64 { return &s.members }),
		c.total(func(s *stripe) *atomic.Int64 { return &s.keys }), c.total(func(s *stripe) *atomic.Int64 { return &s.loaded })
	t.listpacks, t.indexes, t.tables = c.total(func(s *stripe) *atomic.Int64 { return &s.listpacks }),
		c.total(func(s *stripe) *atomic.Int64 { return &s.indexes }), c.total(func(s *stripe) *atomic.Int64 { return &s.tables })
	return t
}

// ViewSample is how many Views there are to one that is timed, on the average.
const ViewSample = 16
