package catalog

import (
	"runtime"

	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
)

// Hold keeps members from joining and leaving until release is called, and waits for transactions in which they do. It comes before all locks of boards.
func (k *Membership) Hold() (release func()) {
	k.changes.Lock()
	return k.changes.Unlock
}

// WaitForHold waits until nobody holds the kind. The caller is in no transaction.
func (k *Membership) WaitForHold() {
	k.changes.RLock()
	k.changes.RUnlock() //nolint:staticcheck // the call waits for the holder and needs no more of the lock
}

// Begin returns the Changes of an Update, and makes them first if there are none. The Update has changed something, so that it is none of a View.
func (k *Membership) Begin(o engine.Owner, tx *engine.Tx) *MembershipChanges {
	k.mu.Lock()
	defer k.mu.Unlock()
	c := k.open[tx]
	if c == nil {
		c = &MembershipChanges{k: k, tx: tx, groups: map[string]*Group{}, to: map[string]*Group{}}
		k.open[tx] = c
		o.NoteEnd(tx, c)
	}
	return c
}

// Enter keeps others from Hold until the transaction has ended. It comes before Move and Dissolve. Error: ErrMoved if somebody holds the kind, or waits for that.
func (c *MembershipChanges) Enter() error {
	if c.entered = c.entered || c.k.changes.TryRLock(); !c.entered {
		return state.ErrMoved
	}
	return nil
}

// Found adds a group.
func (c *MembershipChanges) Found(g *Group) {
	c.k.mu.Lock()
	defer c.k.mu.Unlock()
	g.Key = []byte(g.Name)
	c.groups[g.Name] = g
}

// Move makes a member go to a group; nil stands for none. The transaction has the lock of the member.
func (c *MembershipChanges) Move(member string, to *Group) {
	c.k.mu.Lock()
	defer c.k.mu.Unlock()
	c.k.changing[member], c.to[member] = c, to
}

// Dissolve removes a group, and returns the members that the transaction has made join it. The transaction has the lock of the group.
func (c *MembershipChanges) Dissolve(g *Group) (came []string) {
	c.k.mu.Lock()
	defer c.k.mu.Unlock()
	c.groups[g.Name] = nil
	if c.k.numbers[g.Number] == g {
		c.k.ending[g] = c
		c.ends = append(c.ends, g)
	}
	for member, to := range c.to {
		if to == g {
			c.to[member] = nil
			came = append(came, member)
		}
	}
	return came
}

// Ended implements engine.Ender.
func (c *MembershipChanges) Ended(committed bool) {
	k := c.k
	if c.entered {
		defer k.changes.RUnlock()
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.open, c.tx)
	for _, g := range c.ends {
		if delete(k.ending, g); committed {
			delete(k.groups, g.Name)
			delete(k.numbers, g.Number)
		}
	}
	for _, g := range c.groups {
		if committed && g != nil {
			k.add(g)
		}
	}
	for member, to := range c.to {
		delete(k.changing, member)
		switch {
		case !committed:
		case to == nil:
			k.members.Remove([]byte(member))
		default:
			k.Note(member, to.Number)
		}
	}
}

// Note notes that a member is in the group with a number. The caller holds mu, or nobody else has the Kind.
func (k *Membership) Note(member string, number int64) {
	k.members.Add([]byte(member), number) //nolint:errcheck // a set without a cap takes every member
}

// SetLast notes the highest number that a group has had. Nobody else has the Kind.
func (k *Membership) SetLast(number int64) { k.last = number }

// Last returns the highest number that a group has had.
func (k *Membership) Last() int64 {
	k.mu.RLock()
	defer k.mu.RUnlock()
	return k.last
}

// Add adds a group.
func (k *Membership) Add(g *Group) {
	k.mu.Lock()
	defer k.mu.Unlock()
	g.Key = []byte(g.Name)
	k.add(g)
}

// add is Add for a caller that holds mu.
func (k *Membership) add(g *Group) {
	k.groups[g.Name], k.numbers[g.Number] = g, g
	k.last = max(k.last, g.Number)
}

// ForgetLater notes that Forget is due of a group that is gone.
func (k *Membership) ForgetLater(g *Group) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.gone = append(k.gone, g)
}

// Gone takes a group of ForgetLater; nil: there is none.
func (k *Membership) Gone() (g *Group) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if n := len(k.gone); n > 0 {
		g, k.gone = k.gone[n-1], k.gone[:n-1]
	}
	return g
}

// forgetStep is the number of members of a dissolved group that Forget removes at a time.
const forgetStep = 256

// Forget removes the members of a group that is gone from memory. O(members log members of all groups), some at a time.
func (k *Membership) Forget(g *Group) {
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
