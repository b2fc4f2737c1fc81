package keyspace

import (
	"context"
	"slices"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/server/resp/internal/command"
)

// KeyCounts is the number of keys of each database.
type KeyCounts struct {
	Keys    map[int]int
	Expires map[int]int // those of them that expire
}

func newCounts() KeyCounts { return KeyCounts{map[int]int{}, map[int]int{}} }

func (n KeyCounts) add(db, keys int, expires bool) {
	n.Keys[db] += keys
	n.Expires[db] += int(command.Bit(expires)) * keys
}

// addAll adds the numbers of others.
func (n KeyCounts) addAll(others KeyCounts) {
	for db, keys := range others.Keys {
		n.Keys[db] += keys
		n.Expires[db] += others.Expires[db]
	}
}

// Databases returns the databases that have keys, in order.
func (n KeyCounts) Databases() (list []int) {
	for db, keys := range n.Keys {
		if keys > 0 {
			list = append(list, db)
		}
	}
	slices.Sort(list)
	return list
}

// Count counts the keys of all databases. The caller gives the number of sorted sets of the engine, and how many of them expire. O(plain
// values) as long as no client has used a key outside database 0 or one that begins with a zero byte; otherwise O(all keys). As in Redis,
// expired sorted sets count until the engine has dropped them.
func (s *Space) Count(ctx context.Context, sets, expiring int) (KeyCounts, error) {
	n := newCounts()
	n.Keys[0], n.Expires[0] = sets, expiring
	if s.elsewhere.Load() {
		if err := s.countElsewhere(n); err != nil {
			return n, err
		}
	}
	if s.plain.n.Load() == 0 {
		return n, nil
	}
	var plain KeyCounts
	err := s.Engine.View(ctx, func(tx *engine.Tx) error {
		t := Tx{Space: s, tx: tx}
		plain = newCounts()
		for _, name := range s.plain.names() {
			v, err := t.PlainAt(name)
			if err != nil {
				return err
			}
			if db, _, ok := clientKey(name); ok && v.Kind != None {
				plain.add(db, 1, !v.Expires.IsZero())
			}
		}
		return nil
	})
	n.addAll(plain)
	return n, err
}

// countElsewhere moves the sorted sets that are not of database 0, where the engine's total has counted them, to their databases.
func (s *Space) countElsewhere(n KeyCounts) error {
	names, err := s.Engine.Keys("\x00")
	if err != nil {
		return err
	}
	for _, name := range names {
		at, there, err := s.Engine.Expiry(name)
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

// Count is Space.Count for the keys that the transaction has locked.
func (t *Tx) Count() (KeyCounts, error) {
	n := newCounts()
	for _, name := range t.All {
		h, err := t.Get(name)
		if err != nil {
			return n, err
		}
		if db, _, ok := clientKey(name); ok && h.Kind != None {
			n.add(db, 1, !h.Expires.IsZero())
		}
	}
	return n, nil
}
