package dumpcmd

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/zrankdb/zrank/server/resp/internal/command"
	"github.com/zrankdb/zrank/server/resp/internal/keyspace"
	"github.com/zrankdb/zrank/server/resp/internal/session"
)

// MIGRATE sends the values of all its keys, and then reads the replies. Redis lets no client run meanwhile. Here others go on: each key is watched from the
// moment at which its value is read. When the target has acknowledged it, a transaction deletes the key if it has not changed since; if it has, its value is
// sent again, in place of the earlier one. After migrateAttempts of these the key stays on both sides, and the reply says so.

// migrateAttempts is how often the value of a key that changes meanwhile is sent.
const migrateAttempts = 5

// migrateBatch is how many keys are sent before their replies are read.
const migrateBatch = 256

// migration is a MIGRATE under way.
type migration struct {
	host, port    string
	db            []byte
	timeout       time.Duration
	copy, replace bool
	auth          [][]byte // AUTH and its words; nil: none
	keys          [][]byte
	c             *session.Client
	to            *target
	refused       string // the first error of the target
	deaf          bool   // the target has refused AUTH or SELECT: what it acknowledges is elsewhere, and is not deleted here
}

// parseMigrate reads MIGRATE host port key|"" db timeout [COPY] [REPLACE] [AUTH password | AUTH2 user password] [KEYS key ...].
func parseMigrate(c *session.Client, a [][]byte) (*migration, error) {
	m := &migration{host: string(a[1]), port: string(a[2]), db: a[4], keys: a[3:4], c: c}
	for i := 6; i < len(a); i++ {
		left := len(a) - 1 - i
		switch {
		case command.Is(a[i], "copy"):
			m.copy = true
		case command.Is(a[i], "replace"):
			m.replace = true
		case command.Is(a[i], "auth") && left > 0:
			m.auth = [][]byte{[]byte("AUTH"), a[i+1]}
			i++
		case command.Is(a[i], "auth2") && left > 1:
			m.auth = [][]byte{[]byte("AUTH"), a[i+1], a[i+2]}
			i += 2
		case command.Is(a[i], "keys"):
			if len(a[3]) > 0 {
				return nil, command.Refusal("ERR When using MIGRATE KEYS option, the key argument must be set to the empty string")
			}
			m.keys = a[i+1:]
			i = len(a)
		default:
			return nil, command.ErrSyntax
		}
	}
	ms, err := command.ParseInt[int64](a[5])
	if err != nil {
		return nil, err
	}
	if _, err := command.ParseInt[int64](a[4]); err != nil {
		return nil, err
	}
	if ms <= 0 {
		ms = 1000
	}
	m.timeout = time.Duration(min(ms, int64(24*time.Hour/time.Millisecond))) * time.Millisecond
	return m, nil
}

// migrate is MIGRATE.
func migrate(c *session.Client, a [][]byte) error {
	m, err := parseMigrate(c, a)
	if err != nil {
		return err
	}
	there, err := m.existing()
	if err != nil {
		return err
	}
	if len(there) == 0 {
		c.Out.Status("NOKEY")
		return nil
	}
	m.keys = there
	if m.to, err = dial(c.Host.Ctx, m.host, m.port, m.timeout); err != nil {
		return err
	}
	defer m.to.close()
	if err := m.run(); err != nil {
		return err
	}
	if m.refused != "" {
		return command.Refusal("ERR Target instance replied with error: " + command.Clip([]byte(m.refused), 512))
	}
	c.Out.OK()
	return nil
}

// existing returns the keys that have values. Errors: READONLY if one of them is to be moved and cannot be deleted here.
func (m *migration) existing() (there [][]byte, err error) {
	names := make([]string, len(m.keys))
	for i, key := range m.keys {
		names[i] = m.c.Key(key)
	}
	err = m.c.Transact(names, false, func(t *session.Txn) error {
		there = nil
		for i, key := range m.keys {
			exists, err := t.Exists(names[i])
			if err != nil {
				return err
			}
			if exists {
				there = append(there, key)
			}
		}
		if m.copy {
			return nil
		}
		return t.Changeable(names...)
	})
	return there, err
}

