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
//   - score: a float64 in a Set, as in Redis: infinities are scores, NaN is refused, -0 becomes 0. An int64 in an IntSet,
//     exact over its whole range; what would leave the range is refused.
//   - tie: bytes that order entries of equal score before the member's bytes do. Its width is fixed for the set: 0 to 40, a multiple
//     of 8.
//   - equals: entries of one score. With Options.ScoreTie the first bytes of the tie are further columns of the score, and
//     equals have those in common too. Equals are adjacent in the order.
//   - rank: the number of entries before an entry, from 0. Intervals of ranks are half-open, [lo, hi).
//   - reverse rank: the number of entries after it. Reverse turns intervals of the one into intervals of the other.
//   - encoding: "listpack", one or two byte slices, for up to 128 entries of up to 64 bytes; "skiplist", an ordered index over
//     a member table, above that. A set becomes a skiplist by itself and stays one, until it is empty: then it is a listpack again.
//   - before-image: a set as it was before some changes, beside the set that has them.
//   - key: the 64 bits that order as the score does; what both encodings store.
//
// The order is that of Redis: score, then (tie, then) member as bytes, a shorter one before a longer one it begins.
//
// # A View, an interval, a direction
//
// View has the reading half of a Set and cannot change it. Every question about order is answered in ranks: RankInterval,
// ScoreInterval and MemberInterval turn bounds into an interval, whose length is the count, Limit takes a page of it, and
// Range, RevRange, Append, AppendRev, CopyRange and RemoveRange work on it. Redis's commands translate like this:
//
//	ZCOUNT k (1 5             lo, hi := s.ScoreInterval(Bound{1, true}, Bound{5, false}); hi - lo
//	ZRANGE k 0 -1             s.Range(s.RankInterval(0, -1))
//	ZRANGE k 5 1 BYSCORE REV  s.RevRange(s.Reverse(s.ScoreInterval(Bound{Score: 1}, Bound{Score: 5})))
//	… LIMIT 10 20             s.Range(Limit(lo, hi, 10, 20))
//	… REV LIMIT 10 20         lo, hi = s.Reverse(lo, hi); s.RevRange(Limit(lo, hi, 10, 20))
//	ZLEXCOUNT k - [b          lo, hi := s.MemberInterval(nil, &MemberBound{Member: b}); hi - lo
//	ZREMRANGEBYLEX k - [b     s.RemoveRange(s.MemberInterval(nil, &MemberBound{Member: b}))
//	ZRANGEBYLEX … LIMIT 10 20 s.Range(s.MemberPage(low, high, 10, 20))
//	ZREVRANGEBYLEX …          s.RevRange(s.RevMemberPage(low, high, 0, -1))
//	ZADD k GT CH 5 a          outcome, err := s.AddIf(a, 5, GT); CH counts the outcomes other than Unchanged
//	ZADD k XX INCR 5 a        score, ok, err := s.IncrByIf(a, 5, XX)
//	ZUNIONSTORE d 2 a b       d, err = Union(Options{}, Combine[float64]{}, a.View(), b.View())
//
// Ranges by member are meant for sets whose entries all have one score and one tie. In other sets they give the answer of
// Redis: they walk along the order and compare members only. The walk begins at the first one within the near bound and ends before the next one
// beyond the far bound. Both directions may find different entries, and LIMIT changes where the walk looks: see MemberPage.
//
// # Walking
//
//  1. A walk MUST NOT change the set it walks; collect first, then change.
//  2. Members and ties that a walk or a call hands out alias the set: they MAY be read until the next change and MUST NOT be
//     written. Append and the pops hand out copies.
//
// # Costs
//
// n is Len. In a listpack, whose size Options bound, costs of O(1) and O(log n) are O(n). A call that changes one member does only
// little work for other members: hash tables split and merge 64 buckets at a time, memory is freed a few records at a time, and
// emptying a set leaves its memory to the garbage collector. One cost grows with the set: the directory of its hash tables, 40 bytes
// for each 700 members, is copied when it doubles or halves. That takes 0.5 ms at 7 million members, about 7 ms at 100 million.
//
// # Invariants
//
//   - Z1: a listpack takes in no entry that its thresholds do not allow, and never holds more than 32,768.
//   - Z2: the index holds every record of the member table, and nothing else.
//   - Z3: a set with a Cap holds at most Cap + Reserve entries.
//
// # Where it differs from Redis
//
// The folder testdata has the replies of Redis 7.0.15 to about a thousand commands, and a test that gives the same ones. The
// differences: Redis keeps the sign of -0 in a skiplist and loses it in a listpack; here it is always lost. Redis 7.0 looks at
// the first member alone when a key is made, and 7.2 at the number of pairs; here each member is looked at as it comes. Where
// scores are not all equal, both encodings answer ranges by member as Redis's listpack does. Redis's skiplist gives the same answer
// if, in the order of the walk, every member outside of the near bound comes before every member within it, as where members ascend with
// their scores; ZLEXCOUNT needs that of both bounds. Otherwise its answer depends on the heights of its towers, which are random. Scores are
// numbers, not text: which text Redis accepts or prints for a score is decided by the package that speaks its protocol. Redis has
// no ties, no int64 scores, no Cap and no Mode but Ordinal.
//
// # Where things are
//
//	set.go, options.go            SetOf, ViewOf and their two kinds; Options
//	encoding.go, change.go        the two encodings behind one core: reading and changing
//	walk.go                       visiting the entries of a range in either encoding
//	add.go, remove.go             ZADD with its conditions, increments; removal and pops
//	read.go, range.go             score, rank; walks and copies of a range
//	interval.go                   ranks of a range by score, member or rank; memberrange.go where scores differ
//	seekall.go                    several searches together
//	mode.go, equals.go            the four ways to rank equals; entries with equal columns
//	score.go                      scores as 64-bit keys that order as they do
//	random.go                     ZRANDMEMBER
//	before.go                     BeforeImageOf: a set as it was before some changes
//	combine.go, copy.go           union, intersection, difference; copies of a set or a range
//	builder.go, load.go, page.go  making a set of entries in any order; of pages; pages for snapshots
//	build.go                      making a set of many entries at once
//	thresholds.go                 when a set moves to a skiplist
//	limits.go                     what a set has beside its entries: limits, the cap, the encoding
//	check.go, errors.go           invariants; the errors
package zset
