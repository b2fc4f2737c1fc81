package resp

import (
	"slices"

	"github.com/zrankdb/zrank/engine"
)

// FLUSHDB and FLUSHALL drop what clients can change: sets with int64 scores, those under reserved keys, and private keys that are no
// plain values, are left as they are. By themselves they take a commit for every thousand keys, so that others see it happen step by step, and keys that
// are made meanwhile may stay. Between MULTI and EXEC they are of one commit.

const (
	flushKeys  = 1000    // that one commit drops at most
	flushBytes = 1 << 20 // about how long these are together at most
)

func flushdbAlone(c *client, a [][]byte) error  { return flushAlone(c, a, c.db) }
func flushallAlone(c *client, a [][]byte) error { return flushAlone(c, a, anyDatabase) }
func flushdbTx(t *txn, a [][]byte) error        { return flushTx(t, a, t.db) }
func flushallTx(t *txn, a [][]byte) error       { return flushTx(t, a, anyDatabase) }

func flushAlone(c *client, a [][]byte, db int) error {
	if err := parseFlush(a); err != nil {
		return err
	}
	names, err := c.host.e.Keys(dbPrefix(max(db, 0)))
	if err != nil {
		return err
	}
	if err := inSteps(c, names, db, dropSets); err != nil {
		return err
	}
	if err := inSteps(c, c.host.space.plainKeys(), db, dropPlains); err != nil {
		return err
	}
	c.out.OK()
	return nil
}

// inSteps calls drop with the keys of a database, some at a time.
func inSteps(c *client, names []string, db int, drop func(*client, []string) error) error {
	names = slices.DeleteFunc(names, func(name string) bool { _, ok := in(db, name); return !ok })
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

// dropSets drops those sorted sets that have float64 scores, but under reserved keys. None is read from the disk for it.
func dropSets(c *client, names []string) error {
	var floats []string
	for _, name := range names {
		u, there, err := c.host.e.Usage(name)
		if err != nil {
			return err
		}
		if there && !u.Ints && !engine.Reserved(name) {
			floats = append(floats, name)
		}
	}
	_, err := c.host.e.Delete(floats...)
	return err
}

func dropPlains(c *client, names []string) error {
	return c.transact(names, true, func(t *txn) error {
		for _, name := range names {
			if _, err := t.dropPlain(name); err != nil {
				return err
			}
		}
		return nil
	})
}

func flushTx(t *txn, a [][]byte, db int) error {
	if err := parseFlush(a); err != nil {
		return err
	}
	for _, name := range t.all {
		if _, ok := in(db, name); !ok {
			continue
		}
		h, err := t.look(name)
		if err != nil {
			return err
		}
		if h.kind == none || h.stat.Ints || engine.Reserved(name) {
			continue
		}
		if _, err := t.drop(name); err != nil {
			return err
		}
	}
	t.w.OK()
	return nil
}