// run sends all values, and again those of keys that have changed meanwhile.
func (m *migration) run() error {
	if m.auth != nil {
		if err := m.to.send(m.auth...); err != nil {
			return err
		}
	}
	if err := m.to.send([]byte("SELECT"), m.db); err != nil {
		return err
	}
	greetings := 1
	if m.auth != nil {
		greetings = 2
	}
	for keys := range slices.Chunk(m.keys, migrateBatch) {
		if err := m.batch(keys, greetings); err != nil {
			return err
		}
		greetings = 0
	}
	return nil
}

// batch moves some keys. Its replies fit the buffers of a connection, so that the target need not wait for us to read them.
func (m *migration) batch(keys [][]byte, greetings int) error {
	replace := m.replace
	defer func() { m.replace = replace }()
	for attempt := 1; len(keys) > 0; attempt++ {
		changed, err := m.send(keys, greetings)
		if err != nil {
			return err
		}
		if len(changed) > 0 && attempt == migrateAttempts {
			return command.Refusal(fmt.Sprintf("ERR %d keys have changed during each of %d attempts, such as '%s': they are on both servers", len(changed), attempt, command.Clip(changed[0], 128)))
		}
		m.replace, greetings, keys = true, 0, changed
	}
	return nil
}

// send sends the values of keys, and deletes the keys whose values the target has acknowledged. It returns those that it has acknowledged and that have changed since.
func (m *migration) send(keys [][]byte, greetings int) (changed [][]byte, err error) {
	watches := make([]keyspace.Watch, len(keys))
	defer func() {
		for i := range watches {
			m.c.Host.Space.Unwatch(&watches[i])
		}
	}()
	sent := make([]bool, len(keys))
	for i, key := range keys {
		if sent[i], err = m.sendKey(key, &watches[i]); err != nil {
			return nil, err
		}
	}
	if err := m.to.flush(); err != nil {
		return nil, err
	}
	for range greetings {
		ok, err := m.answered()
		if err != nil {
			return nil, err
		}
		m.deaf = m.deaf || !ok
	}
	for i, key := range keys {
		if !sent[i] {
			continue
		}
		ok, err := m.answered()
		if err != nil {
			return nil, err
		}
		if !ok || m.deaf || m.copy {
			continue
		}
		gone, err := m.remove(key, &watches[i])
		if err != nil {
			return nil, err
		}
		if !gone {
			changed = append(changed, key)
		}
	}
	return changed, nil
}

// answered reads a reply. ok is false if it is an error, the first of which is kept.
func (m *migration) answered() (ok bool, err error) {
	refused, err := m.to.reply()
	if m.refused == "" {
		m.refused = refused
	}
	return refused == "", err
}

// sendKey sends the value of a key, if it has one, and watches the key from then on.
func (m *migration) sendKey(key []byte, w *keyspace.Watch) (sent bool, err error) {
	var b []byte
	var h keyspace.Value
	var now time.Time
	name := m.c.Key(key)
	defer m.c.Done()
	err = m.c.Transact([]string{name}, false, func(t *session.Txn) error {
		if err := t.Watch(w, []string{name}); err != nil {
			return err
		}
		now = t.Now()
		b, h, err = valueOf(t, name)
		return err
	})
	if err != nil || b == nil {
		return false, err
	}
	ttl := int64(0)
	if !h.Expires.IsZero() {
		ttl = max(h.Expires.UnixMilli()-now.UnixMilli(), 1)
	}
	words := [][]byte{[]byte("RESTORE"), key, strconv.AppendInt(nil, ttl, 10), b, []byte("REPLACE")}
	if !m.replace {
		words = words[:4]
	}
	return true, m.to.send(words...)
}

// remove deletes a key that has not changed since it is watched.
func (m *migration) remove(key []byte, w *keyspace.Watch) (gone bool, err error) {
	name := m.c.Key(key)
	err = m.c.Transact([]string{name}, true, func(t *session.Txn) error {
		changed, err := t.Changed(w)
		if err != nil || changed {
			return err
		}
		gone = true
		_, err = t.Drop(name)
		return err
	})
	if err == nil {
		m.c.Host.Space.Mark(name)
	}
	return gone, err
}
