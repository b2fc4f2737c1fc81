package state

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/zrankdb/zrank/board/internal/ranking"
)

// Parts is the sets of the ranking of one period of a board in parts. Their number is fixed, or follows the number of members: see Limit.
//
// A transaction that begins or ends a split or a merge calls Begin while it has the two sets locked, and End afterwards. So a caller that has locked
// the sets of a Division, or those of a member in it, and for which Is then reports true, sees them as that Division says until it unlocks them.
type Parts struct {
	// Limit is the number of members of a part above which parts are split; 0: their number is fixed.
	Limit int
	// Steps is held during every transaction that moves members between parts by itself. It is taken before the locks of sets, and never in a
	// transaction.
	Steps sync.Mutex
	// Next is the first entry that the next step looks at. Guarded by Steps.
	Next Position

	now   atomic.Pointer[Division]
	next  atomic.Pointer[Division] // not nil from Begin until End
	keyOf func(part int) string
}

// Position is a place among the entries of a set: the first one, or behind all entries before a score and a text, which is a tie and a member.
type Position struct {
	Begun bool // false: the first one
	Score int64
	Text  []byte
}

// Division is the sets of a ranking under one Layout. It does not change.
type Division struct {
	ranking.Layout
	Keys   []string // by part; the first is the key that the ranking would have as one set
	Sorted []string // the same in the order of keys
}

// HomesOf returns the key of the set that a member is put into, and of the one that it may still be in, or the same.
func (d *Division) HomesOf(member []byte) (home, old string) {
	i, j := d.Homes(member)
	return d.Keys[i], d.Keys[j]
}

// AppendHomes appends the keys of the sets that a member may be in.
func (d *Division) AppendHomes(dst []string, member []byte) []string {
	home, old := d.HomesOf(member)
	if dst = append(dst, home); old != home {
		dst = append(dst, old)
	}
	return dst
}

// Now returns the present division.
func (p *Parts) Now() *Division { return p.now.Load() }

// Is reports whether a division is the present one.
func (p *Parts) Is(d *Division) bool {
	return p.next.Load() == nil && p.now.Load() == d // in this order, since End replaces now first
}

// Under returns the division under a layout.
func (p *Parts) Under(l ranking.Layout) *Division {
	d := &Division{Layout: l, Keys: make([]string, l.Sets())}
	for i := range d.Keys {
		d.Keys[i] = p.keyOf(i)
	}
	d.Sorted = slices.Sorted(slices.Values(d.Keys))
	return d
}

// Set makes a layout the present one. Nobody uses the sets meanwhile.
func (p *Parts) Set(l ranking.Layout) { p.now.Store(p.Under(l)) }

// Begin says that the transaction that has both sets of a move locked changes the division. The caller holds Steps until End.
func (p *Parts) Begin(d *Division) { p.next.Store(d) }

// End says whether the transaction of Begin was committed, or that Begin was not called.
func (p *Parts) End(committed bool) {
	if d := p.next.Load(); d != nil && committed {
		p.now.Store(d)
	}
	p.next.Store(nil)
}

// Pending returns the division of Begin, nil if End was called since.
func (p *Parts) Pending() *Division { return p.next.Load() }

// WaitForSteps waits until a step that runs now has ended.
func (p *Parts) WaitForSteps() {
	p.Steps.Lock()
	p.Steps.Unlock() //nolint:staticcheck // the call waits and needs no more of the lock
}

// Read calls read with the keys of the sets, and again if they have changed meanwhile. So if read looks at the sets as of one moment, it has found all
// members in the end. Read returns the first error of read. The caller is in no transaction.
func (p *Parts) Read(read func(keys []string) error) error {
	for {
		d := p.Now()
		if err := read(d.Keys); err != nil || p.Is(d) {
			return err
		}
		p.WaitForSteps()
	}
}
