package resp

import (
	"context"
	"strconv"
	"strings"
	"time"
)

// debug is DEBUG. It is for tests, and refused unless Options.Debug allows it. It has few of Redis's subcommands.
func (s *adminServer) debug(c *client, a [][]byte) error {
	if !s.o.debug {
		return refusal("ERR DEBUG command not allowed. If the enable-debug-command option is set to \"local\", you can run it from a " +
			"local connection, otherwise you need to set this option in the configuration file, and then restart the server.")
	}
	switch sub := strings.ToLower(string(a[1])); {
	case sub == "object" && len(a) == 3:
		return debugObject(c, a[2])
	case sub == "sleep" && len(a) == 3:
		return debugSleep(c, a[2])
	case sub == "reload":
		return debugReload(c)
	case sub == "log" && len(a) == 3:
		s.host.o.log.Info("resp: DEBUG LOG", "text", clip(a[2], 1024))
	case sub == "set-active-expire" && len(a) == 3: // a set whose time is up is gone for clients, whether it has been dropped or not
	case sub == "help" && len(a) == 2:
		return helpOf("DEBUG", "OBJECT <key>", "    What a key's value is kept in.", "SLEEP <seconds>", "    Holds this client up, and no other.",
			"RELOAD", "    Gives sorted sets the encoding that they would have if they were read from the disk.",
			"LOG <text>", "    Writes a text to the log.", "SET-ACTIVE-EXPIRE <0|1>", "    Does nothing.")(c, a)
	default:
		return refusal("ERR unknown subcommand or wrong number of arguments for '" + string(a[1]) + "'. Try DEBUG HELP.")
	}
	c.out.OK()
	return nil
}

func debugObject(c *client, key []byte) error {
	name := c.key(key)
	return c.transact([]string{name}, false, func(t *txn) error {
		h, err := t.look(name)
		if err != nil {
			return err
		}
		if h.kind == none {
			return errNoKey
		}
		t.w.Status("Value at:0x0 refcount:" + strconv.FormatInt(h.refcount(), 10) + " encoding:" + h.encoding() +
			" serializedlength:" + strconv.Itoa(h.size(name)) + " lru:0 lru_seconds_idle:0")
		return nil
	})
}

// debugSleep holds the client up. Redis holds up all of them.
func debugSleep(c *client, seconds []byte) error {
	s, _ := strconv.ParseFloat(string(seconds), 64) // what is no number is 0, as in Redis
	if err := c.flush(); err != nil {
		return err
	}
	const longest = 24 * time.Hour
	ctx, cancel := context.WithTimeout(c.host.ctx, time.Duration(min(max(s, 0), longest.Seconds())*float64(time.Second)))
	defer cancel()
	<-ctx.Done()
	c.out.OK()
	return nil
}

// debugReload makes what has become small enough a listpack again, as reading it from the disk would: the sets are made anew. Those
// with int64 scores, with ties, or under a reserved key, stay as they are.
func debugReload(c *client) error {
	names, err := c.host.e.Keys("")
	if err != nil {
		return err
	}
	most, _ := c.host.e.Listpack()
	for _, name := range names {
		if err := c.transact([]string{name}, true, func(t *txn) error { return t.rebuild(name, most) }); err != nil {
			return err
		}
	}
	c.out.OK()
	return nil
}
