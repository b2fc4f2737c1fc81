package zset

// Score returns a member's score, as Redis ZSCORE, and false if the set does not hold it. O(1).
func (v *ViewOf[S]) Score(member []byte) (score S, ok bool) {
	key, ok := v.key(member)
	if !ok {
		return 0, false
	}
	return scoreOf[S](key), true
}

// ScoreOrNot is a score, or none.
type ScoreOrNot[S Score] struct {
	Score S    // 0 if there is none
	OK    bool // there is one
}

// MultiScore appends each member's score to dst, as Redis ZMSCORE; OK is false for those that the set does not hold.
// O(members).
func (v *ViewOf[S]) MultiScore(dst []ScoreOrNot[S], members ...[]byte) []ScoreOrNot[S] {
	for _, member := range members {
		score, ok := v.Score(member)
		dst = append(dst, ScoreOrNot[S]{score, ok})
	}
	return dst
}

// Get returns a member's score and tie, and false if the set does not hold it. The tie aliases the set. O(1).
func (v *ViewOf[S]) Get(member []byte) (score S, tie []byte, ok bool) {
	h, ok := v.find(member)
	if !ok {
		return 0, nil, false
	}
	key, tie := v.record(h)
	return scoreOf[S](key), tie, true
}

// Rank returns the number of entries before a member, 0 for the lowest score, as Redis ZRANK, and false if the set does not
// hold it. O(log n).
func (v *ViewOf[S]) Rank(member []byte) (rank int, ok bool) {
	h, ok := v.find(member)
	if !ok {
		return 0, false
	}
	return v.rank(h), true
}

// RevRank returns the number of entries after a member, 0 for the highest score, as Redis ZREVRANK, and false if the set does
// not hold it. O(log n).
func (v *ViewOf[S]) RevRank(member []byte) (rank int, ok bool) {
	rank, ok = v.Rank(member)
	if !ok {
		return 0, false
	}
	return v.Len() - 1 - rank, true
}

// RankScore returns a member's rank, from 0, and score, as Redis ZRANK WITHSCORE, and false if the set does not hold it. The reverse
// rank is Len - 1 - rank. O(log n).
func (v *ViewOf[S]) RankScore(member []byte) (rank int, score S, ok bool) {
	rank, score, _, ok = v.RankGet(member)
	return rank, score, ok
}

// RankGet is Rank and Get with one look-up: it returns a member's rank, from 0, score and tie, and false if the set does not hold it. The
// tie aliases the set. O(log n).
func (v *ViewOf[S]) RankGet(member []byte) (rank int, score S, tie []byte, ok bool) {
	h, ok := v.find(member)
	if !ok {
		return 0, 0, nil, false
	}
	key, tie := v.record(h)
	return v.rank(h), scoreOf[S](key), tie, true
}

// AppendScan appends copies of entries to dst and returns the cursor for the next call, as Redis ZSCAN. A call returns at least n
// entries, or the rest. Cursor 0 starts a scan; a returned 0 ends it. A scan returns each member that is in the set from the first call
// to the last at least once, in no particular order. It may return a member more than once if the set grows or shrinks meanwhile. One
// call returns all of a listpack. A cursor is valid only for its own set. O(n).
func (v *ViewOf[S]) AppendScan(dst []EntryOf[S], cursor uint64, n int) (entries []EntryOf[S], next uint64) {
	if v.big() == nil {
		return v.Append(dst, 0, v.Len()), 0
	}
	t, width := v.big().table, v.limits().tieWidth
	c := copier[S]{left: min(n, t.Len())}
	next = t.Scan(cursor, n, func(ref uint32) {
		key, text := t.Entry(ref)
		dst = c.append(dst, key, text[:width], text[width:])
	})
	return dst, next
}
