package keycmd

import (
	"slices"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/server/resp/internal/command"
	"github.com/zrankdb/zrank/server/resp/internal/keyspace"
	"github.com/zrankdb/zrank/server/resp/internal/session"
)

// FLUSHDB and FLUSHALL drop all keys that clients can change. They leave sets with int64 scores, reserved keys, and private keys that are not
// plain values. By themselves they make a commit for every thousand keys, so that other clients see the keys vanish step by step, and keys that
// are created meanwhile may stay. Between MULTI and EXEC they are part of the transaction's commit.

const (
	flushKeys  = 1000    // the most keys that one commit drops
	flushBytes = 1 << 20 // about the most bytes of these keys together
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
		n := 0
		for bytes := 0; n < min(len(names), flushKeys) && bytes < flushBytes; n++ {
			bytes += len(names[n])
		}
		if err := drop(c, names[:n]); err != nil {
			return err
		}
		names = names[n:]
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
	_, err := c.Host.Engine.Delete(c.Host.Work, floats...)
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
