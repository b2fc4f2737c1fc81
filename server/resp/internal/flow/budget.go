package flow

import "sync"

// A Budget is how many bytes may be held at a time for all clients together, as Redis maxmemory-clients. When it is short, the
// client that holds most goes, so that many who ask for little are not turned away by one who holds much. It is safe for many
// goroutines.
//
// Who holds bytes has an [Account]. Those that are let go give their bytes back a little later; until then they are leaving, and
// do not count. So for that moment up to twice the budget may be held.
type Budget struct {
	limit int64

	mu      sync.Mutex
	used    int64 // the sum of what all accounts hold
	leaving int64 // that of those that have been let go
	holders map[*Account]struct{}
}

// An Account is what one client holds of a budget. A nil Account may hold anything.
type Account struct {
	budget *Budget
	end    func()
	held   int64
	let    bool // the client has been let go
}

// NewBudget returns a budget of so many bytes.
func NewBudget(limit int64) *Budget { return &Budget{limit: limit, holders: map[*Account]struct{}{}} }

// Account returns an account that holds nothing. end lets the client go: what it holds must be given back soon after that. It is
// called once at most, by the goroutine of another client, which it must not hold up.
func (b *Budget) Account(end func()) *Account { return &Account{budget: b, end: end} }

// Used returns the bytes that are held. O(1).
func (b *Budget) Used() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.used
}

// Take asks for n more bytes. It returns false, and takes nothing, if there are not so many and no other client holds more
// than this one would; and when this one has been let go. O(1), O(accounts that hold something) when the budget is short.
func (a *Account) Take(n int) bool {
	if a == nil || n <= 0 {
		return true
	}
	b := a.budget
	b.mu.Lock()
	gone, ok := b.makeRoom(a, int64(n))
	if ok {
		b.used += int64(n)
		a.held += int64(n)
		b.holders[a] = struct{}{}
	}
	b.mu.Unlock()
	for _, other := range gone {
		other.end()
	}
	return ok
}

// makeRoom lets go those who hold most until there is room.
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
	}
	if a.held == 0 {
		delete(b.holders, a)
	}
}

// LetGo says that the client was let go, because it held most when the budget was short. O(1).
func (a *Account) LetGo() bool {
	if a == nil {
		return false
	}
	a.budget.mu.Lock()
	defer a.budget.mu.Unlock()
	return a.let
}
