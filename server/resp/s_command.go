package resp

import (
	"fmt"
	"sync/atomic"

	"github.com/zrankdb/zrank/engine"
)

// command is a row of the table of commands.
type command struct {
	name  string // in lower case; "client|id" of a subcommand
	arity int    // number of words, the name included; -n: at least n
	flags flags
	keys  keys
	// tx runs the command in a transaction on its keys: see txn. Of a command with alone too, it is what runs between MULTI and EXEC.
	// It writes one reply, or returns an error and has written none. After a refusal the transaction goes on; after another error
	// it is rolled back.
	tx func(t *txn, a [][]byte) error
	// alone runs the command by itself: it may call the engine. If it has no tx, it runs between MULTI and EXEC too, unless its flags say
	// noMulti, and then must not call the engine.
	alone func(c *client, a [][]byte) error
	// other returns a key in a database that the command names, beside those of keys; ok is false if it names none.
	other func(a [][]byte) (db int, key []byte, ok bool)
	subs  table // by name without the container's; then tx is nil, and alone runs the name without a second word
	doc   doc
	calls *atomic.Int64 // how often a server was asked for it
}

// each calls f with the keys of a request of a client in a database, and the database that each is in.
func (m *command) each(db int, a [][]byte, f func(db int, key []byte)) {
	m.keys.each(a, func(key []byte) { f(db, key) })
	if m.other == nil {
		return
	}
	if db, key, ok := m.other(a); ok {
		f(db, key)
	}
}

// countKeys refuses a request with more keys than a transaction may name, before it is taken apart. O(1) for a request with fewer words.
func (m *command) countKeys(a [][]byte) error {
	if len(a) <= engine.MaxKeys {
		return nil
	}
	names := map[string]struct{}{}
	m.each(0, a, func(_ int, key []byte) {
		if _, ok := names[string(key)]; !ok && len(names) <= engine.MaxKeys {
			names[string(key)] = struct{}{}
		}
	})
	if len(names) > engine.MaxKeys {
		return fmt.Errorf("%w: the limit is %d", engine.ErrTooManyKeys, engine.MaxKeys)
	}
	return nil
}

// takes says whether a request has a possible number of words.
func (m *command) takes(words int) bool {
	if m.arity < 0 {
		return words >= -m.arity
	}
	return words == m.arity
}
