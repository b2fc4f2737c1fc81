package oracle

import (
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/zrankdb/zrank/persist"
)

// Values are private keys in a Go map.
type Values map[string]string

// Get returns the value of a key.
func (v Values) Get(key string) (value []byte, ok bool, err error) {
	s, ok := v[key]
	return []byte(s), ok, nil
}

// Put sets the value of a key.
func (v Values) Put(key string, value []byte) error {
	v[key] = string(value)
	return nil
}

// Delete removes a key.
func (v Values) Delete(key string) error {
	delete(v, key)
	return nil
}

// Scan walks the keys that begin with prefix, in order.
func (v Values) Scan(prefix string) iter.Seq2[persist.KV, error] {
	return func(yield func(persist.KV, error) bool) {
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if strings.HasPrefix(key, prefix) && !yield(persist.KV{Key: []byte(key), Value: []byte(v[key])}, nil) {
				return
			}
		}
	}
}
