package resp

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/zrankdb/zrank/engine"
)

// Commands between MULTI and EXEC are one transaction of the engine, over the keys of all of them and those that are watched (P1).
// They are answered one by one, and one that is refused does not keep the others from being done, as in Redis. Other than in Redis,
// all are undone, and EXEC answers EXECABORT, if one of them fails for what only shows while it is done: the transaction is too
// large, memory or disk are full, or what EXEC answers would be larger than Options.MaxReply.

// transactionCommands make transactions of a client's commands.
var transactionCommands = []command{
	{name: "multi", arity: 1, flags: fast | direct, alone: beginMulti,
		doc: doc{"Begins a transaction", "1.2.0", "transactions", "O(1)"}},
	{name: "exec", arity: 1, flags: direct, alone: exec,
		doc: doc{"Does the commands of the transaction", "1.2.0", "transactions", "that of its commands"}},
	{name: "discard", arity: 1, flags: fast | direct, alone: discard,
		doc: doc{"Forgets the transaction", "2.0.0", "transactions", "O(commands)"}},
	{name: "watch", arity: -2, flags: fast | direct, keys: allKeys, alone: watch,
		doc: doc{"Makes the next transaction depend on keys staying as they are", "2.2.0", "transactions", "O(keys)"}},
	{name: "unwatch", arity: 1, flags: fast, alone: unwatch,
		doc: doc{"Forgets the keys that are watched", "2.2.0", "transactions", "O(keys)"}},
}

const (
	errNested      = refusal("ERR MULTI calls can not be nested")
	errNoMulti     = refusal("ERR Command not allowed inside a transaction")
	errWatchInside = refusal("ERR WATCH inside MULTI is not allowed")
	errAborted     = refusal("EXECABORT Transaction discarded because of previous errors.")
)

// errChanged ends a transaction because of a watched key.
var errChanged = errors.New("resp: a watched key has changed")

// multi is what a client has sent since MULTI.
type multi struct {
	list   []step
	bytes  int // about what it takes; of the budget of all clients
	db     int // that the next command is about: SELECT may be among those before it
	failed bool
}

// A command that waits for EXEC takes this much beside its words, and each word this much beside its bytes.
const (
	stepBytes = 96
	wordBytes = 24
)

func beginMulti(c *client, _ [][]byte) error {
	if c.multi != nil {
		return errNested
	}
	c.set(func() { c.multi = &multi{db: c.db} })
	c.out.OK()
	return nil
}

func discard(c *client, _ [][]byte) error {
	if c.multi == nil {
		return refusal("ERR DISCARD without MULTI")
	}
	c.endMulti()
	c.unwatch()
	c.out.OK()
	return nil
}

// endMulti forgets what has come since MULTI, and returns it.
func (c *client) endMulti() *multi {
	q := c.multi
	if q != nil {
		c.account.Give(q.bytes)
		c.set(func() { c.multi = nil })
	}
	return q
}

// queue keeps a command for EXEC. Errors: a refusal if the transaction must not have it.
func (c *client) queue(m *command, a [][]byte) error {
	q := c.multi
	if m.flags&noMulti != 0 {
		return errNoMulti
	}
	size := stepBytes
	for _, word := range a {
		size += wordBytes + len(word)
	}
	if q.bytes+size > c.s.o.MaxRequest || !c.account.Take(size) {
		return refusal(fmt.Sprintf("ERR transaction is larger than the limit of %d bytes, or there is no room for it", c.s.o.MaxRequest))
	}
	c.set(func() {
		q.bytes += size
		q.list = append(q.list, step{m, copied(a), q.db})
	})
	if m.name == "select" {
		if db, err := c.s.database(a[1]); err == nil {
			q.db = db
		}
	}
	c.out.Begin()
	c.out.Status("QUEUED")
	return nil
}

// copied returns a copy of words, in one piece of memory.
func copied(a [][]byte) [][]byte {
	n := 0
	for _, word := range a {
		n += len(word)
	}
	list, mem := make([][]byte, len(a)), make([]byte, 0, n)
	for i, word := range a {
		from := len(mem)
		mem = append(mem, word...)
		list[i] = mem[from:len(mem):len(mem)]
	}
	return list
}

// exec does the commands since MULTI, unless a watched key has changed.
func exec(c *client, _ [][]byte) error {
	if c.multi == nil {
		return refusal("ERR EXEC without MULTI")
	}
	q := c.endMulti()
	defer c.unwatch()
	if q.failed {
		return errAborted
	}
	keys, all, writes, err := c.plan(q.list)
	if err != nil {
		return aborted(err)
	}
	mark, before, protocol := c.out.Len(), c.session, c.out.Protocol
	c.inExec = true
	defer func() { c.inExec = false }()
	for again := true; again; {
		err = c.transact(keys, writes, func(t *txn) error {
			t.all = all
			return t.exec(q.list)
		})
		if err == nil {
			return nil
		}
		c.out.Truncate(mark)
		c.set(func() { c.session, c.out.Protocol = before, protocol })
		if again = errors.Is(err, errTurn); again {
			c.takeTurn()
		}
	}
	if errors.Is(err, errChanged) {
		c.out.NullArray()
		return nil
	}
	return aborted(err)
}

// plan returns what a transaction of these commands must name, all keys there are if one of them is about those, and whether it
// changes anything.
func (c *client) plan(list []step) (keys, all []string, writes bool, err error) {
	for _, w := range c.watched {
		keys = append(keys, w.name)
	}
	every := false
	for _, s := range list {
		s.m.each(s.db, s.a, func(db int, key []byte) { keys = append(keys, c.names.of(db, key)) })
		if len(keys) > 4*engine.MaxKeys {
			if keys = distinct(keys); len(keys) > engine.MaxKeys {
				return nil, nil, false, fmt.Errorf("%w: the limit is %d", engine.ErrTooManyKeys, engine.MaxKeys)
			}
		}
		writes = writes || s.m.flags&write != 0
		every = every || s.m.flags&whole != 0
	}
	if every {
		if all, err = c.s.everything(); err != nil {
			return nil, nil, false, err
		}
		keys = append(keys, all...)
	}
	keys = distinct(keys)
	if every {
		all = keys
	}
	return keys, all, writes, nil
}

// distinct returns keys in order, each once.
func distinct(keys []string) []string {
	slices.Sort(keys)
	return slices.Compact(keys)
}

// exec does the commands of a transaction.
func (t *txn) exec(list []step) error {
	if changed, err := t.watchedChanged(); err != nil || changed {
		return either(err, errChanged)
	}
	t.w.Array(len(list))
	for _, s := range list {
		if err := t.c.admit(s.m); err != nil { // it has become another user's
			t.w.Error(string(refused(err)))
			continue
		}
		if err := t.do(s); err != nil {
			return err
		}
	}
	return nil
}

// aborted is what EXEC answers when nothing is done.
func aborted(err error) refusal {
	return refusal("EXECABORT Transaction discarded because of: " + strings.TrimPrefix(string(refused(err)), "ERR "))
}

// reject answers a request that is not done at all. It makes EXEC fail, or is EXEC.
func (c *client) reject(a [][]byte, err error) {
	if is(a[0], "exec") {
		c.endMulti()
		c.unwatch()
		err = aborted(err)
	} else if c.multi != nil {
		c.multi.failed = true
	}
	c.refuse(err)
}
