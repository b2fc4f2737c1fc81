package auditlog

import (
	"slices"
	"sync"
	"time"

	"github.com/zrankdb/zrank/board/audit"
	"github.com/zrankdb/zrank/engine"
)

// Renamed says that a member has got another name, or was merged into another member.
type Renamed struct {
	Entry    uint64 // its number
	At       time.Time
	From, To string
	Merge    bool
}

// Renames is what the audit log of a board says of members that were renamed or merged. It reads each entry once, when somebody asks.
type Renames struct {
	mu   sync.Mutex
	last uint64 // the number of the last entry that was read
	list []Renamed
}

// In returns the renames that a transaction sees, in order. O(entries since the last call). Errors: those of the engine, of a damaged entry.
func (r *Renames) In(tx *engine.Tx, boardName string) ([]Renamed, error) {
	end, err := Last(tx, boardName)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	last, list := r.last, r.list
	r.mu.Unlock() // whoever waits for it may hold the lock of the board's private keys
	if last >= end {
		return list, nil
	}
	list = slices.Clone(list)
	for number := last + 1; number <= end; number++ {
		e, err := Get(tx, boardName, number)
		if err != nil {
			return nil, err
		}
		if (e.Kind == audit.Rename || e.Kind == audit.Merge) && e.Member != "" && e.To != "" { // else one of them has been erased
			list = append(list, Renamed{number, e.At, e.Member, e.To, e.Kind == audit.Merge})
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if end > r.last {
		r.last, r.list = end, list
	}
	return list, nil
}

// Forget makes the next call read all entries again, after names were erased from them.
func (r *Renames) Forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last, r.list = 0, nil
}
