// Package zset is Redis's sorted set as a Go type: members, each with a score, kept in order of their scores, with the rank
// of any member and the member of any rank in O(log n).
//
//	s, err := zset.New(zset.Options{})
//	s.Add([]byte("ada"), 3100)
//	s.Add([]byte("grace"), 2950)
//	rank, ok := s.Rank([]byte("ada")) // 1: from 0, lowest score first
//	for member, score := range s.RevRange(0, 10) { … } // the ten highest
//
// It imports nothing but the standard library, keeps everything in memory and takes no locks: use it from one goroutine, or
// from many as long as none writes. Package engine adds keys, locks, transactions and durability.
//
// # Terminology
//
//   - member: the thing ranked, a byte string of 0 to MaxMember bytes, unique in its set.
//   - score: a float64; infinities are scores, NaN is refused, -0 becomes 0.
//   - tie: 0 to 32 bytes, a multiple of 8 and fixed for the set, that order equal scores before the members' own bytes do.
//   - rank: the number of entries before an entry, from 0. Intervals of ranks are half-open, [lo, hi).
//   - encoding: "listpack", one byte slice, for up to 128 entries of up to 64 bytes; "skiplist", an ordered index over a
//     member table, above. A set moves up by itself and for good.
//   - key: the 64 bits that order as the score does; what both encodings store.
//
// The order is that of Redis: score, then (tie, then) member as bytes, a shorter one before a longer one it begins.
//
// # A View, an interval, a direction
//
// View has the reading half of a Set and cannot change it. Every question about order is answered in ranks: ScoreInterval
// and MemberInterval turn bounds into an interval, whose length is the count, and which Range, RevRange and Append walk.
//
// # Walking
//
//  1. A walk MUST NOT change the set it walks; collect first, then change.
//  2. Members and ties that a walk or a call hands out alias the set: they MAY be read until the next change and MUST NOT be
//     written. Append and the pops hand out copies.
//
// # Invariants
//
//   - Z1: a listpack holds no more entries, and no longer members, than Options allow.
//   - Z2: the index holds every record of the member table, and nothing else.
//
// # Where it differs from Redis
//
// Redis keeps the sign of -0 in a skiplist and loses it in a listpack; here it is always lost. Redis has no ties.
package zset
