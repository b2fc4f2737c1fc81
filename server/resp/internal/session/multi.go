package session

import (
	"fmt"
	"strings"

	"github.com/zrankdb/zrank/server/resp/internal/command"
)

// About the memory of a queued command beside its words, and of a word beside its bytes.
const (
	StepBytes = 96
	wordBytes = 24
)

// EndMulti ends the queue, and returns it; nil: there was none.
func (c *Client) EndMulti() *Multi {
	q := c.Multi
	if q != nil {
		c.Account.Give(q.bytes)
		c.Update(func() { c.Multi = nil })
	}
	return q
}

// Queue adds a command to the queue, and answers QUEUED. Errors: a refusal.
func (c *Client) Queue(m *Command, a [][]byte) error {
	q := c.Multi
	if m.Flags&command.NoMulti != 0 {
		return errNoMulti
	}
	size := StepBytes
	for _, word := range a {
		size += wordBytes + len(word)
	}
	if q.bytes+size > c.Host.Config.Conn.MaxRequest || !c.Account.Take(size) {
		return command.Refusal(fmt.Sprintf("ERR transaction is larger than the limit of %d bytes, or there is no room for it", c.Host.Config.Conn.MaxRequest))
	}
	c.Update(func() {
		q.bytes += size
		q.Steps = append(q.Steps, Step{m, Copied(a), q.DB})
	})
	if m.Name == "select" {
		if db, err := command.ParseDatabase(a[1], c.Host.Config.Databases); err == nil {
			q.DB = db
		}
	}
	c.Out.Begin()
	c.Out.Status("QUEUED")
	return nil
}

// Copied returns a copy of words, in one piece of memory.
func Copied(a [][]byte) [][]byte {
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

// Aborted returns the reply of an EXEC that has executed nothing because of an error.
func Aborted(err error) command.Refusal {
	return command.Refusal("EXECABORT Transaction discarded because of: " + strings.TrimPrefix(string(command.Refuse(err)), "ERR "))
}

// The refusals of queued commands.
const (
	errNoMulti = command.Refusal("ERR Command not allowed inside a transaction")
	// ErrAborted answers EXEC after a command that was refused when it was queued.
	ErrAborted = command.Refusal("EXECABORT Transaction discarded because of previous errors.")
)
