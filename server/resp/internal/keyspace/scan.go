package keyspace

import (
	"cmp"
	"context"
	"hash/maphash"
	"math/rand/v2"
	"slices"
)

// A cursor of SCAN is a place in the order of the keys' hashes: of the engine's hashes for sorted sets, and after those of the server's own
// for plain values. Keys that exist during the whole walk, and keep their kind, are returned at least once. Cursors are below 2^53, since
// some clients keep them in floating point.
//
//	+----------------------------------+-----------------+
//	| the first 48 bits of the hash    | 1: plain values |
//	+----------------------------------+-----------------+

const cursorShift = 16 // bits of a hash that a cursor lacks

// Scan returns about n keys of a database from a cursor on, and the next cursor; 0: there are no more.
func (s *Space) Scan(ctx context.Context, db int, cursor uint64, n int) (list []Found, next uint64, err error) {
	at := cursor >> 1
	if at >= 1<<(64-cursorShift) {
		return nil, 0, nil // the server has made no such cursor
	}
	if cursor&1 == 0 {
		if list, next, err = s.scanSets(db, at, n); next != 0 || err != nil || s.plain.n.Load() == 0 {
			return list, next << 1, err
		}
		if at, n = 0, n-len(list); n <= 0 {
			return list, 1, nil
		}
	}
	plains, next, err := s.scanPlain(ctx, db, at, n)
	if next != 0 {
		next = next<<1 | 1
	}
	return append(list, plains...), next, err
}

// scanSets walks sorted sets.
func (s *Space) scanSets(db int, at uint64, n int) (list []Found, next uint64, err error) {
	for {
		names, after, err := s.Engine.ScanKeys(at<<cursorShift, n)
		if err != nil {
			return nil, 0, err
		}
		if after>>cursorShift == at && after != 0 { // all these hashes have the same cursor: read further
			n *= 2
			continue
		}
		for _, name := range names {
			if key, ok := InDatabase(db, name); ok {
				list = append(list, Found{key, SortedSet})
			}
		}
		return list, after >> cursorShift, nil
	}
}

// scanPlain walks plain values. O(plain values).
func (s *Space) scanPlain(ctx context.Context, db int, at uint64, n int) (list []Found, next uint64, err error) {
	all, err := s.plains(ctx, db)
	if err != nil {
		return nil, 0, err
	}
	place := func(f Found) uint64 { return maphash.String(s.seed, f.Key) >> cursorShift }
	all = slices.DeleteFunc(all, func(f Found) bool { return place(f) < at })
	slices.SortFunc(all, func(a, b Found) int { return cmp.Compare(place(a), place(b)) })
	for ; n < len(all) && n > 0; n++ {
		if next = place(all[n]); next != place(all[n-1]) {
			return all[:n], next, nil
		}
	}
	return all, 0, nil
}

// Pick returns a key at random; ok is false if there is none.
func Pick(list []Found) (key string, ok bool) {
	if len(list) == 0 {
		return "", false
	}
	return list[rand.IntN(len(list))].Key, true
}

// Random returns a key of a database at random. It draws from all keys, several times, before it lists those of the database.
func (s *Space) Random(ctx context.Context, db int) (key string, ok bool, err error) {
	plains, err := s.plains(ctx, db)
	if err != nil {
		return "", false, err
	}
	sets, err := s.Engine.Count()
	if err != nil {
		return "", false, err
	}
	if len(plains) > 0 && rand.IntN(sets+len(plains)) < len(plains) {
		key, ok = Pick(plains)
		return key, ok, nil
	}
	for range 16 {
		name, ok, err := s.Engine.RandomKey(nil)
		if err != nil {
			return "", false, err
		}
		if key, here := InDatabase(db, name); ok && here {
			return key, true, nil
		}
	}
	list, err := s.Listed(ctx, db, "*")
	key, ok = Pick(list)
	return key, ok, err
}
