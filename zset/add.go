package zset

// Condition says when a member may be given a score, as the flags of Redis ZADD. NX excludes the others, and GT excludes LT.
type Condition uint8

const (
	// NX adds new members only.
	NX Condition = 1 << iota
	// XX updates existing members only.
	XX
	// GT updates a member only if the new score is greater than its own. It does not keep new members out.
	GT
	// LT updates a member only if the new score is less than its own. It does not keep new members out.
	LT
)

// Validate returns ErrXXAndNX or ErrGTLTNX if the flags exclude each other. O(1).
func (c Condition) Validate() error {
	if c&NX != 0 && c&XX != 0 {
		return ErrXXAndNX
	}
	if (c&(NX|GT|LT))&(c&(NX|GT|LT)-1) != 0 {
		return ErrGTLTNX
	}
	return nil
}

// Outcome is the result of adding a member. Redis ZADD counts the Added, and with CH also the Updated.
type Outcome uint8

const (
	// Unchanged means that the member has the score already, that the condition did not hold, or that the set's Cap kept the
	// member out.
	Unchanged Outcome = iota
	// Added means that the member is new.
	Added
	// Updated means that the member has another score than before.
	Updated
)

// Add gives a member a score, as Redis ZADD, and reports whether the member is new. In a set with ties a new member gets a
// tie of zeros and an old one keeps its own. O(log n). Errors: ErrNaN, ErrMemberTooLong, ErrFull.
func (s *SetOf[S]) Add(member []byte, score S) (added bool, err error) {
	outcome, err := s.put(member, nil, score, false)
	return outcome == Added, err
}

// AddTied is Add with a tie. O(log n). Errors: those of Add, ErrTieWidth.
func (s *SetOf[S]) AddTied(member, tie []byte, score S) (added bool, err error) {
	if len(tie) != s.TieWidth() {
		return false, ErrTieWidth
	}
	outcome, err := s.put(member, tie, score, true)
	return outcome == Added, err
}

// AddIf is Add under a condition, as Redis ZADD with NX, XX, GT and LT. CH would count the outcomes Added and Updated. O(log n).
// Errors: those of Add, ErrXXAndNX, ErrGTLTNX.
func (s *SetOf[S]) AddIf(member []byte, score S, c Condition) (Outcome, error) {
	if err := c.Validate(); err != nil {
		return Unchanged, err
	}
	if isNaN(score) {
		return Unchanged, ErrNaN
	}
	if c != 0 {
		if old, had := s.Score(member); !c.allows(had, score > old, score < old) {
			return Unchanged, nil
		}
	}
	return s.put(member, nil, score, false)
}

// allows reports whether the condition allows a new score for a member. had says whether the set holds the member; greater and less
// compare the new score with the old one.
func (c Condition) allows(had, greater, less bool) bool {
	if !had {
		return c&XX == 0
	}
	return c&NX == 0 && (c&GT == 0 || greater) && (c&LT == 0 || less)
}

// IncrBy adds delta to a member's score, or gives a new member the score delta, as Redis ZINCRBY. It returns the new score, or 0 for a
// new member that the set's Cap keeps out. A tie stays as it is. O(log n). Errors: ErrNaN if delta is NaN, or if the sum is one of
// opposite infinities; ErrOverflow in a set of int64 scores; those of Add.
func (s *SetOf[S]) IncrBy(member []byte, delta S) (score S, err error) {
	score, _, err = s.IncrByIf(member, delta, 0)
	return score, err
}

// IncrByIf is IncrBy under a condition on the new score, as Redis ZADD with INCR. ok is false, and the score the member's
// own, if the condition does not hold or the set's Cap keeps a new member out. NX on an old member does not hold, whatever
// the sum would be. O(log n). Errors: those of IncrBy, ErrXXAndNX, ErrGTLTNX.
func (s *SetOf[S]) IncrByIf(member []byte, delta S, c Condition) (score S, ok bool, err error) {
	if err := c.Validate(); err != nil {
		return 0, false, err
	}
	old, had := s.Score(member)
	switch {
	case isNaN(delta):
		return old, false, ErrNaN
	case had && c&NX != 0:
		return old, false, nil
	}
	score, err = add(old, delta)
	if err != nil {
		return old, false, err
	}
	if !c.allows(had, score > old, score < old) {
		return old, false, nil
	}
	outcome, err := s.put(member, nil, score, false)
	if err != nil || outcome == Unchanged && !had {
		return old, false, err
	}
	return score + 0, true, nil
}

// put gives a member a score and, if tied is true, a tie.
func (s *SetOf[S]) put(member, tie []byte, score S, tied bool) (Outcome, error) {
	if isNaN(score) {
		return Unchanged, ErrNaN
	}
	key := keyOf(score)
	return s.core.put(member, tie, key, tied, nil)
}

var zeros [MaxTieWidth]byte

