package membership

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/zset"
)

// Kind is the groups of one kind, with their members. Its methods may be called from any goroutine.
type Kind struct {
	Name string

	Deciding sync.Mutex // held while a group is made, changed or dissolved, until that is committed and noted here

	changes   sync.RWMutex // held for reading while members change
	mu        sync.RWMutex
	settled   *sync.Cond   // a change has ended; its lock is mu
	members   *zset.IntSet // the score of a member is the number of its group
	groups    map[string]*Group
	numbers   map[int64]*Group
	changing  map[string]*move // of members
	undecided atomic.Int32     // how many of these there are, and one more while a group is being dissolved
	ending    *Group           // is being dissolved; else nil
	last      int64            // the highest number that a group has had
}

// Group is a group. It does not change.
type Group struct {
	Name    string
	Key     []byte // the name, which nobody changes; set by Add
	Number  int64
	Created int64 // microseconds after 1970
}

// move is a change of a member that has begun.
type move struct{ was, to *Group }

// New returns a kind without groups.
func New(name string) (*Kind, error) {
	members, err := zset.NewInt(zset.Options{})
	if err != nil {
		return nil, err
	}
	k := &Kind{Name: name, members: members, groups: map[string]*Group{}, numbers: map[int64]*Group{}, changing: map[string]*move{}}
	k.settled = sync.NewCond(&k.mu)
	return k, nil
}

// Group returns a group by its name. Error: ErrNoGroup.
func (k *Kind) Group(name string) (*Group, error) {
	k.mu.RLock()
	defer k.mu.RUnlock()
	if g := k.groups[name]; g != nil {
		return g, nil
	}
	return nil, fmt.Errorf("%w: %q of %q", board.ErrNoGroup, name, k.Name)
}

// Numbered returns the group with a number, nil if there is none any more. O(1).
func (k *Kind) Numbered(number int64) *Group {
	k.mu.RLock()
	defer k.mu.RUnlock()
	return k.numbers[number]
}

// Of returns the group that a member is in, nil for none. changes says that this is being decided. O(1).
func (k *Kind) Of(member []byte) (g *Group, changes bool) {
	k.mu.RLock()
	defer k.mu.RUnlock()
	return k.ofNow(member)
}

// Noted returns the group that a member is in, or was in before a change that is being decided; nil for none. O(1).
func (k *Kind) Noted(member []byte) *Group {
	k.mu.RLock()
	defer k.mu.RUnlock()
	return k.of(member)
}

// Had reports whether a group, which may be gone, is the last one that a member has joined. known is false while a change of the member is being decided. O(1).
func (k *Kind) Had(g *Group, member string) (had, known bool) {
	k.mu.RLock()
	defer k.mu.RUnlock()
	number, ok := k.members.View().Score([]byte(member))
	return ok && number == g.Number, k.changing[member] == nil
}

// ofNow is Of for a caller that holds mu.
func (k *Kind) ofNow(member []byte) (g *Group, changes bool) {
	if len(k.changing) > 0 && k.changing[string(member)] != nil {
		return nil, true
	}
	if g = k.of(member); g != nil && g == k.ending {
		return nil, true
	}
	return g, false
}

// Wait waits while the group of a member is being decided. The caller is in no transaction.
func (k *Kind) Wait(member []byte) {
	if k.undecided.Load() == 0 {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	for {
		if _, changes := k.ofNow(member); !changes {
			return
		}
		k.settled.Wait()
	}
}

// of is Of without changes, for a caller that holds mu.
func (k *Kind) of(member []byte) *Group {
	number, ok := k.members.View().Score(member)
	if !ok {
		return nil
	}
	return k.numbers[number]
}

// Size returns the number of members of a group. O(log members of all groups).
func (k *Kind) Size(g *Group) int {
	k.mu.RLock()
	defer k.mu.RUnlock()
	v := k.members.View()
	return v.Seek(g.Number+1, nil) - v.Seek(g.Number, nil)
}

// AppendMembers appends up to n members of a group that sort after a name, in the order of their names. O(log members of all groups + n).
func (k *Kind) AppendMembers(dst []string, g *Group, after string, n int) []string {
	k.mu.RLock()
	defer k.mu.RUnlock()
	v := k.members.View()
	lo, hi := v.Seek(g.Number, nil), v.Seek(g.Number+1, nil)
	if after != "" {
		lo = v.Seek(g.Number, append([]byte(after), 0)) // the next text after the name
	}
	for e := range v.Entries(lo, min(hi, lo+n)) {
		dst = append(dst, string(e.Member))
	}
	return dst
}

// Groups returns the groups in the order of their names. O(groups log groups).
func (k *Kind) Groups() []*Group {
	k.mu.RLock()
	defer k.mu.RUnlock()
	all := make([]*Group, 0, len(k.groups))
	for _, g := range k.groups {
		all = append(all, g)
	}
	slices.SortFunc(all, func(a, b *Group) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// Count returns the numbers of groups and of members of groups. O(1).
func (k *Kind) Count() (groups, members int) {
	k.mu.RLock()
	defer k.mu.RUnlock()
	return len(k.groups), k.members.View().Len()
}
