package engine

import "github.com/zrankdb/zrank/zset"

// Add is zset.Set.Add. O(log n). Errors: those of it, ErrReadOnly, ErrReserved, ErrTxDone.
func (w writer[S]) Add(member []byte, score S) (added bool, err error) {
	err = w.change(member, func(z *zset.SetOf[S]) (err error) { added, err = z.Add(member, score); return err })
	return added, err
}

// AddTied is zset.Set.AddTied. O(log n). Errors: those of it, ErrReadOnly, ErrReserved, ErrTxDone.
func (w writer[S]) AddTied(member, tie []byte, score S) (added bool, err error) {
	moved, err := w.Put(member, tie, score)
	return !moved.Had && moved.After >= 0 && err == nil, err
}

// AddIf is zset.Set.AddIf: Redis ZADD with NX, XX, GT and LT. O(log n). Errors: those of it, ErrReadOnly, ErrReserved, ErrTxDone.
func (w writer[S]) AddIf(member []byte, score S, c zset.Condition) (outcome zset.Outcome, err error) {
	err = w.change(member, func(z *zset.SetOf[S]) (err error) { outcome, err = z.AddIf(member, score, c); return err })
	return outcome, err
}

// IncrBy is zset.Set.IncrBy. O(log n). Errors: those of it, ErrReadOnly, ErrReserved, ErrTxDone.
func (w writer[S]) IncrBy(member []byte, delta S) (score S, err error) {
	err = w.change(member, func(z *zset.SetOf[S]) (err error) { score, err = z.IncrBy(member, delta); return err })
	return score, err
}

// IncrByIf is zset.Set.IncrByIf: Redis ZADD with INCR and a condition on the new score. O(log n). Errors: those of it,
// ErrReadOnly, ErrReserved, ErrTxDone.
func (w writer[S]) IncrByIf(member []byte, delta S, c zset.Condition) (score S, ok bool, err error) {
	err = w.change(member, func(z *zset.SetOf[S]) (err error) { score, ok, err = z.IncrByIf(member, delta, c); return err })
	return score, ok, err
}

// Put is zset.Set.Put: AddTied, with the entry before and the ranks before and after. O(log n). Errors: those of AddTied.
func (w writer[S]) Put(member, tie []byte, score S) (moved zset.MovedOf[S], err error) {
	if !ints[S]() { // the undo log has scores as a set of int64 shows them
		err = w.change(member, func(z *zset.SetOf[S]) (err error) { moved, err = z.Put(member, tie, score); return err })
		return moved, err
	}
	if err := w.writable(); err != nil {
		return moved, err
	}
	w.h.S.Entries.SetListpack(w.h.tx.m.keys.Limits.Get())
	if moved, err = zset.As[S](w.h.S.Entries).Put(member, tie, score); err != nil {
		return moved, err
	}
	width := 0
	if moved.Had {
		width = len(tie)
	}
	w.h.undo.RecordOld(member, moved.Tie[:width], int64(moved.Score), moved.Had)
	w.h.S.Version++
	w.h.tx.breathe()
	return moved, nil
}
