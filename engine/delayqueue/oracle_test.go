package delayqueue

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/zrankdb/zrank/internal/testclock"
)

type state int

const (
	ready state = iota
	leased
	dead
)

func (s state) String() string { return []string{"ready", "leased", "dead"}[s] }

// naive is the oracle: a map that every call searches as a whole.
type naive struct {
	max    int
	items  map[string]*naiveItem
	number uint64
}

type naiveItem struct {
	id         string
	state      state
	at         time.Time
	number     uint64
	deliveries int
	payload    string
}

func newNaive(maxDeliveries int) *naive {
	return &naive{max: maxDeliveries, items: map[string]*naiveItem{}}
}

func (o *naive) next() uint64 { o.number++; return o.number }

// in returns the items in state s with a time not after until, in order.
func (o *naive) in(s state, until time.Time) []*naiveItem {
	var list []*naiveItem
	for _, i := range o.items {
		if i.state == s && !i.at.After(until) {
			list = append(list, i)
		}
	}
	slices.SortFunc(list, inOrder)
	return list
}

func inOrder(a, b *naiveItem) int { return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.number, b.number)) }

func (o *naive) push(now time.Time, items []Item) error {
	seen := map[string]bool{}
	for _, x := range items {
		if x.New && (o.items[x.ID] != nil || seen[x.ID]) {
			return ErrExists
		}
		seen[x.ID] = true
	}
	for _, x := range items {
		if x.Due.IsZero() {
			x.Due = now
		}
		o.items[x.ID] = &naiveItem{x.ID, ready, x.Due, o.next(), 0, string(x.Payload)}
	}
	return nil
}

func (o *naive) spent(i *naiveItem) bool { return o.max > 0 && i.deliveries >= o.max }

func (o *naive) lease(now time.Time, n int, d time.Duration) []Lease {
	var list []*naiveItem
	for _, i := range o.in(leased, now) {
		if len(list) == n {
			break
		}
		if o.spent(i) {
			i.state, i.at = dead, now
			continue
		}
		list = append(list, i)
	}
	list = append(list, o.in(ready, now)...)
	slices.SortFunc(list, inOrder)
	var leases []Lease
	for _, i := range list[:min(n, len(list))] {
		l := Lease{ID: i.id, Payload: []byte(i.payload), Due: i.at, Until: now.Add(d)}
		i.deliveries++
		i.state, i.at, i.number = leased, now.Add(d), o.next()
		l.Number, l.Deliveries = i.number, i.deliveries
		leases = append(leases, l)
	}
	return leases
}

// held returns the item of a lease that is not stale, or nil.
func (o *naive) held(l Lease) *naiveItem {
	if i := o.items[l.ID]; i != nil && i.state == leased && i.number == l.Number {
		return i
	}
	return nil
}

func (o *naive) ack(leases []Lease) (err error) {
	for _, l := range leases {
		if o.held(l) == nil {
			err = ErrStale
			continue
		}
		delete(o.items, l.ID)
	}
	return err
}

func (o *naive) nack(now time.Time, l Lease, delay time.Duration) error {
	i := o.held(l)
	switch {
	case i == nil:
		return ErrStale
	case o.spent(i):
		i.state, i.at = dead, now
	default:
		i.state, i.at, i.number = ready, now.Add(delay), o.next()
	}
	return nil
}

func (o *naive) extend(now time.Time, l Lease, d time.Duration) error {
	i := o.held(l)
	if i == nil {
		return ErrStale
	}
	i.at = now.Add(d)
	return nil
}

func (o *naive) remove(ids []string) (n int) {
	for _, id := range ids {
		if o.items[id] != nil {
			delete(o.items, id)
			n++
		}
	}
	return n
}

func (o *naive) redrive(now time.Time, ids []string) (n int) {
	for _, id := range ids {
		number := o.next()
		if i := o.items[id]; i != nil && i.state == dead {
			*i = naiveItem{id, ready, now, number, 0, i.payload}
			n++
		}
	}
	return n
}

func (o *naive) stats(now time.Time) Stats {
	late := now.Add(1e6 * time.Hour)
	due, over := o.in(ready, now), o.in(leased, now)
	st := Stats{Due: len(due) + len(over), Leased: len(o.in(leased, late)) - len(over), Dead: len(o.in(dead, late))}
	st.Later = len(o.items) - st.Due - st.Leased - st.Dead
	for _, i := range o.items {
		if i.state != dead && (st.Next.IsZero() || i.at.Before(st.Next)) {
			st.Next = i.at
		}
	}
	return st
}

// String returns the text that dump must return.
func (o *naive) String() string {
	var lines []string
	for _, i := range o.items {
		lines = append(lines, fmt.Sprintf("%s %v %d number %d deliveries %d %s", i.id, i.state, i.at.Sub(testclock.Noon).Microseconds(), i.number, i.deliveries, i.payload))
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}
