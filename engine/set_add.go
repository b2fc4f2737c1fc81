package engine

import "github.com/zrankdb/zrank/zset"

// Add is zset.Set.Add. O(log n). Errors: those of it, ErrReadOnly, ErrTxDone.
func (s *Set) Add(member []byte, score float64) (added bool, err error) {
	err = s.change(member, func() (err error) { added, err = s.s.z.Add(member, score); return err })
	return added, err
}

// AddTied is zset.Set.AddTied. O(log n). Errors: those of it, ErrReadOnly, ErrTxDone.
func (s *Set) AddTied(member, tie []byte, score float64) (added bool, err error) {
	err = s.change(member, func() (err error) { added, err = s.s.z.AddTied(member, tie, score); return err })
	return added, err
}

// AddIf is zset.Set.AddIf: Redis ZADD with NX, XX, GT and LT. O(log n). Errors: those of it, ErrReadOnly, ErrTxDone.
func (s *Set) AddIf(member []byte, score float64, c zset.Condition) (outcome zset.Outcome, err error) {
	err = s.change(member, func() (err error) { outcome, err = s.s.z.AddIf(member, score, c); return err })
	return outcome, err
}

// IncrBy is zset.Set.IncrBy. O(log n). Errors: those of it, ErrReadOnly, ErrTxDone.
func (s *Set) IncrBy(member []byte, delta float64) (score float64, err error) {
	err = s.change(member, func() (err error) { score, err = s.s.z.IncrBy(member, delta); return err })
	return score, err
}

// IncrByIf is zset.Set.IncrByIf: Redis ZADD with INCR and a condition on the new score. O(log n). Errors: those of it,
// ErrReadOnly, ErrTxDone.
func (s *Set) IncrByIf(member []byte, delta float64, c zset.Condition) (score float64, ok bool, err error) {
	err = s.change(member, func() (err error) { score, ok, err = s.s.z.IncrByIf(member, delta, c); return err })
	return score, ok, err
}
