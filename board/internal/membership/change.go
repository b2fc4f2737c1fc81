package membership

import (
	"fmt"
	"runtime"

	"github.com/zrankdb/zrank/board"
)

// Change is a change of one member that has begun: until End nobody learns which group the member is in.
type Change struct {
	Was *Group // nil: the member is in no group
	To  *Group // nil: it leaves

	k      *Kind
	member string
}

// Member returns the member.
func (c *Change) Member() string { return c.member }

// Hold keeps members from joining and leaving until release is called, and waits for those that do. It comes before all locks of boards.
func (k *Kind) Hold() (release func()) {
	k.changes.Lock()
	return k.changes.Unlock
}

// Enter keeps others from Hold until leave is called. Every change of members is made inside it.
func (k *Kind) Enter() (leave func()) {
	k.changes.RLock()
	return k.changes.RUnlock
}

// Begin begins to move a member to a group; an empty name stands for none. check says whether the member may be moved from the group that it is in, nil for
// none. Begin waits for another change of the member. Errors: ErrNoGroup, those of check.
func (k *Kind) Begin(member, to string, check func(was *Group) error) (*Change, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for {
		if _, changes := k.ofNow([]byte(member)); !changes {
			break
		}
		k.settled.Wait()
	}
	c := &Change{k: k, member: member, Was: k.of([]byte(member))}
	if to != "" {
		if c.To = k.groups[to]; c.To == nil {
			return nil, fmt.Errorf("%w: %q of %q", board.ErrNoGroup, to, k.Name)
		}
	}
	if err := check(c.Was); err != nil {
		return nil, err
	}
	k.changing[member] = &move{c.Was, c.To}
	k.undecided.Add(1)
	return c, nil
}

// End ends the change. The member is in the group To if it was committed, and in Was if not.
func (c *Change) End(committed bool) {
	c.k.mu.Lock()
	defer c.k.mu.Unlock()
	delete(c.k.changing, c.member)
	c.k.undecided.Add(-1)
	switch {
	case !committed:
	case c.To == nil:
		c.k.members.Remove([]byte(c.member))
	default:
		c.k.Note(c.member, c.To.Number)
	}
	c.k.settled.Broadcast()
}

// Note notes that a member is in the group with a number. The caller holds mu, or nobody else has the Kind.
func (k *Kind) Note(member string, number int64) {
	k.members.Add([]byte(member), number) //nolint:errcheck // a set without a cap takes every member
}

// Last returns the highest number that a group has had. The caller holds Deciding.
func (k *Kind) Last() int64 { return k.last }

// SetLast notes that number. The caller holds Deciding, or nobody else has the Kind.
func (k *Kind) SetLast(number int64) { k.last = number }

// Add adds a group. The caller holds Deciding, or nobody else has the Kind.
func (k *Kind) Add(g *Group) {
	k.mu.Lock()
	defer k.mu.Unlock()
	g.Key = []byte(g.Name)
	k.groups[g.Name], k.numbers[g.Number] = g, g
	k.last = max(k.last, g.Number)
}

// Dissolving makes all members of a group ones whose group is being decided, and waits for changes of single members that join it or leave it. The caller holds Deciding.
// end says whether the group has been dissolved; then no member is in it any more.
func (k *Kind) Dissolving(g *Group) (end func(committed bool)) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.groups, g.Name) // nobody joins it any more
	for k.isChanging(g) {
		k.settled.Wait()
	}
	k.ending = g
	k.undecided.Add(1)
	return func(committed bool) {
		k.mu.Lock()
		defer k.mu.Unlock()
		k.undecided.Add(-1)
		if k.ending = nil; committed {
			delete(k.numbers, g.Number)
		} else {
			k.groups[g.Name] = g
		}
		k.settled.Broadcast()
	}
}

// isChanging reports whether a member joins a group or leaves it. The caller holds mu.
func (k *Kind) isChanging(g *Group) bool {
	for _, c := range k.changing {
		if c.was == g || c.to == g {
			return true
		}
	}
	return false
}

// forgetStep is the number of members of a dissolved group that Forget removes at a time.
const forgetStep = 256

// Forget removes the members of a group that is gone from memory. O(members log members of all groups), some at a time.
func (k *Kind) Forget(g *Group) {
	for more := true; more; runtime.Gosched() {
		k.mu.Lock()
		v := k.members.View()
		lo := v.Seek(g.Number, nil)
		hi := min(v.Seek(g.Number+1, nil), lo+forgetStep)
		k.members.RemoveRange(lo, hi)
		more = hi-lo == forgetStep
		k.mu.Unlock()
	}
}
