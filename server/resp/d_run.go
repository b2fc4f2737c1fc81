package resp

import (
	"errors"

	"github.com/zrankdb/zrank/engine"
)

const (
	runCommands = 64  // that a run has at most
	runKeys     = 256 // that it names before it is done
)

// run is commands of a client that are done in one transaction, as commands that wait in a pipeline may be: nobody need come in
// between, and the cost of a transaction is paid once.
type run struct {
	list  []step
	keys  []string // of all of them
	write bool
}

// enqueue adds a command to the run, after doing what stands there if it is of another kind: one that reads should not wait as one
// that writes does.
func (c *loop) enqueue(m *command, a [][]byte) {
	writes := m.flags&write != 0
	if len(c.run.list) >= runCommands || len(c.run.keys) >= runKeys || len(c.run.list) > 0 && c.run.write != writes {
		c.finish()
	}
	c.run.write = writes
	c.run.list = append(c.run.list, step{m, a, c.db})
	m.each(c.db, a, func(db int, key []byte) { c.run.name(c.names.of(db, key)) })
}

// lookBack is how many keys are looked at before another is added: one command may name a hundred thousand.
const lookBack = 64

// name adds a key, unless it is among the last ones.
func (r *run) name(key string) {
	for _, k := range r.keys[max(0, len(r.keys)-lookBack):] {
		if k == key {
			return
		}
	}
	r.keys = append(r.keys, key)
}

// finish does the commands of the run, and writes their replies.
func (c *loop) finish() {
	list := c.run.list
	each := c.run.write && len(list) > 1 && c.host.waited.any(c.run.keys)
	for len(list) > 0 && !c.closing {
		some := list
		if each {
			some = list[:1]
		}
		list = list[c.attempt(some):]
		c.flushIfBig()
	}
	c.run.clear()
}

// clear forgets the commands, and the memory of their keys if it is much: the client may send nothing for a long time.
func (r *run) clear() {
	clear(r.list)
	clear(r.keys)
	r.list, r.keys = r.list[:0], r.keys[:0]
	if cap(r.keys) > 2*runKeys {
		r.keys = nil
	}
}

// attempt does commands in one transaction, as many as are answered with flushAt bytes, and returns how many. If it fails, so
// that nothing has happened, each is done alone, and the error is of those that fail then too.
func (c *loop) attempt(list []step) int {
	defer c.done()
	n, mark := 0, c.out.Len()
	for {
		err := c.transact(c.run.keys, c.run.write, func(t *txn) (err error) {
			n, err = some(t, list)
			return err
		})
		if err == nil {
			return n
		}
		c.out.Truncate(mark)
		if !errors.Is(err, errTurn) {
			return c.attemptEach(list, err)
		}
		c.takeTurn()
	}
}

// some does commands until there are flushAt bytes of replies, one at least, and returns how many.
func some(t *txn, list []step) (n int, err error) {
	for ; n < len(list) && (n == 0 || t.w.Len() < flushAt); n++ {
		t.w.Begin()
		if err := t.do(list[n]); err != nil {
			return 0, err
		}
	}
	return n, nil
}

// attemptEach does commands each in a transaction, after all of them together have failed. It returns how many they are.
func (c *loop) attemptEach(list []step, err error) int {
	if len(list) == 1 || errors.Is(err, engine.ErrStalled) || errors.Is(err, engine.ErrPersistence) {
		for range list {
			c.out.Begin()
			c.out.Error(string(refused(err)))
		}
		return len(list)
	}
	for i := range list {
		c.attempt(list[i : i+1])
		if c.flushIfBig(); c.closing {
			break
		}
	}
	return len(list)
}
