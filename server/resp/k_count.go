package resp

import (
	"slices"

	"github.com/zrankdb/zrank/engine"
)

// keyCounts are the keys of each database.
type keyCounts struct {
	keys    map[int]int
	expires map[int]int // of those, that vanish at some time
}

func newCounts() keyCounts { return keyCounts{map[int]int{}, map[int]int{}} }

func (n keyCounts) add(db, keys int, expires bool) {
	n.keys[db] += keys
	n.expires[db] += int(number(expires)) * keys
}

// databases returns those that have keys, in order.
func (n keyCounts) databases() (list []int) {
	for db, keys := range n.keys {
		if keys > 0 {
			list = append(list, db)
		}
	}
	slices.Sort(list)
	return list
}

// count counts the keys of all databases, given how many sorted sets the engine has, and how many of these vanish at some time. O(plain
// values) as long as no client has used another database than 0, or a key that begins with a zero byte; otherwise O(all keys). Sorted
// sets whose time is up count until the engine has dropped them, as in Redis.
func (s *space) count(sets, expiring int) (keyCounts, error) {
	n := newCounts()
	n.keys[0], n.expires[0] = sets, expiring
	if s.elsewhere.Load() {
		if err := s.countElsewhere(n); err != nil {
			return n, err
		}
	}
	if s.plain.n.Load() == 0 {
		return n, nil
	}
	return n, s.e.View(nil, func(tx *engine.Tx) error {
		t := keyTx{space: s, tx: tx}
		for _, name := range s.plain.names() {
			v, err := t.plainAt(name)
			if err != nil {
				return err
			}
			if db, _, ok := clientKey(name); ok && v.kind != none {
				n.add(db, 1, !v.expires.IsZero())
			}
		}
		return nil
	})
}

// countElsewhere counts the sorted sets of other databases than 0, which have been counted there, where they are.
func (s *space) countElsewhere(n keyCounts) error {
	names, err := s.e.Keys("\x00")
	if err != nil {
		return err
	}
	for _, name := range names {
		at, there, err := s.e.Expiry(name)
		if err != nil {
			return err
		}
		if there {
			n.add(0, -1, !at.IsZero())
		}
		if db, _, ok := clientKey(name); there && ok {
			n.add(db, 1, !at.IsZero())
		}
	}
	return nil
}

// count is client.count of the keys that the transaction has named.
func (t *keyTx) count() (keyCounts, error) {
	n := newCounts()
	for _, name := range t.all {
		h, err := t.look(name)
		if err != nil {
			return n, err
		}
		if db, _, ok := clientKey(name); ok && h.kind != none {
			n.add(db, 1, !h.expires.IsZero())
		}
	}
	return n, nil
}
