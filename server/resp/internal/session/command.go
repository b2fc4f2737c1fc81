package session

import (
	"fmt"

	"github.com/zrankdb/zrank/engine"
)

// Each calls f with each key of a request, and its database; db is the client's.
func (m *Command) Each(db int, a [][]byte, f func(db int, key []byte)) {
	m.Keys.Each(a, func(key []byte) { f(db, key) })
	if m.Other == nil {
		return
	}
	if db, key, ok := m.Other(a); ok {
		f(db, key)
	}
}

// CountKeys refuses a request with more keys than a transaction may lock. O(1) for a request with fewer words than that.
func (m *Command) CountKeys(a [][]byte) error {
	if len(a) <= engine.MaxKeys {
		return nil
	}
	names := map[string]struct{}{}
	m.Each(0, a, func(_ int, key []byte) {
		if _, ok := names[string(key)]; !ok && len(names) <= engine.MaxKeys {
			names[string(key)] = struct{}{}
		}
	})
	if len(names) > engine.MaxKeys {
		return fmt.Errorf("%w: the limit is %d", engine.ErrTooManyKeys, engine.MaxKeys)
	}
	return nil
}

// takes reports whether a request may have this number of words, the name included.
func (m *Command) takes(words int) bool {
	if m.Arity < 0 {
		return words >= -m.Arity
	}
	return words == m.Arity
}
