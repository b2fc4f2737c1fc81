package resp

import (
	"cmp"
	"hash/maphash"
	"math/rand/v2"
	"slices"
)

// A cursor of SCAN says where in the order of their hashes the keys go on: of the engine's hashes for sorted sets, and then of
// the server's own for plain values. Keys that are there from the beginning of a walk to its end, and keep their kind, come at least once.
// Cursors are below 2^53, since some clients keep them in floating point.
//
//	+----------------------------------+-----------------+
//	| the first 48 bits of the hash    | 1: plain values |
//	+----------------------------------+-----------------+

const cursorShift = 16 // bits of a hash that a cursor lacks

// scan returns about n keys from a cursor on, and the next cursor; 0: there are no more.
func (s *space) scan(db int, cursor uint64, n int) (list []found, next uint64, err error) {
	at := cursor >> 1
	if at >= 1<<(64-cursorShift) {
		return nil, 0, nil // no cursor of ours
	}
	if cursor&1 == 0 {
		if list, next, err = s.scanSets(db, at, n); next != 0 || err != nil || s.plain.n.Load() == 0 {
			return list, next << 1, err
		}
		if at, n = 0, n-len(list); n <= 0 {
			return list, 1, nil
		}
	}
	plains, next, err := s.scanPlain(db, at, n)
	if next != 0 {
		next = next<<1 | 1
	}
	return append(list, plains...), next, err
}

// scanSets walks sorted sets.
func (s *space) scanSets(db int, at uint64, n int) (list []found, next uint64, err error) {
	for {
		names, after, err := s.e.ScanKeys(at<<cursorShift, n)
		if err != nil {
			return nil, 0, err
		}
		if after>>cursorShift == at && after != 0 { // all of them have hashes that cursors do not tell apart
			n *= 2
			continue
		}
		for _, name := range names {
			if key, ok := in(db, name); ok {
				list = append(list, found{key, aSorted})
			}
		}
		return list, after >> cursorShift, nil
	}
}

// scanPlain walks plain values. O(plain values).
func (s *space) scanPlain(db int, at uint64, n int) (list []found, next uint64, err error) {
	all, err := s.plains(db)
	if err != nil {
		return nil, 0, err
	}
	place := func(f found) uint64 { return maphash.String(s.seed, f.key) >> cursorShift }
	all = slices.DeleteFunc(all, func(f found) bool { return place(f) < at })
	slices.SortFunc(all, func(a, b found) int { return cmp.Compare(place(a), place(b)) })
	for ; n < len(all) && n > 0; n++ {
		if next = place(all[n]); next != place(all[n-1]) {
			return all[:n], next, nil
		}
	}
	return all, 0, nil
}

// pick returns one of the keys.
func pick(list []found) (key string, ok bool) {
	if len(list) == 0 {
		return "", false
	}
	return list[rand.IntN(len(list))].key, true
}

// random returns a key of a database by chance. It looks for one among all keys before it lists those of the database.
func (s *space) random(db int) (key string, ok bool, err error) {
	plains, err := s.plains(db)
	if err != nil {
		return "", false, err
	}
	sets, err := s.e.Count()
	if err != nil {
		return "", false, err
	}
	if len(plains) > 0 && rand.IntN(sets+len(plains)) < len(plains) {
		key, ok = pick(plains)
		return key, ok, nil
	}
	for range 16 {
		name, ok, err := s.e.RandomKey(nil)
		if err != nil {
			return "", false, err
		}
		if key, here := in(db, name); ok && here {
			return key, true, nil
		}
	}
	list, err := s.listed(db, "*")
	key, ok = pick(list)
	return key, ok, err
}
