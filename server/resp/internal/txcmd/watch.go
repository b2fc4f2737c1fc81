package txcmd

import (
	"fmt"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/server/resp/internal/command"
	"github.com/zrankdb/zrank/server/resp/internal/session"
)

// maxWatched is how many keys a client may watch: as many fit in a transaction together with those of its commands.
const maxWatched = engine.MaxKeys / 2

// watchKeys is WATCH. The number of watched keys and their memory are bounded.
func watchKeys(c *session.Client, a [][]byte) error {
	if c.Multi != nil {
		return errWatchInside
	}
	var names []string
	size := c.WatchedBytes
	for _, key := range a[1:] {
		name := c.Key(key)
		names, size = append(names, name), size+len(name)+session.StepBytes
	}
	if len(c.Watched.Keys)+len(names) > maxWatched || size > c.Host.Config.Conn.MaxRequest || !c.Account.Take(size-c.WatchedBytes) {
		return command.Refusal(fmt.Sprintf("ERR more keys are watched than the limits of %d and %d bytes", maxWatched, c.Host.Config.Conn.MaxRequest))
	}
	c.WatchedBytes = size
	before := len(c.Watched.Keys)
	err := c.Transact(names, false, func(t *session.Txn) error {
		c.Watched.Keys = c.Watched.Keys[:before] // without those of a run before this one
		return t.Watch(&c.Watched, names)
	})
	if err == nil {
		c.Out.OK()
	}
	return err
}

func unwatchAll(c *session.Client, _ [][]byte) error {
	c.Unwatch()
	c.Out.OK()
	return nil
}

const errWatchInside = command.Refusal("ERR WATCH inside MULTI is not allowed")
