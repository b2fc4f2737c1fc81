package resp

import (
	"context"
	"time"

	"github.com/zrankdb/zrank/zset"
)

// A client that waits for members stands in line at the engine: first come, first served, by the end of the command or EXEC that
// feeds the key. What it has been answered before is sent first. Meanwhile what it sends is read, up to readAhead, so that it is
// noticed when it goes away, and its place is another's at once. An entry that was popped for it at that moment is lost, as in Redis.
// When the server closes, it is told so by an error, and then disconnected.

// pop is what BZPOPMIN, BZPOPMAX and BZMPOP ask for.
type pop struct {
	mpop
	many bool          // it is BZMPOP
	wait time.Duration // 0: for ever
}

func parsePop(m *command, a [][]byte) (p pop, err error) {
	if m.name == "bzmpop" {
		p.many = true
		if p.mpop, err = parseMpop(a[2:]); err == nil {
			p.wait, err = parseTimeout(a[1])
		}
		return p, err
	}
	last := len(a) - 1
	p.keys, p.count, p.highest = a[1:last], 1, m.name == "bzpopmax"
	p.wait, err = parseTimeout(a[last])
	return p, err
}

// popOrWait is BZPOPMIN, BZPOPMAX and BZMPOP of a client that may wait.
func popOrWait(c *client, a [][]byte) error {
	m := c.host.commands.look(a[0])
	p, err := parsePop(m, a)
	if err != nil {
		return err
	}
	names := make([]string, len(p.keys))
	for i, key := range p.keys {
		names[i] = engineKey(c.db, key)
	}
	empty := false
	err = c.transact(names, true, func(t *txn) error {
		_, s, err := firstNonEmpty(t, p.keys)
		if empty = s == nil && err == nil; empty || err != nil {
			return err
		}
		return t.do(step{m, a, c.db})
	})
	if err == nil && empty {
		p.keys = copied(p.keys) // they are read over while it waits
		err = waitForMembers(c, p, names)
	}
	return err
}

// waitForMembers waits for members, and answers.
func waitForMembers(c *client, p pop, names []string) error {
	if c.flush() != nil {
		c.closing = true
		return nil
	}
	key, entries, err := popWaiting(c, p, names)
	if err != nil {
		return c.unserved(err, c.out.NullArray)
	}
	bounds := c.out.Bounds
	c.out.Bounds = nil // they are nowhere else any more: whatever they take, they are said
	writePopped(c, p, names, key, entries)
	if c.flush() != nil {
		c.closing = true
	}
	c.out.Bounds = bounds
	return nil
}

// popWaiting stands in line until there are members, or something else ends it.
func popWaiting(c *client, p pop, names []string) (key string, entries []zset.Entry, err error) {
	c.host.waited.enter(names)
	defer c.host.waited.leave(names)
	err = c.block(p.wait, func(ctx context.Context) (err error) {
		if p.highest {
			key, entries, err = c.host.e.PopMaxWaitN(ctx, p.count, names...)
		} else {
			key, entries, err = c.host.e.PopMinWaitN(ctx, p.count, names...)
		}
		return err
	})
	return key, entries, err
}

// writePopped answers with what was popped. An entry has its score, and its key is what the client called it.
func writePopped(c *client, p pop, names []string, name string, entries []zset.Entry) {
	for i := range names {
		if names[i] != name {
			continue
		}
		if !p.many {
			c.out.Array(3)
			c.out.Bulk(p.keys[i])
			c.out.Bulk(entries[0].Member)
			c.out.Double(entries[0].Score)
			return
		}
		c.out.Array(2)
		c.out.Bulk(p.keys[i])
		c.out.Array(len(entries))
		for _, e := range entries {
			c.out.Array(2)
			c.out.Bulk(e.Member)
			c.out.Double(e.Score)
		}
		return
	}
}
