package catalog

import (
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/state"
)

// Hides is which members of a board are hidden. Package submit moves their entries.
//
// A change begins before its transaction looks which periods are open, and a submission notes its period as open before it asks again whether its member is
// hidden. So of a submission and a change at the same time one sees the other.
type Hides struct {
	any atomic.Bool // there may be some

	mu sync.RWMutex
	of map[string]hide
}

// hide is the state of a member that is hidden, or is being hidden or shown.
type hide uint8

const (
	shown  hide = iota
	hiding      // the transaction that hides it is not committed yet
	hidden
	showing // the transaction that shows it is not committed yet
)

// Any reports whether members may be hidden. O(1).
func (l *Hides) Any() bool { return l.any.Load() }

// Of reports whether a member is hidden. changes says that this is being decided: its entries may be in the rankings and beside them. O(1).
func (l *Hides) Of(member []byte) (is, changes bool) {
	if !l.any.Load() {
		return false, false
	}
	l.mu.RLock()
	defer l.mu.RUnlock()
	s := l.of[string(member)]
	return s == hidden || s == showing, s == hiding || s == showing
}

// Has reports whether a member is hidden. O(1).
func (l *Hides) Has(member string) bool {
	is, _ := l.Of([]byte(member))
	return is
}

// Check returns nil if a member can be hidden, or shown. Errors: ErrHidden, ErrNotHidden; ErrAgain if that is being decided.
func (l *Hides) Check(member string, hide bool) error {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.check(member, hide)
}

// check is Check for a caller that holds mu.
func (l *Hides) check(member string, hide bool) error {
	switch s := l.of[member]; {
	case s == hiding || s == showing:
		return state.ErrAgain
	case s == hidden && hide:
		return fmt.Errorf("%w: %q", board.ErrHidden, member)
	case s == shown && !hide:
		return fmt.Errorf("%w: %q", board.ErrNotHidden, member)
	}
	return nil
}

// Begin makes a member one that is being hidden, or shown. end says whether the transaction has committed. Errors: those of Check.
func (l *Hides) Begin(member string, hide bool) (end func(committed bool), err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.check(member, hide); err != nil {
		return nil, err
	}
	if hide {
		l.set(member, hiding)
	} else {
		l.set(member, showing)
	}
	return func(committed bool) { l.Set(member, committed == hide) }, nil
}

// Set notes that a member is hidden, or not any more.
func (l *Hides) Set(member string, is bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if is {
		l.set(member, hidden)
		return
	}
	delete(l.of, member)
	l.any.Store(len(l.of) > 0)
}

// set sets the state of a member. The caller holds mu, or nobody else has the Hides.
func (l *Hides) set(member string, s hide) {
	if l.of == nil {
		l.of = map[string]hide{}
	}
	l.of[member] = s
	l.any.Store(true)
}
