package txcmd

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/server/resp/internal/command"
	"github.com/zrankdb/zrank/server/resp/internal/session"
)

// Commands are the commands of transactions.
var Commands = []session.Command{
	{Name: "multi", Arity: 1, Flags: command.Fast | command.Direct, Alone: beginMulti,
		Doc: command.NewDoc("Begins a transaction", "1.2.0", "transactions", "O(1)")},
	{Name: "exec", Arity: 1, Flags: command.Direct, Alone: exec,
		Doc: command.NewDoc("Does the commands of the transaction", "1.2.0", "transactions", "that of its commands")},
	{Name: "discard", Arity: 1, Flags: command.Fast | command.Direct, Alone: discard,
		Doc: command.NewDoc("Forgets the transaction", "2.0.0", "transactions", "O(commands)")},
	{Name: "watch", Arity: -2, Flags: command.Fast | command.Direct, Keys: command.AllKeys, Alone: watchKeys,
		Doc: command.NewDoc("Makes the next transaction depend on keys staying as they are", "2.2.0", "transactions", "O(keys)")},
	{Name: "unwatch", Arity: 1, Flags: command.Fast, Alone: unwatchAll,
		Doc: command.NewDoc("Forgets the keys that are watched", "2.2.0", "transactions", "O(keys)")},
}

const (
	errNested = command.Refusal("ERR MULTI calls can not be nested")
)

// errChanged ends a transaction because a watched key has changed.
var errChanged = errors.New("resp: a watched key has changed")

func beginMulti(c *session.Client, _ [][]byte) error {
	if c.Multi != nil {
		return errNested
	}
	c.Update(func() { c.Multi = &session.Multi{DB: c.DB} })
	c.Out.OK()
	return nil
}

func discard(c *session.Client, _ [][]byte) error {
	if c.Multi == nil {
		return command.Refusal("ERR DISCARD without MULTI")
	}
	c.EndMulti()
	c.Unwatch()
	c.Out.OK()
	return nil
}

// exec executes the queued commands, unless a watched key has changed.
func exec(c *session.Client, _ [][]byte) error {
	if c.Multi == nil {
		return command.Refusal("ERR EXEC without MULTI")
	}
	q := c.EndMulti()
	defer c.Unwatch()
	if q.Failed {
		return session.ErrAborted
	}
	keys, all, writes, err := plan(c, q.Steps)
	if err != nil {
		return session.Aborted(err)
	}
	mark, before, protocol := c.Out.Len(), c.Identity, c.Out.Protocol
	c.InExec = true
	defer func() { c.InExec = false }()
	for again := true; again; { // once, or twice if the replies need a turn
		err = c.Transact(keys, writes, func(t *session.Txn) error {
			if c.Identity != before || c.Out.Protocol != protocol { // a run before this one has changed them
				c.Update(func() { c.Identity, c.Out.Protocol = before, protocol })
			}
			t.All = all
			return execute(t, q.Steps)
		})
		if err == nil {
			return nil
		}
		c.Out.Truncate(mark)
		c.Update(func() { c.Identity, c.Out.Protocol = before, protocol })
		if again = errors.Is(err, session.ErrTurn); again {
			c.TakeTurn()
		}
	}
	if errors.Is(err, errChanged) {
		c.Out.NullArray()
		return nil
	}
	return session.Aborted(err)
}

// plan returns the names that a transaction of these commands must lock, and whether it writes. If one of the commands is about all keys, it
// locks all names and all is the same list; otherwise all is nil.
func plan(c *session.Client, list []session.Step) (keys, all []string, writes bool, err error) {
	for _, w := range c.Watched.Keys {
		keys = append(keys, w.Name)
	}
	whole := false // a command is about all keys
	for _, s := range list {
		c.EachKey(s, func(name string) { keys = append(keys, name) })
		if len(keys) > 4*engine.MaxKeys {
			if keys = distinct(keys); len(keys) > engine.MaxKeys {
				return nil, nil, false, fmt.Errorf("%w: the limit is %d", engine.ErrTooManyKeys, engine.MaxKeys)
			}
		}
		writes = writes || s.Command.Flags&command.Write != 0
		whole = whole || s.Command.Flags&command.Whole != 0
	}
	if whole {
		if all, err = c.Host.Space.Everything(); err != nil {
			return nil, nil, false, err
		}
		keys = append(keys, all...)
	}
	keys = distinct(keys)
	if whole {
		all = keys
	}
	return keys, all, writes, nil
}

// distinct returns names in order, each once. It reuses their memory.
func distinct(keys []string) []string {
	slices.Sort(keys)
	return slices.Compact(keys)
}

// execute executes the commands of a transaction.
func execute(t *session.Txn, list []session.Step) error {
	if changed, err := t.Changed(&t.Client.Watched); err != nil || changed {
		return cmp.Or(err, errChanged)
	}
	t.Out.Array(len(list))
	for _, s := range list {
		if err := t.Client.Admit(s.Command); err != nil { // an AUTH among the commands has changed the user
			t.Out.Error(string(command.Refuse(err)))
			continue
		}
		if err := t.Do(s); err != nil {
			return err
		}
	}
	return nil
}
