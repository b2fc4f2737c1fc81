package session

import (
	"fmt"
	"sync/atomic"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/server/resp/internal/command"
)

// Command is a row of the table of commands.
type Command struct {
	Name  string // in lower case; "client|id" of a subcommand
	Arity int    // number of words, the name included; -n: at least n
	Flags command.Flags
	Keys  command.Keys
	// Tx runs the command in a transaction that has locked its keys. Of a command with Alone too, it is what runs between MULTI and EXEC. It
	// writes one reply, or returns an error and has written none. After a command.Refusal the transaction goes on; after any other error it is
	// undone.
	Tx func(t *Txn, a [][]byte) error
	// Alone runs the command outside a transaction: it may call the engine. Without Tx it runs between MULTI and EXEC too, unless the flags
	// have NoMulti, and then must not call the engine.
	Alone func(c *Client, a [][]byte) error
	// Other returns a key beside those of Keys, in a database that the request names; ok is false if it names none.
	Other func(a [][]byte) (db int, key []byte, ok bool)
	Subs  Table // subcommands by their second word; then Tx is nil, and Alone runs the name without a second word
	Doc   command.Doc
	Calls *atomic.Int64 // how often clients have sent it
}

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

// takes reports whether a request may have so many words.
func (m *Command) takes(words int) bool {
	if m.Arity < 0 {
		return words >= -m.Arity
	}
	return words == m.Arity
}
