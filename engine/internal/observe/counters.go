package observe

import (
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// Counters are what the engine counts as it runs. Goroutines on different processors count on different stripes, so that they do not
// contend for a cache line. Stats adds the stripes up.
type Counters struct {
	epoch   time.Time
	stripes []Stripe
	pool    sync.Pool // gives each processor the stripe that it had before
	next    atomic.Uint32
	Slow    atomic.Uint64 // calls that took Options.SlowCall
	Expired atomic.Uint64 // sets that were collected after their time
}

// Stripe is one processor's share. The padding keeps two stripes at least a cache line apart.
type Stripe struct {
	_          [64]byte
	Updates    recorder
	Views      recorder // of the sample: see Sampled
	Commits    atomic.Uint64
	RolledBack atomic.Uint64
	Restarts   atomic.Uint64

	Sets, Members, Keys        atomic.Int64 // sets that exist, members in memory, bytes of the keys of sets
	Loaded                     atomic.Int64 // sets in memory
	Listpacks, Indexes, Tables atomic.Int64 // bytes
	_                          [64]byte
}

const maxStripes = 16

// NewCounters returns counters at zero, with a stripe for each processor, 16 at most.
func NewCounters() *Counters {
	c := &Counters{}
	n := 1
	for n < runtime.GOMAXPROCS(0) && n < maxStripes {
		n *= 2
	}
	c.epoch, c.stripes = time.Now(), make([]Stripe, n)
	c.pool.New = func() any { return &c.stripes[c.next.Add(1)%uint32(n)] }
	return c
}

// Mine returns a stripe that goroutines on other processors rarely use at this moment. O(1).
func (c *Counters) Mine() *Stripe {
	s := c.pool.Get().(*Stripe)
	c.pool.Put(s)
	return s
}

// Now is the time since the engine was made, by the monotonic clock.
func (c *Counters) Now() time.Duration { return time.Since(c.epoch) }

// Sampled reports, at random, whether to time a View: one in ViewSample. To read the clock twice takes a third of a short View's time, and
// to count the View a tenth.
func Sampled() bool { return rand.Uint32()%ViewSample == 0 }

// Total adds up one counter of all stripes. It may miss an increment on one stripe and see the matching decrement on another; it returns
// at least 0 then. O(1).
func (c *Counters) Total(of func(*Stripe) *atomic.Int64) int {
	sum := int64(0)
	for i := range c.stripes {
		sum += of(&c.stripes[i]).Load()
	}
	return int(max(sum, 0))
}

// Sets returns how many sets exist. O(1).
func (c *Counters) Sets() int { return c.Total(func(s *Stripe) *atomic.Int64 { return &s.Sets }) }

// totals are the sums of all stripes.
type totals struct {
	Updates, Views             Times
	Commits, RolledBack        uint64
	Restarts                   uint64
	Sets, Members, Keys        int // sets that exist, members in memory, bytes of the keys of sets
	Loaded                     int // sets in memory
	Listpacks, Indexes, Tables int // bytes
}

// Totals adds the stripes up. O(1).
func (c *Counters) Totals() (t totals) {
	for i := range c.stripes {
		s := &c.stripes[i]
		s.Updates.addTo(&t.Updates)
		s.Views.addTo(&t.Views)
		t.Commits += s.Commits.Load()
		t.RolledBack += s.RolledBack.Load()
		t.Restarts += s.Restarts.Load()
	}
	t.Sets, t.Members, t.Keys, t.Loaded = c.Sets(), c.Total(func(s *Stripe) *atomic.Int64 { return &s.Members }),
		c.Total(func(s *Stripe) *atomic.Int64 { return &s.Keys }), c.Total(func(s *Stripe) *atomic.Int64 { return &s.Loaded })
	t.Listpacks, t.Indexes, t.Tables = c.Total(func(s *Stripe) *atomic.Int64 { return &s.Listpacks }),
		c.Total(func(s *Stripe) *atomic.Int64 { return &s.Indexes }), c.Total(func(s *Stripe) *atomic.Int64 { return &s.Tables })
	return t
}

// ViewSample is the number of Views for each one that is timed, on average.
const ViewSample = 16
