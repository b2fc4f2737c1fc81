package resp

import (
	"errors"
	"fmt"
	"runtime"

	"github.com/zrankdb/zrank/server/resp/internal/budget"
	"github.com/zrankdb/zrank/server/resp/internal/wire"
)

// All memory that a client can make the server hold is counted by its account of Options.ClientMemory (P4): what has come of a request and
// the words of one that is whole (wire.Reader), the reply that is being written (wire.Writer), replies that wait for the client
// (flow.Sender), commands after MULTI and watched keys. Not counted is one block of a reply, while it is written.
//
// Replies are large one after the other, not all at a time: a client needs one of the server's turns for a reply above turnFrom, and for a
// command whose result takes memory before it is written. T1: a client takes a turn only where it holds no lock of the engine, because the
// client that has the turn may wait for that lock. A transaction that lacks one fails with errTurn, and is done again with it.

// turnFrom is how many bytes a reply may have that its client needs no turn for.
const turnFrom = 8 * budget.BlockBytes

// errTurn undoes a transaction whose client needs a turn.
var errTurn = errors.New("resp: the reply needs a turn")

// errEvicted is what a client hears that is disconnected for its memory, if it has been sent all replies before.
const errEvicted = refusal("ERR disconnected: all clients hold as much memory as they may together, and no other more than this one")

// grow is asked before a reply of so many bytes gets another block. It lets other goroutines run, so that they wait for the time of a block
// and not for that of a large reply.
func (c *client) grow(bytes int) error {
	runtime.Gosched()
	if c.turn || bytes < turnFrom {
		return nil
	}
	select {
	case c.host.turns <- struct{}{}:
		c.turn = true
		return nil
	default:
		return errTurn
	}
}

// entryBytes is the memory of an entry that is held beside the reply, keyBytes that of a key.
const (
	entryBytes = 40
	keyBytes   = 64
)

// errNoRoom refuses a reply, or what a command needs for it.
const errNoRoom = refusal("ERR no memory for the reply: clients hold as much as they may together")

// borrow counts the memory of n things of so many bytes that a command holds beside its reply, until the command is done.
func (c *client) borrow(n, bytes int) error {
	if int64(n) > c.host.o.clientMemory/int64(bytes) || !c.account.Take(n*bytes) {
		return errNoRoom
	}
	c.borrowed += n * bytes
	return nil
}

// takeTurn waits for a turn (T1), if the client has none. What it has borrowed is given back: the command is about to begin again.
func (c *client) takeTurn() {
	c.repay()
	if !c.turn {
		c.host.turns <- struct{}{}
		c.turn = true
	}
}

// repay gives back what commands have borrowed.
func (c *client) repay() {
	c.account.Give(c.borrowed)
	c.borrowed = 0
}

// done is called when commands have been done: it gives the client's turn to another, if it has one, and what was borrowed back.
func (c *client) done() {
	c.repay()
	if c.turn {
		c.turn = false
		<-c.host.turns
	}
}

// cut returns why a reply was not written to its end: a refusal, or errTurn.
func (c *client) cut() error {
	switch err := c.out.Over(); {
	case errors.Is(err, wire.ErrTooLarge):
		return fmt.Errorf("resp: %w", refusal(fmt.Sprintf("ERR reply is larger than the limit of %d bytes", c.host.o.maxReply)))
	case errors.Is(err, wire.ErrMemory):
		return fmt.Errorf("resp: %w", errNoRoom)
	default:
		return err
	}
}

// evict disconnects the client because of its memory. The goroutine of another client calls it, and is not held up.
func (c *client) evict() {
	c.conn.send.Tell("-" + string(errEvicted) + "\r\n")
	c.kill()
}

// release gives all memory back.
func (c *client) release() {
	c.conn.in.Free()
	c.out.Reset()
}
