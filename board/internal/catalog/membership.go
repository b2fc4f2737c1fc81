package catalog

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/zset"
)

// Kind is the groups of one kind, with their members. Its methods may be called from any goroutine. Those that take a transaction return what that sees: what it has
// changed itself, and else what was committed. nil stands for a caller in no transaction that changes the kind.
type Membership struct {
	Name string

	changes  sync.RWMutex // held for reading by transactions that move members
	mu       sync.RWMutex // taken for a moment
	members  *zset.IntSet // the score of a member is the number of its group
	groups   map[string]*Group
	numbers  map[int64]*Group
	last     int64                             // the highest number that a group has had
	open     map[*engine.Tx]*MembershipChanges // of the transactions that change the kind
	changing map[string]*MembershipChanges     // which of them moves a member
	ending   map[*Group]*MembershipChanges     // which of them dissolves a group
	gone     []*Group                          // of ForgetLater
}

// Group is a group. It does not change.
type Group struct {
	Name    string
	Key     []byte // the name, which nobody changes; set by Add
	Number  int64
	Created int64 // microseconds after 1970
}

// Changes is what one transaction changes of a kind. Only that transaction sees it before the commit. Ended makes it the kind's, or drops it.
type MembershipChanges struct {
	k       *Membership
	tx      *engine.Tx
	entered bool              // it keeps others from Hold
	groups  map[string]*Group // that it has founded, by name; nil: the transaction has dissolved the one that there was
	ends    []*Group          // that it has dissolved, and that were there before
	to      map[string]*Group // the groups of the members that it moves; nil: none
}

// New returns a kind without groups.
func NewMembership(name string) (*Membership, error) {
	members, err := zset.NewInt(zset.Options{})
	if err != nil {
		return nil, err
	}
	return &Membership{Name: name, members: members, groups: map[string]*Group{}, numbers: map[int64]*Group{},
		open: map[*engine.Tx]*MembershipChanges{}, changing: map[string]*MembershipChanges{}, ending: map[*Group]*MembershipChanges{}}, nil
}

// Group returns a group by its name, as a transaction sees it. O(1). Error: ErrNoGroup.
func (k *Membership) Group(tx *engine.Tx, name string) (*Group, error) {
	k.mu.RLock()
	defer k.mu.RUnlock()
	g := k.groups[name]
	if c := k.open[tx]; c != nil {
		if own, ok := c.groups[name]; ok {
			g = own
		}
	}
	if g == nil {
		return nil, fmt.Errorf("%w: %q of %q", board.ErrNoGroup, name, k.Name)
	}
	return g, nil
}

// Numbered returns the group with a number, nil if there is none any more. O(1).
func (k *Membership) Numbered(number int64) *Group {
	k.mu.RLock()
	defer k.mu.RUnlock()
	return k.numbers[number]
}

// Of returns the group that a member is in, as a transaction sees it; nil for none. changes says that another transaction is about to change that. O(1).
func (k *Membership) Of(tx *engine.Tx, member []byte) (g *Group, changes bool) {
	k.mu.RLock()
	defer k.mu.RUnlock()
	if len(k.changing) > 0 {
		if c := k.changing[string(member)]; c != nil {
			return c.to[string(member)], c.tx != tx
		}
	}
	if g = k.of(member); g == nil || len(k.ending) == 0 || k.ending[g] == nil {
		return g, false
	}
	return nil, k.ending[g].tx != tx
}

// Noted returns the group that a member is in, or was in before what another transaction is about to change; nil for none. O(1).
func (k *Membership) Noted(tx *engine.Tx, member []byte) *Group {
	k.mu.RLock()
	defer k.mu.RUnlock()
	if c := k.open[tx]; c != nil {
		if to, moves := c.to[string(member)]; moves {
			return to
		}
		if g := k.of(member); g != nil && k.ending[g] != c {
			return g
		}
		return nil
	}
	return k.of(member)
}

// Undecided reports whether a transaction is about to move a member, or which group of the member it is about to dissolve; nil for none. O(1).
func (k *Membership) Undecided(member []byte) (moves bool, ends *Group) {
	k.mu.RLock()
	defer k.mu.RUnlock()
	if k.changing[string(member)] != nil {
		return true, nil
	}
	if g := k.of(member); g != nil && k.ending[g] != nil {
		return false, g
	}
	return false, nil
}

// Had reports whether a group, which may be gone, is the last one that a member has joined. known is false while a transaction moves the member. O(1).
func (k *Membership) Had(g *Group, member string) (had, known bool) {
	k.mu.RLock()
	defer k.mu.RUnlock()
	number, ok := k.members.View().Score([]byte(member))
	return ok && number == g.Number, k.changing[member] == nil
}

// Joined returns the number of the group, which may be gone, that a member has joined last; 0: it is in none. O(1).
func (k *Membership) Joined(member string) int64 {
	k.mu.RLock()
	defer k.mu.RUnlock()
	number, _ := k.members.View().Score([]byte(member))
	return number
}

// of returns the group that a member is in after the last commit, for a caller that holds mu.
func (k *Membership) of(member []byte) *Group {
	number, ok := k.members.View().Score(member)
	if !ok {
		return nil
	}
	return k.numbers[number]
}

// Groups returns the groups in the order of their names. O(groups log groups).
func (k *Membership) Groups() []*Group {
	k.mu.RLock()
	defer k.mu.RUnlock()
	return slices.SortedFunc(maps.Values(k.groups), func(a, b *Group) int { return strings.Compare(a.Name, b.Name) })
}

// Count returns the numbers of groups and of members of groups. O(1).
func (k *Membership) Count() (groups, members int) {
	k.mu.RLock()
	defer k.mu.RUnlock()
	return len(k.groups), k.members.View().Len()
}
