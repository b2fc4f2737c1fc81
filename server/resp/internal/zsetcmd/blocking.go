package zsetcmd

import (
	"context"
	"time"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/server/resp/internal/keyspace"
	"github.com/zrankdb/zrank/server/resp/internal/session"
	"github.com/zrankdb/zrank/zset"
)

// A client that waits for members waits at the engine: first come, first served, at the end of the command or EXEC that feeds the key. Its
// earlier replies are sent first. An entry that was popped for a client that disconnects at that moment is lost, as in Redis.

// pop is the request of BZPOPMIN, BZPOPMAX or BZMPOP.
type pop struct {
	mpop
	many bool          // BZMPOP
	wait time.Duration // 0: for ever
}

func parsePop(m *session.Command, a [][]byte) (p pop, err error) {
	if m.Name == "bzmpop" {
		p.many = true
		if p.mpop, err = parseMpop(a[2:]); err == nil {
			p.wait, err = parseTimeout(a[1])
		}
		return p, err
	}
	last := len(a) - 1
	p.keys, p.count, p.highest = a[1:last], 1, m.Name == "bzpopmax"
	p.wait, err = parseTimeout(a[last])
	return p, err
}

// popOrWait is BZPOPMIN, BZPOPMAX and BZMPOP outside a transaction.
func popOrWait(c *session.Client, a [][]byte) error {
	m := c.Host.Commands.Lookup(a[0])
	p, err := parsePop(m, a)
	if err != nil {
		return err
	}
	names := make([]string, len(p.keys))
	for i, key := range p.keys {
		names[i] = keyspace.EngineKey(c.DB, key)
	}
	empty := false
	err = c.Transact(names, true, func(t *session.Txn) error {
		_, s, err := firstNonEmpty(t, p.keys)
		if empty = s == nil && err == nil; empty || err != nil {
			return err
		}
		return t.Do(session.Step{Command: m, Args: a, DB: c.DB})
	})
	if err == nil && empty {
		p.keys = session.Copied(p.keys) // the reader reuses their memory meanwhile
		err = waitForMembers(c, p, names)
	}
	return err
}

// waitForMembers waits until it has popped members, or until something else ends the wait, and answers.
func waitForMembers(c *session.Client, p pop, names []string) error {
	if c.Flush() != nil {
		c.Closing = true
		return nil
	}
	key, entries, err := popWaiting(c, p, names)
	if err != nil {
		return c.Unserved(err, c.Out.NullArray)
	}
	bounds := c.Out.Bounds
	c.Out.Bounds = nil // the entries exist only here: the reply is sent, however large it is
	writePopped(c, p, names, key, entries)
	if c.Flush() != nil {
		c.Closing = true
	}
	c.Out.Bounds = bounds
	return nil
}

// popWaiting pops members, or waits for them until something else ends the wait.
func popWaiting(c *session.Client, p pop, names []string) (key string, entries []zset.Entry, err error) {
	c.Host.Waited.Enter(names)
	defer c.Host.Waited.Leave(names)
	err = c.Block(p.wait, func(ctx context.Context) (err error) {
		if p.highest {
			key, entries, err = c.Host.Engine.PopMaxWaitN(ctx, p.count, names...)
		} else {
			key, entries, err = c.Host.Engine.PopMinWaitN(ctx, p.count, names...)
		}
		return err
	})
	return key, entries, err
}

// writePopped answers with the entries that were popped from the set called name, under the key that the client has used.
func writePopped(c *session.Client, p pop, names []string, name string, entries []zset.Entry) {
	for i := range names {
		if names[i] != name {
			continue
		}
		if !p.many {
			c.Out.Array(3)
			c.Out.Bulk(p.keys[i])
			c.Out.Bulk(entries[0].Member)
			c.Out.Double(entries[0].Score)
			return
		}
		c.Out.Array(2)
		c.Out.Bulk(p.keys[i])
		c.Out.Array(len(entries))
		for _, e := range entries {
			c.Out.Array(2)
			c.Out.Bulk(e.Member)
			c.Out.Double(e.Score)
		}
		return
	}
}

// popNow is BZPOPMIN, BZPOPMAX and BZMPOP between MULTI and EXEC, where they do not wait.
func popNow(t *session.Txn, a [][]byte) error {
	p, err := parsePop(t.Step.Command, a)
	if err != nil {
		return err
	}
	if p.many {
		return popFirst(t, p.mpop)
	}
	return ofFirst(t, p.keys, 3, func(s *engine.Set) error { return popOne(t, s, p.highest) })
}
