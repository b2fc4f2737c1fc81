package resp

import (
	"fmt"
	"slices"
	"sync"

	"github.com/zrankdb/zrank/server/resp/internal/flow"
)

// A client's memory (P4) is bounded three times over: by what a request, a reply and the replies that wait may have; by what
// has really come and really waits, for nothing is made room for because it was announced; and by what all clients hold
// together, of which each has clientFree for nothing. flow counts the replies that wait, this file the rest.

const (
	clientFree = 64 << 10
	replyFree  = 2 * flushAt // of replies before they are sent, whatever others hold: there is always room for an error
)

// buffers are for replies: a client has one while it is answered. None is larger than replyFree.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// footprint is what a client has taken from the budget of all.
type footprint struct {
	account *flow.Account
	buffer  *[]byte // of buffers, nil if there are no replies
	taken   int
	start   int   // where in out the reply begins that is being written
	err     error // why it was not written to its end
}

// claim takes from the budget what makes up for so much memory, or gives back what is too much.
func (c *client) claim(bytes int) bool {
	want := max(bytes-clientFree, 0)
	if more := want - c.memory.taken; more > 0 && !c.memory.account.Take(more) {
		return false
	}
	c.memory.account.Give(c.memory.taken - want)
	c.memory.taken = want
	return true
}

// release gives everything back.
func (c *client) release() {
	c.memory.account.Give(c.memory.taken)
	c.memory.taken = 0
}

// spare gives back what a client need not hold while it sends nothing, and says whether it may hold what reading needs.
func (c *client) spare() bool { return c.claim(c.in.Needs()) }

// begin says that a reply begins.
func (c *client) begin() {
	c.memory.start = c.out.Len()
	c.out.Limit = min(c.out.Limit, c.memory.start+c.s.o.MaxReply)
}

// more is asked for room for replies of so many bytes: twice as much is made, up to the limit of one reply.
func (c *client) more(bytes int) bool {
	if c.memory.buffer == nil {
		c.memory.buffer = buffers.Get().(*[]byte)
		c.out.Buf = (*c.memory.buffer)[:0]
	}
	most := c.memory.start + c.s.o.MaxReply
	if bytes > most {
		c.memory.err = refusal(fmt.Sprintf("ERR reply is larger than the limit of %d bytes", c.s.o.MaxReply))
		return false
	}
	limit := min(max(2*bytes, replyFree), most)
	if limit > replyFree && !c.claim(c.in.Held()+limit) {
		c.memory.err = refusal("ERR no memory for the reply: clients hold as much as they may together")
		return false
	}
	if limit > replyFree {
		c.out.Buf = slices.Grow(c.out.Buf, limit-c.out.Len())
	}
	c.out.Limit = limit
	return true
}

// sent says that the replies in out have been sent, or are not to be.
func (c *client) sent() {
	if c.memory.buffer != nil && cap(c.out.Buf) <= replyFree {
		*c.memory.buffer = c.out.Buf
		buffers.Put(c.memory.buffer)
	}
	c.out.Buf, c.memory.buffer = nil, nil
	c.out.Truncate(0)
	c.out.Limit, c.memory.start = 0, 0
}

// cut returns the error that stands for a reply that was not written to its end.
func (c *client) cut() error { return fmt.Errorf("resp: %w", c.memory.err) }
