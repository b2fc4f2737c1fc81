package resp

import (
	"bytes"
	"fmt"
	"strconv"
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
	subs  map[string]*command // by name without the container's; then tx is nil, and alone runs the name without a second word
	doc   doc
	calls *atomic.Int64 // how often a server was asked for it
}

// doc is what COMMAND DOCS says of a command.
type doc struct {
	summary    string
	since      string
	group      string // sorted-set, generic, connection, server, transactions, set, string
	complexity string
}

// flags say what a command is like.
type flags uint16

const (
	write    flags = 1 << iota // changes keys
	readonly                   // reads keys
	denyoom                    // may make sets bigger
	fast
	admin
	noMulti // refused between MULTI and EXEC
	noAuth  // allowed before AUTH
	blocking
	movable // keys are where keys.num says
	direct  // is done at once between MULTI and EXEC too
	whole   // is about all keys there are: a transaction must name them all (see Server.everything), and have them in txn.all
)

// keys says where the keys of a command stand among its words, as COMMAND INFO has it: from first to last, every step; last -1 is
// the last word, -2 the one before. The zero value is a command without keys. If num is not 0, the word there says how many keys
// follow it.
type keys struct{ first, last, step, num int }

var (
	oneKey   = keys{1, 1, 1, 0}
	twoKeys  = keys{1, 2, 1, 0}
	allKeys  = keys{1, -1, 1, 0}
	numKeys  = keys{num: 1}
	storeNum = keys{1, 1, 1, 2} // a destination, then numkeys
)

// each calls f with the keys of a request. Of a request whose number of keys is none, it calls f with those before that.
func (k keys) each(a [][]byte, f func(key []byte)) {
	if k.first > 0 {
		last := k.last
		if last < 0 {
			last += len(a)
		}
		for i := k.first; i <= last && i < len(a); i += k.step {
			f(a[i])
		}
	}
	if k.num > 0 && k.num < len(a) {
		n, err := strconv.Atoi(string(a[k.num]))
		if err != nil || n < 1 || n > len(a)-k.num-1 {
			return
		}
		for _, key := range a[k.num+1 : k.num+1+n] {
			f(key)
		}
	}
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

// find returns the command of a request, and its name, or why there is none. It allocates nothing when it finds one.
func (s *Server) find(a [][]byte) (*command, error) {
	m := look(s.commands, a[0])
	if m == nil {
		return nil, unknownCommand(a)
	}
	if m.subs == nil {
		if !m.takes(len(a)) {
			return nil, errArity(m.name)
		}
		return m, nil
	}
	if len(a) < 2 {
		if m.alone != nil {
			return m, nil
		}
		return nil, errArity(m.name)
	}
	sub := look(m.subs, a[1])
	if sub == nil {
		return nil, refusal("ERR unknown subcommand '" + clip(a[1], 128) + "'. Try " + upper(m.name) + " HELP.")
	}
	if !sub.takes(len(a)) {
		return nil, errArity(sub.name)
	}
	return sub, nil
}

// look finds a command by a name in any case.
func look(m map[string]*command, name []byte) *command {
	var lower [32]byte
	if len(name) > len(lower) {
		return nil
	}
	for i, c := range name {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		lower[i] = c
	}
	return m[string(lower[:len(name)])]
}

// unknownCommand says what was asked for, as Redis does: up to 128 bytes of the name and of the words.
func unknownCommand(a [][]byte) refusal {
	text := ""
	for _, word := range a[1:] {
		if len(text) >= 128 {
			break
		}
		text += "'" + clip(word, 128-len(text)) + "' "
	}
	return refusal("ERR unknown command '" + clip(a[0], 128) + "', with args beginning with: " + text)
}

// clip returns the beginning of a text, up to a byte that is 0, where texts end for Redis.
func clip(b []byte, n int) string {
	b = b[:min(n, len(b))]
	if i := bytes.IndexByte(b, 0); i >= 0 {
		b = b[:i]
	}
	return string(b)
}

func upper(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'a' <= c && c <= 'z' {
			b[i] = c - 'a' + 'A'
		}
	}
	return string(b)
}
