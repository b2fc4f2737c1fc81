package submit

import (
	"time"

	"github.com/zrankdb/zrank/engine"
)

// The Once keys of a board are the members of a set. The score of each is the time when it was
// used, in milliseconds after 1970.

// ForgetOnce is the number of expired Once keys that a submission with a new one deletes, at most.
const ForgetOnce = 16

// isDuplicate reports whether a submission with the same Once key has been counted.
func (p *plan) isDuplicate(tx *engine.Tx) (bool, error) {
	if p.sub.Once == "" {
		return false, nil
	}
	s, err := tx.IntSet(p.st.OnceKey, engine.Form{})
	if err != nil {
		return false, err
	}
	at, used := s.Score([]byte(p.sub.Once))
	return used && at > p.onceSince(tx), nil
}

// onceSince returns the time of use, in milliseconds after 1970, up to which Once keys are expired
// by now.
func (p *plan) onceSince(tx *engine.Tx) int64 {
	return tx.Now().Add(-time.Duration(p.st.Spec.OnceFor)).UnixMilli()
}

// storeOnce stores the submission's Once key, and deletes some expired ones.
func (p *plan) storeOnce(tx *engine.Tx) error {
	if p.sub.Once == "" {
		return nil
	}
	s, err := tx.IntSet(p.st.OnceKey, engine.Form{})
	if err != nil {
		return err
	}
	if _, err := s.RemoveRange(0, min(s.Seek(p.onceSince(tx)+1, nil), ForgetOnce)); err != nil {
		return err
	}
	_, err = s.Add([]byte(p.sub.Once), tx.Now().UnixMilli())
	return err
}
