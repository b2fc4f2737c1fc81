package session

import (
	"errors"
	"fmt"
	"log/slog"
	"runtime"

	"github.com/zrankdb/zrank/server/resp/internal/budget"
	"github.com/zrankdb/zrank/server/resp/internal/command"
	"github.com/zrankdb/zrank/server/resp/internal/conn"
	"github.com/zrankdb/zrank/server/resp/internal/flow"
	"github.com/zrankdb/zrank/server/resp/internal/wire"
)

// A client's account counts all memory that it makes the server hold, within Options.ClientMemory (P4): requests that arrive and the words of
// whole ones (wire.Reader), the reply that is being written (wire.Writer), replies that wait for the client (flow.Sender), the queue after
// MULTI, and watched keys. It does not count one block of a reply, while that is written.
//
// Few large replies are written at a time: a client needs one of the server's turns for a reply above turnFrom, and for a command whose result
// takes memory before it is written. T1: a client takes a turn only where it holds no lock of the engine, because the client that has the turn
// may wait for that lock. A transaction that needs a turn and has none fails with ErrTurn, and is repeated with one.

// turnFrom is how many bytes a reply may have without a turn.
const turnFrom = 8 * budget.BlockBytes

// ErrTurn undoes a transaction that needs a turn.
var ErrTurn = errors.New("resp: the reply needs a turn")

// ErrEvicted is the last reply to a client that is disconnected for its memory. It is sent only if all earlier replies have been.
const ErrEvicted = command.Refusal("ERR disconnected: all clients hold as much memory as they may together, and no other more than this one")

// grow allows another block for a reply that has this number of bytes, or returns ErrTurn. It yields the processor, so that other clients wait for
// the time of a block and not of a large reply.
func (c *Client) grow(bytes int) error {
	runtime.Gosched()
	if c.turn || bytes < turnFrom {
		return nil
	}
	select {
	case c.Host.Turns <- struct{}{}:
		c.turn = true
		return nil
	default:
		return ErrTurn
	}
}

// The memory of one entry, and of one key, that a command holds beside its reply.
const (
	EntryBytes = 40
	KeyBytes   = 64
)

// ErrNoMemory refuses a reply, or the memory that a command needs for it.
const ErrNoMemory = command.Refusal("ERR no memory for the reply: clients hold as much as they may together")

// Borrow counts the memory of n items of the given size in bytes, which a command holds beside its reply, until the command ends.
func (c *Client) Borrow(n, bytes int) error {
	if int64(n) > c.Host.Config.ClientMemory/int64(bytes) || !c.Account.Take(n*bytes) {
		return ErrNoMemory
	}
	c.borrowed += n * bytes
	return nil
}

// TakeTurn waits for a turn (T1), if the client has none. It gives back the memory of Borrow, since the command begins again.
func (c *Client) TakeTurn() {
	c.repay()
	if !c.turn {
		c.Host.Turns <- struct{}{}
		c.turn = true
	}
}

// repay gives back the memory that Borrow has counted.
func (c *Client) repay() {
	c.Account.Give(c.borrowed)
	c.borrowed = 0
}

// Done ends commands: it gives back their turn, if they have one, and the memory of Borrow.
func (c *Client) Done() {
	c.repay()
	if c.turn {
		c.turn = false
		<-c.Host.Turns
	}
}

// Cut returns the reason why a reply was cut off: a refusal, or ErrTurn.
func (c *Client) Cut() error {
	switch err := c.Out.Over(); {
	case errors.Is(err, wire.ErrTooLarge):
		return fmt.Errorf("resp: %w", command.Refusal(fmt.Sprintf("ERR reply is larger than the limit of %d bytes", c.Host.Config.MaxReply)))
	case errors.Is(err, wire.ErrMemory):
		return fmt.Errorf("resp: %w", ErrNoMemory)
	default:
		return err
	}
}

// evict disconnects the client because of its memory. Another client's goroutine calls it, and does not wait for anything.
func (c *Client) evict() {
	c.Conn.Sender.Tell("-" + string(ErrEvicted) + "\r\n")
	c.Kill()
}

// Release gives back all memory of a client that has ended.
func (c *Client) Release() {
	c.Conn.Reader.Free()
	c.Out.Reset()
}

// LogEnd logs why the server disconnected a client. It logs nothing if the client disconnected itself.
func (c *Client) LogEnd(err error) {
	h := c.Host
	if c.Account.Evicted() || errors.Is(err, wire.ErrMemory) {
		h.Counters.Evicted.Add(1)
		h.evicted.Warn(h.Config.Log, "resp: client disconnected: all clients hold as much as Options.ClientMemory", "client", c.ID, "addr", c.Conn.RemoteAddr())
		return
	}
	level := slog.LevelWarn
	var wrong *wire.ProtocolError
	switch {
	case errors.Is(err, flow.ErrSlow), errors.Is(err, conn.ErrUnfinished):
	case errors.Is(err, conn.ErrIdle), errors.Is(err, conn.ErrUnauthenticated), errors.Is(err, ErrHTTP), errors.As(err, &wrong):
		level = slog.LevelInfo
	case err != nil && c.Conn.NoHandshake():
		h.noTLS.Warn(h.Config.Log, "resp: TLS handshake failed", "client", c.ID, "addr", c.Conn.RemoteAddr(), "err", err)
		return
	default:
		return
	}
	h.Config.Log.Log(h.Ctx, level, "resp: disconnected", "client", c.ID, "addr", c.Conn.RemoteAddr(), "err", err)
}

// Flush sends the replies, once the commits they depend on are durable (P2).
func (c *Client) Flush() error {
	c.Done()
	if c.Muted {
		c.Out.Reset()
	}
	if c.Out.Len() == 0 {
		return nil
	}
	if seq := c.Seq; seq > 0 {
		c.Seq = 0
		if err := c.Host.Engine.Acknowledge(c.Host.Work, seq); err != nil {
			c.Out.Reset()
			c.Out.Error(string(command.Refuse(err)))
			c.Closing = true // it is unknown which of the commands have been executed
		}
	}
	for _, b := range c.Out.Detach() {
		_ = c.Conn.Sender.SendBlock(b) // Send returns it
	}
	err := c.Conn.Sender.Send(c.Out.Buf)
	c.Out.Reset()
	return err
}
