package resp

import (
	"slices"
	"strings"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/glob"
)

// found is a key that holds something, as clients call it.
type found struct {
	key  string
	kind kind
}

// anyDatabase stands for all databases.
const anyDatabase = -1

// dbPrefix begins what the engine calls the keys of a database; in database 0, that of all keys.
func dbPrefix(db int) string {
	if db == 0 {
		return ""
	}
	return string([]byte{0, byte(db)})
}

// in returns what clients of a database call a key of the engine; false: it is of another.
func in(db int, name string) (key string, ok bool) {
	d, key, ok := clientKey(name)
	return key, ok && (db == anyDatabase || d == db)
}

// plains returns the keys of a database that have plain values. O(plain values).
func (s *space) plains(db int) (list []found, err error) {
	if s.plain.n.Load() == 0 {
		return nil, nil
	}
	err = s.e.View(nil, func(tx *engine.Tx) error {
		t := keyTx{space: s, tx: tx}
		for _, name := range s.plain.names() {
			key, ok := in(db, name)
			if !ok {
				continue
			}
			kind, err := t.plainKind(name)
			if err != nil {
				return err
			}
			if kind != none {
				list = append(list, found{key, kind})
			}
		}
		return nil
	})
	return list, err
}

// listed returns the keys of a database that match a pattern. O(all keys).
func (s *space) listed(db int, pattern string) ([]found, error) {
	list, err := s.plains(db)
	if err != nil {
		return nil, err
	}
	prefix := dbPrefix(db)
	if begin := literal(pattern); begin != "" {
		prefix = engineKey(db, []byte(begin))
	}
	names, err := s.e.Keys(prefix)
	if err != nil {
		return nil, err
	}
	match := glob.Compile(pattern)
	list = slices.DeleteFunc(list, func(f found) bool { return !match(f.key) })
	for _, name := range names {
		if key, ok := in(db, name); ok && match(key) {
			list = append(list, found{key, aSorted})
		}
	}
	return list, nil
}

// literal returns what all keys begin with that match a pattern.
func literal(pattern string) string {
	if i := strings.IndexAny(pattern, `*?[\`); i >= 0 {
		return pattern[:i]
	}
	return pattern
}

// listed is client.listed of the keys that the transaction has named.
func (t *keyTx) listed(db int, pattern string) (list []found, err error) {
	match := glob.Compile(pattern)
	for _, name := range t.all {
		key, ok := in(db, name)
		if !ok || !match(key) {
			continue
		}
		h, err := t.look(name)
		if err != nil {
			return nil, err
		}
		if h.kind != none {
			list = append(list, found{key, h.kind})
		}
	}
	return list, nil
}

// everything returns all keys that there may be, of all databases, in the engine's words, in order: a transaction that runs commands with
// the flag whole names them. Errors: a refusal if they are more than a transaction can name.
func (s *space) everything() ([]string, error) {
	names, err := s.e.Keys("")
	if err != nil {
		return nil, err
	}
	names = append(names, s.plain.names()...)
	slices.Sort(names)
	if names = slices.Compact(names); len(names) > engine.MaxKeys {
		return nil, refusal("ERR there are too many keys to list them between MULTI and EXEC")
	}
	return names, nil
}