// put adds a member or changes its key and tie, and evicts the worst entry of a full set. Without tied, a new member gets a tie of
// zeros, and an existing one keeps its tie. A change of the tie alone counts as Unchanged. If m is not nil, put fills it in.
func (c *core) put(member, tie []byte, key uint64, tied bool, m *moved) (Outcome, error) {
	if len(member) > MaxMember {
		return Unchanged, ErrMemberTooLong
	}
	h, ok := c.find(member)
	var old uint64
	oldTie := zeros[:c.limits().tieWidth]
	if ok {
		old, oldTie = c.record(h)
	}
	if m != nil {
		m.had, m.key, m.before, m.after = ok, old, -1, -1
		copy(m.tie[:], oldTie)
	}
	if !tied {
		tie = oldTie
	}
	var own [MaxTieWidth]byte // tie may alias the set, which is about to move
	tie = own[:copy(own[:], tie)]
	if !ok {
		return c.putNew(member, tie, key, m)
	}
	same := string(tie) == string(oldTie)
	return c.putFound(h, tie, key, key == old, same, m), nil
}

// putNew is put for a member that the set does not hold.
func (c *core) putNew(member, tie []byte, key uint64, m *moved) (Outcome, error) {
	if c.worstOfAll(key, tie, member) {
		return Unchanged, nil
	}
	rank, err := c.insert(key, tie, member)
	if err != nil {
		return Unchanged, err
	}
	rank -= c.evict()
	if m != nil {
		m.after = rank
	}
	c.shrink()
	c.changed()
	return Added, nil
}

// putFound is put for a member that the set holds, with the same key or not, and the same tie or not.
func (c *core) putFound(h handle, tie []byte, key uint64, sameKey, sameTie bool, m *moved) Outcome {
	if sameKey && sameTie {
		if m != nil {
			m.before = c.rank(h)
			m.after = m.before
		}
		return Unchanged
	}
	before, after := c.move(h, key, tie)
	if m != nil {
		m.before, m.after = before, after
	}
	c.shrink()
	c.changed()
	if sameKey {
		return Unchanged
	}
	return Updated
}

// moved is the entry that a member had before put, and its ranks before and after. A rank is -1 where the set does not hold the member.
type moved struct {
	had           bool
	key           uint64
	tie           [MaxTieWidth]byte
	before, after int
}

// MovedOf is what Put has done to a member.
type MovedOf[S Score] struct {
	Had    bool              // the set held the member before; if not, Score and Tie are zero
	Score  S                 // before
	Tie    [MaxTieWidth]byte // before, in the first TieWidth bytes
	Before int               // its rank before, from 0, lowest score first; -1 if the set did not hold it
	After  int               // its rank now; -1 if the set's Cap kept it out
}

// Put is AddTied, and returns what the member had before and its ranks before and after. It looks the member up once, and finds both
// ranks on the way to the two places. O(log n). Errors: those of AddTied.
func (s *SetOf[S]) Put(member, tie []byte, score S) (MovedOf[S], error) {
	if len(tie) != s.TieWidth() {
		return MovedOf[S]{}, ErrTieWidth
	}
	if isNaN(score) {
		return MovedOf[S]{}, ErrNaN
	}
	var m moved
	if _, err := s.core.put(member, tie, keyOf(score), true, &m); err != nil {
		return MovedOf[S]{}, err
	}
	result := MovedOf[S]{Had: m.had, Tie: m.tie, Before: m.before, After: m.after}
	if m.had {
		result.Score = scoreOf[S](m.key)
	}
	return result, nil
}

// worstOfAll reports whether the set is full and the new entry would be its worst, so that the set would drop it at once.
func (c *core) worstOfAll(key uint64, tie, member []byte) bool {
	if c.limits().rare == nil || c.len() < c.limits().full() {
		return false
	}
	rank := c.seek(key, append(append(make([]byte, 0, 128), tie...), member...))
	if c.limits().rare.lowest {
		return rank == c.len()
	}
	return rank == 0
}

// evict drops the worst entries of a set that holds too many. It returns how many of them had the lowest ranks.
func (c *core) evict() (low int) {
	if c.limits().rare == nil {
		return 0
	}
	switch n := c.len() - c.limits().full(); {
	case n <= 0:
	case c.limits().rare.lowest:
		c.removeRange(c.len()-n, c.len())
	default:
		c.removeRange(0, n)
		return n
	}
	return 0
}

// Best returns the ranks [lo, hi) of the best entries of a set with a Cap: at most Cap of them, those in reserve left out.
// In a set without one it is all. Ranks count from 0, and hi is not part of the interval. O(1).
func (v *ViewOf[S]) Best() (lo, hi int) {
	n := v.Len()
	r := v.limits().rare
	switch {
	case r == nil || r.cap == 0 || n <= r.cap:
		return 0, n
	case r.lowest:
		return 0, r.cap
	default:
		return n - r.cap, n
	}
}
