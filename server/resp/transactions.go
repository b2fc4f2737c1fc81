package resp

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

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
	{name: "watch", arity: -2, flags: fast | direct, keys: allKeys, alone: watchKeys,
		doc: doc{"Makes the next transaction depend on keys staying as they are", "2.2.0", "transactions", "O(keys)"}},
	{name: "unwatch", arity: 1, flags: fast, alone: unwatchAll,
		doc: doc{"Forgets the keys that are watched", "2.2.0", "transactions", "O(keys)"}},
}

const (
	errNested      = refusal("ERR MULTI calls can not be nested")
	errWatchInside = refusal("ERR WATCH inside MULTI is not allowed")
)

// errChanged ends a transaction because of a watched key.
var errChanged = errors.New("resp: a watched key has changed")

func beginMulti(c *client, _ [][]byte) error {
	if c.multi != nil {
		return errNested
	}
	c.update(func() { c.multi = &multi{db: c.db} })
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
	keys, all, writes, err := plan(c, q.list)
	if err != nil {
		return aborted(err)
	}
	mark, before, protocol := c.out.Len(), c.identity, c.out.Protocol
	c.inExec = true
	defer func() { c.inExec = false }()
	for again := true; again; {
		err = c.transact(keys, writes, func(t *txn) error {
			t.all = all
			return execute(t, q.list)
		})
		if err == nil {
			return nil
		}
		c.out.Truncate(mark)
		c.update(func() { c.identity, c.out.Protocol = before, protocol })
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
func plan(c *client, list []step) (keys, all []string, writes bool, err error) {
	for _, w := range c.watched.keys {
		keys = append(keys, w.name)
	}
	every := false
	for _, s := range list {
		c.eachKey(s, func(name string) { keys = append(keys, name) })
		if len(keys) > 4*engine.MaxKeys {
			if keys = distinct(keys); len(keys) > engine.MaxKeys {
				return nil, nil, false, fmt.Errorf("%w: the limit is %d", engine.ErrTooManyKeys, engine.MaxKeys)
			}
		}
		writes = writes || s.m.flags&write != 0
		every = every || s.m.flags&whole != 0
	}
	if every {
		if all, err = c.host.space.everything(); err != nil {
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

// execute does the commands of a transaction.
func execute(t *txn, list []step) error {
	if changed, err := t.changed(&t.c.watched); err != nil || changed {
		return cmp.Or(err, errChanged)
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
