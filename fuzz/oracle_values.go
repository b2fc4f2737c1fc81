package fuzz

import (
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/zrankdb/zrank/persist"
)

// values are private keys in a Go map.
type values map[string]string

// Get and what follows are those of engine.Tx.
func (v values) Get(key string) (value []byte, ok bool, err error) {
	s, ok := v[key]
	return []byte(s), ok, nil
}

func (v values) Put(key string, value []byte) error {
	v[key] = string(value)
	return nil
}

func (v values) Delete(key string) error {
	delete(v, key)
	return nil
}

func (v values) Scan(prefix string) iter.Seq2[persist.KV, error] {
	return func(yield func(persist.KV, error) bool) {
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if strings.HasPrefix(key, prefix) && !yield(persist.KV{Key: []byte(key), Value: []byte(v[key])}, nil) {
				return
			}
		}
	}
}
