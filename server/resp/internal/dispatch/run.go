package dispatch

import (
	"errors"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/server/resp/internal/command"
	"github.com/zrankdb/zrank/server/resp/internal/session"
)

const (
	runCommands = 64  // the most commands of a run
	runKeys     = 256 // a run with this many keys gets no further command
)

// run is commands of a pipeline that share one transaction, so that they pay for it once.
type run struct {
	list  []session.Step
	keys  []string // of all commands
	write bool
}

// enqueue adds a command to the run. It executes the run before, if that is full, or reads and the command writes, or the other way round:
// reads should not wait for the log as writes do.
func (c *Loop) enqueue(m *session.Command, a [][]byte) {
	writes := m.Flags&command.Write != 0
	if len(c.run.list) >= runCommands || len(c.run.keys) >= runKeys || len(c.run.list) > 0 && c.run.write != writes {
		c.Finish()
	}
	c.run.write = writes
	c.run.list = append(c.run.list, session.Step{Command: m, Args: a, DB: c.DB})
	m.Each(c.DB, a, func(db int, key []byte) { c.run.name(c.Names.Of(db, key)) })
}

// lookBack is the number of keys of the run that name compares with a new one. It is bounded as a command may name a hundred thousand keys.
const lookBack = 64

// name adds a key, unless it is one of the last.
func (r *run) name(key string) {
	for _, k := range r.keys[max(0, len(r.keys)-lookBack):] {
		if k == key {
			return
		}
	}
	r.keys = append(r.keys, key)
}

// Finish executes the commands of the run, and writes their replies.
func (c *Loop) Finish() {
	list := c.run.list
	oneByOne := c.run.write && len(list) > 1 && c.Host.Waited.Any(c.run.keys) // a waiting client is served after each command
	for len(list) > 0 && !c.Closing {
		part := list
		if oneByOne {
			part = list[:1]
		}
		list = list[c.attempt(part):]
		c.flushIfBig()
	}
	c.run.clear()
}

// clear empties the run, and drops the memory of its keys if it is much: the client may send nothing for a long time.
func (r *run) clear() {
	clear(r.list)
	clear(r.keys)
	r.list, r.keys = r.list[:0], r.keys[:0]
	if cap(r.keys) > 2*runKeys {
		r.keys = nil
	}
}

// attempt executes commands in one transaction, up to 64 KiB of replies, and returns how many. If the transaction fails, it has changed nothing,
// and each command is executed in its own.
func (c *Loop) attempt(list []session.Step) int {
	defer c.Done()
	n, mark := 0, c.Out.Len()
	for {
		err := c.Transact(c.run.keys, c.run.write, func(t *session.Txn) (err error) {
			n, err = some(t, list)
			return err
		})
		if err == nil {
			return n
		}
		c.Out.Truncate(mark)
		if !errors.Is(err, session.ErrTurn) {
			return c.attemptEach(list, err)
		}
		c.TakeTurn()
	}
}

// some executes commands until there are 64 KiB of replies, one command at least, and returns how many.
func some(t *session.Txn, list []session.Step) (n int, err error) {
	for ; n < len(list) && (n == 0 || t.Out.Len() < FlushAt); n++ {
		t.Out.Begin()
		if err := t.Do(list[n]); err != nil {
			return 0, err
		}
	}
	return n, nil
}

// attemptEach executes each command in its own transaction, after their common one has failed with err. It returns their number.
func (c *Loop) attemptEach(list []session.Step, err error) int {
	if len(list) == 1 || errors.Is(err, engine.ErrStalled) || errors.Is(err, engine.ErrPersistence) {
		for range list {
			c.Out.Begin()
			c.Out.Error(string(command.Refuse(err)))
		}
		return len(list)
	}
	for i := range list {
		c.attempt(list[i : i+1])
		if c.flushIfBig(); c.Closing {
			break
		}
	}
	return len(list)
}

// Loop executes the requests of one client. The client's goroutine owns it.
type Loop struct {
	*session.Client
	run run
}

// FlushAt is how many bytes of replies are sent before more commands are executed.
const FlushAt = 64 << 10

// flushIfBig sends the replies if there are 64 KiB of them.
func (c *Loop) flushIfBig() {
	if c.Out.Len() >= FlushAt && c.Flush() != nil {
		c.Closing = true
	}
}
