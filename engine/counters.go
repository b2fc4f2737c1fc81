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

func (c *counters) init() {
	n := 1
	for n < runtime.GOMAXPROCS(0) && n < maxStripes {
		n *= 2
	}
	c.epoch, c.stripes = time.Now(), make([]stripe, n)
	c.pool.New = func() any { return &c.stripes[c.next.Add(1)%uint32(n)] }
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

// addTo adds the counters up. O(1).
func (c *counters) addTo(st *Stats) {
	for i := range c.stripes {
		s := &c.stripes[i]
		s.updates.addTo(&st.Updates)
		s.views.addTo(&st.Views)
		st.Commits += s.commits.Load()
		st.RolledBack += s.rolledBack.Load()
		st.Sets += int(s.sets.Load())
		st.Loaded += int(s.loaded.Load())
		st.Members += int(s.members.Load())
		st.Layers.Keyspace += int(s.keys.Load())
		st.Layers.Listpacks += int(s.listpacks.Load())
		st.Layers.Indexes += int(s.indexes.Load())
		st.Layers.Tables += int(s.tables.Load())
	}
	for _, n := range []*int{&st.Sets, &st.Loaded, &st.Members, &st.Layers.Keyspace, &st.Layers.Listpacks, &st.Layers.Indexes, &st.Layers.Tables} {
		*n = max(*n, 0) // see total
	}
	st.SlowCalls, st.Expired = c.slow.Load(), c.expired.Load()
}
