package engines

import (
	"iter"
	"time"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/fuzz/internal/apply"
	"github.com/zrankdb/zrank/persist"
)

// txState is a transaction as a State.
type txState struct {
	*engine.Tx
	on *boardsOn
}

func (t txState) Boards() apply.Boards { return boardsIn{t.on, t.Tx} }

// Scan leaves out the private keys of boards.
func (t txState) Scan(prefix string) iter.Seq2[persist.KV, error] {
	return t.on.notOwned(t.Tx.Scan(prefix))
}

// Floats returns the set of a key with the ties that it has; a new one gets those of F4.
func (t txState) Floats(key string) (apply.Set, error) {
	w := apply.TieWidth(key)
	st, err := t.Stat(key)
	if st.Exists {
		w = st.Form.TieWidth
	}
	if err != nil {
		return nil, err
	}
	if w > 0 {
		return t.SetTied(key, w)
	}
	return t.Set(key)
}

func (t txState) Ints(key string) (apply.SetOf[int64], bool, error) {
	form, ints := apply.IntForm(key)
	st, err := t.Stat(key)
	if st.Exists {
		form, ints = st.Form, st.Ints
	}
	if err != nil || !ints {
		return nil, false, err
	}
	s, err := t.IntSet(key, form)
	return s, true, err
}

// expiring has the methods of expiry that sets of both kinds have.
type expiring interface {
	ExpireIn(d time.Duration) (bool, error)
	Persist() (bool, error)
	Expiry() (at time.Time, ok bool)
}

func (t txState) expiring(key string) (expiring, error) {
	if s, ints, err := t.Ints(key); ints || err != nil {
		x, _ := s.(expiring)
		return x, err
	}
	s, err := t.Floats(key)
	x, _ := s.(expiring)
	return x, err
}

func (t txState) Expire(key string, d time.Duration) (bool, error) {
	s, err := t.expiring(key)
	if err != nil {
		return false, err
	}
	return s.ExpireIn(d)
}

func (t txState) Persist(key string) (bool, error) {
	s, err := t.expiring(key)
	if err != nil {
		return false, err
	}
	return s.Persist()
}

func (t txState) Expiry(key string) (time.Time, bool, error) {
	s, err := t.expiring(key)
	if err != nil {
		return time.Time{}, false, err
	}
	at, ok := s.Expiry()
	return at, ok, nil
}
