package board

import (
	"time"

	"github.com/zrankdb/zrank/engine"
)

// A board's Once keys are the members of a set of its own, each with the time it was used, in milliseconds after 1970.

// forgetOnce is how many Once keys whose time is up a submission with a new one takes away.
const forgetOnce = 16

// again reports whether a submission with the same Once key has been counted.
func (p *plan) again(tx *engine.Tx) (bool, error) {
	if p.sub.Once == "" {
		return false, nil
	}
	s, err := tx.IntSet(p.st.once, engine.Form{})
	if err != nil {
		return false, err
	}
	at, used := s.Score([]byte(p.sub.Once))
	return used && at > p.onceSince(tx), nil
}

// onceSince returns the latest time at which a Once key that is forgotten by now was used.
func (p *plan) onceSince(tx *engine.Tx) int64 {
	return tx.Now().Add(-time.Duration(p.st.spec.OnceFor)).UnixMilli()
}

// remember notes the submission's Once key, and forgets some old ones.
func (p *plan) remember(tx *engine.Tx) error {
	if p.sub.Once == "" {
		return nil
	}
	s, err := tx.IntSet(p.st.once, engine.Form{})
	if err != nil {
		return err
	}
	if _, err := s.RemoveRange(0, min(s.Seek(p.onceSince(tx)+1, nil), forgetOnce)); err != nil {
		return err
	}
	_, err = s.Add([]byte(p.sub.Once), tx.Now().UnixMilli())
	return err
}
