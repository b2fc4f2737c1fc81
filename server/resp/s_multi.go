package resp

import (
	"fmt"
	"strings"
)

// multi is what a client has sent since MULTI.
type multi struct {
	list   []step
	bytes  int // about what it takes; of the budget of all clients
	db     int // that the next command is about: SELECT may be among those before it
	failed bool
}

// A command that waits for EXEC takes this much beside its words, and each word this much beside its bytes.
const (
	stepBytes = 96
	wordBytes = 24
)

// endMulti forgets what has come since MULTI, and returns it.
func (c *client) endMulti() *multi {
	q := c.multi
	if q != nil {
		c.account.Give(q.bytes)
		c.update(func() { c.multi = nil })
	}
	return q
}

// queue keeps a command for EXEC. Errors: a refusal if the transaction must not have it.
func (c *client) queue(m *command, a [][]byte) error {
	q := c.multi
	if m.flags&noMulti != 0 {
		return errNoMulti
	}
	size := stepBytes
	for _, word := range a {
		size += wordBytes + len(word)
	}
	if q.bytes+size > c.host.o.conn.maxRequest || !c.account.Take(size) {
		return refusal(fmt.Sprintf("ERR transaction is larger than the limit of %d bytes, or there is no room for it", c.host.o.conn.maxRequest))
	}
	c.update(func() {
		q.bytes += size
		q.list = append(q.list, step{m, copied(a), q.db})
	})
	if m.name == "select" {
		if db, err := parseDatabase(a[1], c.host.o.databases); err == nil {
			q.db = db
		}
	}
	c.out.Begin()
	c.out.Status("QUEUED")
	return nil
}

// copied returns a copy of words, in one piece of memory.
func copied(a [][]byte) [][]byte {
	n := 0
	for _, word := range a {
		n += len(word)
	}
	list, mem := make([][]byte, len(a)), make([]byte, 0, n)
	for i, word := range a {
		from := len(mem)
		mem = append(mem, word...)
		list[i] = mem[from:len(mem):len(mem)]
	}
	return list
}

// aborted is what EXEC answers when nothing is done.
func aborted(err error) refusal {
	return refusal("EXECABORT Transaction discarded because of: " + strings.TrimPrefix(string(refused(err)), "ERR "))
}

const (
	errNoMulti = refusal("ERR Command not allowed inside a transaction")
	errAborted = refusal("EXECABORT Transaction discarded because of previous errors.")
)
