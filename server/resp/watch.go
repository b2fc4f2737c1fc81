package resp

import (
	"fmt"

	"github.com/zrankdb/zrank/engine"
)

// maxWatched is how many keys a client may watch: so many fit in a transaction with those of its commands.
const maxWatched = engine.MaxKeys / 2

func watchKeys(c *client, a [][]byte) error {
	if c.multi != nil {
		return errWatchInside
	}
	var names []string
	size := c.watchedBytes
	for _, key := range a[1:] {
		name := c.key(key)
		names, size = append(names, name), size+len(name)+stepBytes
	}
	if len(c.watched.keys)+len(names) > maxWatched || size > c.host.o.conn.maxRequest || !c.account.Take(size-c.watchedBytes) {
		return refusal(fmt.Sprintf("ERR more keys are watched than the limits of %d and %d bytes", maxWatched, c.host.o.conn.maxRequest))
	}
	c.watchedBytes = size
	err := c.transact(names, false, func(t *txn) error { return t.watch(&c.watched, names) })
	if err == nil {
		c.out.OK()
	}
	return err
}

func unwatchAll(c *client, _ [][]byte) error {
	c.unwatch()
	c.out.OK()
	return nil
}
