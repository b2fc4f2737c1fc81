package oracle

import (
	"time"
)

func (tx *oracleTx) Expire(key string, d time.Duration) (bool, error) {
	s, err := tx.formed(key)
	if err != nil || s.len() == 0 {
		return false, err
	}
	if s.expires = tx.time.Add(d); d <= 0 {
		tx.put(key, s.emptied())
	}
	return true, nil
}

func (tx *oracleTx) Persist(key string) (bool, error) {
	s, err := tx.formed(key)
	if err != nil || s.len() == 0 || s.expires.IsZero() {
		return false, err
	}
	s.expires = time.Time{}
	return true, nil
}

func (tx *oracleTx) Expiry(key string) (at time.Time, ok bool, err error) {
	s, err := tx.formed(key)
	if err != nil || s.len() == 0 {
		return time.Time{}, false, err
	}
	return s.expires, !s.expires.IsZero(), nil
}
