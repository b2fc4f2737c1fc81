package keycmd

import (
	"slices"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/server/resp/internal/command"
	"github.com/zrankdb/zrank/server/resp/internal/keyspace"
	"github.com/zrankdb/zrank/server/resp/internal/session"
)

// FLUSHDB and FLUSHALL drop what clients can change. They leave sets with int64 scores, reserved keys, and private keys that are not plain
// values. By themselves they make a commit for every thousand keys, so that others see the keys go step by step, and keys that are created
// meanwhile may stay. Between MULTI and EXEC they are part of that commit.

const (
	flushKeys  = 1000    // keys that one commit drops at most
	flushBytes = 1 << 20 // about their length together at most
)

func flushdbAlone(c *session.Client, a [][]byte) error { return flushAlone(c, a, c.DB) }
func flushallAlone(c *session.Client, a [][]byte) error {
	return flushAlone(c, a, keyspace.AnyDatabase)
}
func flushdbTx(t *session.Txn, a [][]byte) error  { return flushTx(t, a, t.DB) }
func flushallTx(t *session.Txn, a [][]byte) error { return flushTx(t, a, keyspace.AnyDatabase) }

// flushAlone drops keys in several commits.
func flushAlone(c *session.Client, a [][]byte, db int) error {
	if err := command.ParseFlush(a); err != nil {
		return err
	}
	names, err := c.Host.Engine.Keys(keyspace.DBPrefix(max(db, 0)))
	if err != nil {
		return err
	}
	if err := inSteps(c, names, db, dropSets); err != nil {
		return err
	}
	if err := inSteps(c, c.Host.Space.PlainKeys(), db, dropPlains); err != nil {
		return err
	}
	c.Out.OK()
	return nil
}

// inSteps calls drop with the keys of a database, some at a time.
func inSteps(c *session.Client, names []string, db int, drop func(*session.Client, []string) error) error {
	names = slices.DeleteFunc(names, func(name string) bool { _, ok := keyspace.InDatabase(db, name); return !ok })
	for len(names) > 0 {
		some := 0
		for bytes := 0; some < min(len(names), flushKeys) && bytes < flushBytes; some++ {
			bytes += len(names[some])
		}
		if err := drop(c, names[:some]); err != nil {
			return err
		}
		names = names[some:]
	}
	return nil
}

// dropSets drops the sorted sets with float64 scores that are not reserved. It reads none from the disk.
func dropSets(c *session.Client, names []string) error {
	var floats []string
	for _, name := range names {
		u, there, err := c.Host.Engine.Usage(name)
		if err != nil {
			return err
		}
		if there && !u.Ints && !engine.Reserved(name) {
			floats = append(floats, name)
		}
	}
	_, err := c.Host.Engine.Delete(floats...)
	return err
}

// dropPlains drops plain values in one commit.
func dropPlains(c *session.Client, names []string) error {
	return c.Transact(names, true, func(t *session.Txn) error {
		for _, name := range names {
			if _, err := t.DropPlain(name); err != nil {
				return err
			}
		}
		return nil
	})
}

// flushTx drops the keys that the transaction has locked.
func flushTx(t *session.Txn, a [][]byte, db int) error {
	if err := command.ParseFlush(a); err != nil {
		return err
	}
	for _, name := range t.All {
		if _, ok := keyspace.InDatabase(db, name); !ok {
			continue
		}
		h, err := t.Get(name)
		if err != nil {
			return err
		}
		if h.Kind == keyspace.None || h.Stat.Ints || engine.Reserved(name) {
			continue
		}
		if _, err := t.Drop(name); err != nil {
			return err
		}
	}
	t.Out.OK()
	return nil
}
