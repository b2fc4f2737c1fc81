package keyspace

// MaxDatabases is the number of databases that names can tell apart, by one byte.
const MaxDatabases = 256

// EngineKey returns the name of a key of a database. A key of database n is "\x00", the byte n, the key. In database 0 a key is its own name,
// unless it begins with a zero byte.
func EngineKey(db int, key []byte) string {
	if db == 0 && (len(key) == 0 || key[0] != 0) {
		return string(key)
	}
	return string(append([]byte{0, byte(db)}, key...))
}

// clientKey is the inverse of EngineKey. ok is false for names that no client's key has.
func clientKey(key string) (db int, name string, ok bool) {
	switch {
	case key == "" || key[0] != 0:
		return 0, key, true
	case len(key) < 2 || key[1] == 0 && (len(key) < 3 || key[2] != 0):
		return 0, "", false
	}
	return int(key[1]), key[2:], true
}

// NewNames returns a cache of names for one client.
func (s *Space) NewNames() Names { return Names{elsewhere: &s.elsewhere} }

const maxNames = 256

// Of returns the name of a key.
func (n *Names) Of(db int, key []byte) string {
	if n.db != db || n.last == nil || len(n.last) > maxNames {
		n.db, n.last = db, map[string]string{}
	}
	name, ok := n.last[string(key)]
	if !ok {
		name = EngineKey(db, key)
		if len(name) > len(key) {
			n.elsewhere.Store(true)
		}
		if len(key) <= maxNames {
			n.last[string(key)] = name
		}
	}
	return name
}
