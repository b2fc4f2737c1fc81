package flow

import "sync/atomic"

// A Budget is how many bytes may be held at a time for all clients together, as Redis maxmemory-clients. It is safe for many
// goroutines. A nil Budget is without end.
type Budget struct {
	limit int64
	used  atomic.Int64
}

// NewBudget returns a budget of so many bytes.
func NewBudget(limit int64) *Budget { return &Budget{limit: limit} }

// Take asks for n more bytes. If it returns false nothing was taken. O(1).
func (b *Budget) Take(n int) bool {
	if b == nil || n <= 0 {
		return true
	}
	if b.used.Add(int64(n)) > b.limit {
		b.used.Add(-int64(n))
		return false
	}
	return true
}

// Give gives back n bytes that were taken. O(1).
func (b *Budget) Give(n int) {
	if b != nil && n > 0 {
		b.used.Add(-int64(n))
	}
}

// Used returns the bytes that are taken. O(1).
func (b *Budget) Used() int64 {
	if b == nil {
		return 0
	}
	return b.used.Load()
}
