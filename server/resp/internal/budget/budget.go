package budget

import "sync"

// A Budget is how many bytes may be held at a time for all clients together, as Redis maxmemory-clients. When it is short, the client that
// holds most is evicted, so that many clients that ask for little are not turned away by one that holds much. It is safe for many
// goroutines.
//
// A client that is evicted gives its bytes back a little later. Until then others may take the bytes that it is about to give back, but
// only a quarter of the limit beyond the limit: B1: the sum of all accounts is never above limit + limit/4.
type Budget struct {
	limit int64

	mu      sync.Mutex
	freed   sync.Cond // an evicted client has given bytes back, or one that waits has been evicted
	used    int64     // the sum of what all accounts hold
	leaving int64     // that of evicted clients
	peak    int64     // the most that used has been
	holders map[*Account]struct{}
}

// An Account is what one client holds of a budget. A nil Account may hold anything.
type Account struct {
	budget *Budget
	end    func()
	held   int64
	let    bool // the client has been evicted
}

// New returns a budget of so many bytes.
func New(limit int64) *Budget {
	b := &Budget{limit: limit, holders: map[*Account]struct{}{}}
	b.freed.L = &b.mu
	return b
}

// Account returns an account that holds nothing. end evicts the client: what it holds must be given back soon after that. end is called
// once at most, by the goroutine of another client, which it must not hold up.
func (b *Budget) Account(end func()) *Account { return &Account{budget: b, end: end} }

// Stats are figures of a budget.
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

// Take asks for n more bytes, and does not wait. It returns false, and takes nothing, in three cases: this client has been evicted; there
// are not so many bytes and no other client holds more than this one would; clients that have been evicted have yet to give back too much.
// O(1), O(accounts that hold something) when the budget is short.
func (a *Account) Take(n int) bool { return a.take(n, false) }

// TakeWait is Take, but waits in the third case. The caller must hold nothing that an evicted client may wait for: no lock of a set.
func (a *Account) TakeWait(n int) bool { return a.take(n, true) }

func (a *Account) take(n int, wait bool) bool {
	if a == nil || n <= 0 {
		return true
	}
	b := a.budget
	b.mu.Lock()
	gone, ok := b.makeRoom(a, int64(n))
	for ok && b.used+int64(n) > b.limit+b.limit/4 {
		if ok = wait; !ok {
			break
		}
		if len(gone) > 0 { // before this one waits for them
			b.mu.Unlock()
			end(gone)
			b.mu.Lock()
		} else {
			b.freed.Wait()
		}
		gone, ok = b.makeRoom(a, int64(n))
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

// makeRoom chooses clients to evict, those that hold most, until n more bytes are within the limit when these have given theirs back.
func (b *Budget) makeRoom(a *Account, n int64) (gone []*Account, ok bool) {
	for !a.let && b.used-b.leaving+n > b.limit {
		most := a.held + n
		var largest *Account
		for other := range b.holders {
			if !other.let && other.held > most {
				largest, most = other, other.held
			}
		}
		if largest == nil {
			return gone, false
		}
		largest.let = true
		b.freed.Broadcast()
		b.leaving += largest.held
		gone = append(gone, largest)
	}
	return gone, !a.let
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
	if a.let {
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
	return a.let
}
