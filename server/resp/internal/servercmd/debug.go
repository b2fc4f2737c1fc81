package servercmd

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/zrankdb/zrank/server/resp/internal/command"
	"github.com/zrankdb/zrank/server/resp/internal/keyspace"
	"github.com/zrankdb/zrank/server/resp/internal/session"
)

// debug is DEBUG, for tests. It has few of Redis's subcommands, and is refused unless Options.Debug allows it.
func (s *server) debug(c *session.Client, a [][]byte) error {
	if !s.o.Debug {
		return command.Refusal("ERR DEBUG command not allowed. If the enable-debug-command option is set to \"local\", you can run it from a " +
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
		s.host.Config.Log.Info("resp: DEBUG LOG", "text", command.Clip(a[2], 1024))
	case sub == "set-active-expire" && len(a) == 3: // clients never see an expired set, dropped or not
	case sub == "help" && len(a) == 2:
		return session.HelpOf("DEBUG", "OBJECT <key>", "    What a key's value is kept in.", "SLEEP <seconds>", "    Holds this client up, and no other.",
			"RELOAD", "    Gives sorted sets the encoding that they would have if they were read from the disk.",
			"LOG <text>", "    Writes a text to the log.", "SET-ACTIVE-EXPIRE <0|1>", "    Does nothing.")(c, a)
	default:
		return command.Refusal("ERR unknown subcommand or wrong number of arguments for '" + string(a[1]) + "'. Try DEBUG HELP.")
	}
	c.Out.OK()
	return nil
}

func debugObject(c *session.Client, key []byte) error {
	name := c.Key(key)
	return c.Transact([]string{name}, false, func(t *session.Txn) error {
		h, err := t.Get(name)
		if err != nil {
			return err
		}
		if h.Kind == keyspace.None {
			return command.ErrNoKey
		}
		t.Out.Status("Value at:0x0 refcount:" + strconv.FormatInt(h.Refcount(), 10) + " encoding:" + h.Encoding() +
			" serializedlength:" + strconv.Itoa(h.Size(name)) + " lru:0 lru_seconds_idle:0")
		return nil
	})
}

// debugSleep delays this client. Redis delays all clients.
func debugSleep(c *session.Client, seconds []byte) error {
	s, _ := strconv.ParseFloat(string(seconds), 64) // a word that is not a number is 0, as in Redis
	if err := c.Flush(); err != nil {
		return err
	}
	const longest = 24 * time.Hour
	ctx, cancel := context.WithTimeout(c.Host.Ctx, time.Duration(min(max(s, 0), longest.Seconds())*float64(time.Second)))
	defer cancel()
	<-ctx.Done()
	c.Out.OK()
	return nil
}

// debugReload makes sets that are small enough listpacks again, as loading them from the disk would. See keyspace.Tx.Rebuild.
func debugReload(c *session.Client) error {
	names, err := c.Host.Engine.Keys("")
	if err != nil {
		return err
	}
	most, _ := c.Host.Engine.Listpack()
	for _, name := range names {
		if err := c.Transact([]string{name}, true, func(t *session.Txn) error { return t.Rebuild(name, most) }); err != nil {
			return err
		}
	}
	c.Out.OK()
	return nil
}
