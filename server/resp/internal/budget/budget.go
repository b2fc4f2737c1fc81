package budget

import "sync"

// A Budget is the number of bytes that all clients together may hold, as Redis maxmemory-clients. When it is short, it evicts the client that
// holds most. So a client that holds much cannot keep many small ones out. Any goroutine may use it.
//
// An evicted client gives its bytes back a little later. Until then other clients may already take these bytes, but the sum stays bounded. B1:
// the sum of all accounts is never above limit + limit/4.
type Budget struct {
	limit int64

	mu      sync.Mutex
	freed   sync.Cond // an evicted client has given bytes back, or a client that waits has been evicted
	used    int64     // the sum of all accounts
	leaving int64     // the sum of the accounts of evicted clients
	peak    int64     // the highest value of used
	holders map[*Account]struct{}
}

// An Account is the share of a budget that one client holds. A nil Account has no limit.
type Account struct {
	budget  *Budget
	end     func()
	held    int64
	evicted bool
}

// New returns a budget of limit bytes.
func New(limit int64) *Budget {
	b := &Budget{limit: limit, holders: map[*Account]struct{}{}}
	b.freed.L = &b.mu
	return b
}

// Account returns an account that holds nothing. end evicts the client, whose bytes must be given back soon after. The goroutine of another
// client calls end, at most once; end must not wait.
func (b *Budget) Account(end func()) *Account { return &Account{budget: b, end: end} }

// Stats is the figures of a budget.
type Stats struct {
	Used int64 // bytes that are held
	Peak int64 // the most bytes that were held at a time
}

// Stats returns the figures. O(1).
func (b *Budget) Stats() Stats {
	b.mu.Lock()
	defer b.mu.Unlock()
	return Stats{Used: b.used, Peak: b.peak}
}

// Used returns the bytes that are held. O(1).
func (b *Budget) Used() int64 { return b.Stats().Used }

// Take takes n more bytes, and does not wait. It returns false, and takes nothing, in three cases: this client has been evicted; too few bytes
// are free and no other client holds more than this one would; evicted clients have not given back enough yet. O(1), or O(accounts that hold
// something) when the budget is short.
func (a *Account) Take(n int) bool { return a.take(n, false) }

// TakeWait is Take, but waits in the third case. The caller must hold nothing that an evicted client may wait for, such as the lock of a set.
func (a *Account) TakeWait(n int) bool { return a.take(n, true) }

// take is Take, or TakeWait if wait is set.
func (a *Account) take(n int, wait bool) bool {
	if a == nil || n <= 0 {
		return true
	}
	b := a.budget
	b.mu.Lock()
	gone, ok := b.evict(a, int64(n))
	for ok && b.used+int64(n) > b.limit+b.limit/4 {
		if ok = wait; !ok {
			break
		}
		if len(gone) > 0 { // end these clients, before this one waits for their bytes
			b.mu.Unlock()
			end(gone)
			b.mu.Lock()
		} else {
			b.freed.Wait()
		}
		gone, ok = b.evict(a, int64(n))
	}
	if ok {
		b.used += int64(n)
		b.peak = max(b.peak, b.used)
		a.held += int64(n)
		b.holders[a] = struct{}{}
	}
	b.mu.Unlock()
	end(gone)
	return ok
}

// end evicts clients.
func end(gone []*Account) {
	for _, a := range gone {
		a.end()
	}
}

// evict marks clients as evicted, the one that holds most first, until n more bytes for a will fit once the evicted clients have given theirs
// back. The caller ends the clients in gone. ok is false if a may not take the bytes: it is evicted, or no other client holds more than it
// would.
func (b *Budget) evict(a *Account, n int64) (gone []*Account, ok bool) {
	for !a.evicted && b.used-b.leaving+n > b.limit {
		most := a.held + n
		var largest *Account
		for other := range b.holders {
			if !other.evicted && other.held > most {
				largest, most = other, other.held
			}
		}
		if largest == nil {
			return gone, false
		}
		largest.evicted = true
		b.freed.Broadcast()
		b.leaving += largest.held
		gone = append(gone, largest)
	}
	return gone, !a.evicted
}

// Give gives back n bytes that were taken. O(1).
func (a *Account) Give(n int) {
	if a == nil || n <= 0 {
		return
	}
	b := a.budget
	b.mu.Lock()
	defer b.mu.Unlock()
	b.used -= int64(n)
	a.held -= int64(n)
	if a.evicted {
		b.leaving -= int64(n)
		b.freed.Broadcast()
	}
	if a.held == 0 {
		delete(b.holders, a)
	}
}

// Evicted reports whether the client was evicted, because it held most when the budget was short. O(1).
func (a *Account) Evicted() bool {
	if a == nil {
		return false
	}
	a.budget.mu.Lock()
	defer a.budget.mu.Unlock()
	return a.evicted
}
