package keyspace

import (
	"context"
	"slices"
	"strings"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/glob"
	"github.com/zrankdb/zrank/server/resp/internal/command"
)

// Found is a key and the kind of its value.
type Found struct {
	Key  string
	Kind Kind
}

// AnyDatabase stands for all databases.
const AnyDatabase = -1

// DBPrefix returns the prefix of all names of a database; for database 0 it is empty.
func DBPrefix(db int) string {
	if db == 0 {
		return ""
	}
	return string([]byte{0, byte(db)})
}

// InDatabase returns the client's key of a name, and whether it is of a database.
func InDatabase(db int, name string) (key string, ok bool) {
	d, key, ok := clientKey(name)
	return key, ok && (db == AnyDatabase || d == db)
}

// plains returns the keys of a database that hold plain values. O(plain values).
func (s *Space) plains(ctx context.Context, db int) (list []Found, err error) {
	if s.plain.n.Load() == 0 {
		return nil, nil
	}
	err = s.Engine.View(ctx, func(tx *engine.Tx) error {
		t := Tx{Space: s, tx: tx}
		list = nil
		for _, name := range s.plain.names() {
			key, ok := InDatabase(db, name)
			if !ok {
				continue
			}
			kind, err := t.plainKind(name)
			if err != nil {
				return err
			}
			if kind != None {
				list = append(list, Found{key, kind})
			}
		}
		return nil
	})
	return list, err
}

// Listed returns the keys of a database that match a pattern. O(all keys).
func (s *Space) Listed(ctx context.Context, db int, pattern string) ([]Found, error) {
	list, err := s.plains(ctx, db)
	if err != nil {
		return nil, err
	}
	prefix := DBPrefix(db)
	if begin := literal(pattern); begin != "" {
		prefix = EngineKey(db, []byte(begin))
	}
	names, err := s.Engine.Keys(prefix)
	if err != nil {
		return nil, err
	}
	match := glob.Compile(pattern)
	list = slices.DeleteFunc(list, func(f Found) bool { return !match(f.Key) })
	for _, name := range names {
		if key, ok := InDatabase(db, name); ok && match(key) {
			list = append(list, Found{key, SortedSet})
		}
	}
	return list, nil
}

// Databases returns the keys of each database that match a pattern, in no certain order, and one twice if a plain value hides a sorted set. O(all keys).
func (s *Space) Databases(pattern string) (map[int][]string, error) {
	names, err := s.Engine.Keys("")
	if err != nil {
		return nil, err
	}
	match := glob.Compile(pattern)
	byDB := map[int][]string{}
	for _, name := range append(names, s.plain.names()...) {
		if db, key, ok := clientKey(name); ok && match(key) {
			byDB[db] = append(byDB[db], key)
		}
	}
	return byDB, nil
}

// literal returns the text before the first wildcard of a pattern. All keys that match begin with it.
func literal(pattern string) string {
	if i := strings.IndexAny(pattern, `*?[\`); i >= 0 {
		return pattern[:i]
	}
	return pattern
}

// Listed is Space.Listed for the keys that the transaction has locked.
func (t *Tx) Listed(db int, pattern string) (list []Found, err error) {
	match := glob.Compile(pattern)
	for _, name := range t.All {
		key, ok := InDatabase(db, name)
		if !ok || !match(key) {
			continue
		}
		h, err := t.Get(name)
		if err != nil {
			return nil, err
		}
		if h.Kind != None {
			list = append(list, Found{key, h.Kind})
		}
	}
	return list, nil
}

// Everything returns all names that may hold a value, of all databases, in order: a transaction that runs a command with the flag Whole locks
// them. Errors: a refusal if there are more than a transaction can lock.
func (s *Space) Everything() ([]string, error) {
	names, err := s.Engine.Keys("")
	if err != nil {
		return nil, err
	}
	names = append(names, s.plain.names()...)
	slices.Sort(names)
	if names = slices.Compact(names); len(names) > engine.MaxKeys {
		return nil, command.Refusal("ERR there are too many keys to list them between MULTI and EXEC")
	}
	return names, nil
}
