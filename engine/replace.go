package engine

import (
	"bytes"

	"github.com/zrankdb/zrank/persist"
	"github.com/zrankdb/zrank/zset"
)

// replace puts a set in place of the one with the key dst, in one commit, if still says so of what dst is at that moment; else it
// returns errOvertaken. Errors: those of Update, ErrTooLarge if z is more than one commit takes, ErrTieWidth if dst has ties of
// another width.
func (e *Engine) replace(dst string, z *zset.Set, still func(instant) bool) error {
	if e.store != nil && bytesOf(z.View()) > persist.MaxCommit {
		return ErrTooLarge
	}
	return e.Update([]string{dst}, func(tx *Tx) error {
		in, err := tx.inputs([]string{dst})
		if err != nil {
			return err
		}
		if !still(in[0].was) {
			return errOvertaken
		}
		s, err := tx.Set(dst)
		if err != nil {
			return err
		}
		return s.replace(z)
	})
}

// bytesOf returns about the bytes of log that a set takes, and no more than they are.
func bytesOf(v *zset.View) (n int) {
	for member := range v.Range(0, v.Len()) {
		n += len(member) + 8 + v.TieWidth()
	}
	return n
}

// replaceChunk is how many members replace copies at a time.
const replaceChunk = 1024

// replace makes the set hold what z holds. O(members of both).
func (s *Set) replace(z *zset.Set) error {
	var gone [][]byte
	for member := range s.Range(0, s.Len()) {
		if _, ok := z.Score(member); !ok {
			gone = append(gone, bytes.Clone(member))
		}
	}
	for _, member := range gone {
		if _, err := s.Remove(member); err != nil {
			return err
		}
	}
	if z.Len() == 0 {
		return nil
	}
	s, err := s.tx.SetTied(s.Key(), z.TieWidth())
	if err != nil {
		return err
	}
	var entries []zset.Entry
	for lo := 0; lo < z.Len(); lo += replaceChunk {
		entries = z.Append(entries[:0], lo, lo+replaceChunk)
		for _, x := range entries {
			if _, err := s.AddTied(x.Member, x.Tie, x.Score); err != nil {
				return err
			}
		}
	}
	return nil
}
