package figures

import (
	"sync"
	"time"
)

// Share is how much of one processor reads that are repeated may take: one part in so many.
const Share = 50

// burst is how far reads may be ahead of their share.
const burst = 100 * time.Millisecond

// Budget limits how often what open pages show is read. Any goroutine may use it.
type Budget struct {
	clock func() time.Time
	mu    sync.Mutex
	spent time.Time // when the share makes up for all reads so far
}

// NewBudget returns a budget by a clock.
func NewBudget(clock func() time.Time) *Budget { return &Budget{clock: clock} }

// Again returns a function that reads what read reads, or returns what it returned last, if the budget has nothing left. Its first call reads. The function
// is not for several goroutines at a time.
//
// A read costs what it took, or what the one before took if that is less: one that has waited, for a lock or for a processor, would stop all pages for minutes.
func (b *Budget) Again(read func() ([]byte, error)) func() ([]byte, error) {
	var last []byte
	before := burst
	return func() ([]byte, error) {
		begin := b.clock()
		if last != nil && !b.allows(begin) {
			return last, nil
		}
		data, err := read()
		if err != nil {
			return nil, err
		}
		took := b.clock().Sub(begin)
		b.pay(begin, min(took, before))
		last, before = data, took
		return data, nil
	}
}

func (b *Budget) allows(now time.Time) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return !b.spent.After(now.Add(burst * Share))
}

// pay takes the time of a read from the budget.
func (b *Budget) pay(now time.Time, took time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.spent.Before(now) {
		b.spent = now
	}
	b.spent = b.spent.Add(took * Share)
}
