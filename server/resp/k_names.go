package resp

import "sync/atomic"

// maxDatabases is how many databases there can be: one byte of a key tells them apart.
const maxDatabases = 256

// engineKey returns what the engine calls a key of a database.
func engineKey(db int, key []byte) string {
	if db == 0 && (len(key) == 0 || key[0] != 0) {
		return string(key)
	}
	return string(append([]byte{0, byte(db)}, key...))
}

// clientKey is the inverse of engineKey. Other keys that the engine may have are not seen by clients.
func clientKey(key string) (db int, name string, ok bool) {
	switch {
	case key == "" || key[0] != 0:
		return 0, key, true
	case len(key) < 2 || key[1] == 0 && (len(key) < 3 || key[2] != 0):
		return 0, "", false
	}
	return int(key[1]), key[2:], true
}

// names keeps the engine's words for the last keys of a client, which asks for the same few most of the time.
type names struct {
	db        int
	last      map[string]string
	elsewhere *atomic.Bool // is set when a key is not the engine's own word for it
}

// newNames returns a cache of names for one client.
func (s *space) newNames() names { return names{elsewhere: &s.elsewhere} }

const maxNames = 256

// of returns what the engine calls a key.
func (n *names) of(db int, key []byte) string {
	if n.db != db || n.last == nil || len(n.last) > maxNames {
		n.db, n.last = db, map[string]string{}
	}
	name, ok := n.last[string(key)]
	if !ok {
		name = engineKey(db, key)
		if len(name) > len(key) {
			n.elsewhere.Store(true)
		}
		if len(key) <= maxNames {
			n.last[string(key)] = name
		}
	}
	return name
}
