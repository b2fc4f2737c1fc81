package flow

import (
	"errors"
	"fmt"
	"net"
	"os"
	"sync"
	"time"

	"github.com/zrankdb/zrank/server/resp/internal/budget"
	"github.com/zrankdb/zrank/server/resp/internal/socket"
)

// writeBytes is how much is written at a time where a write may block.
const writeBytes = 32 << 10

// ErrSlow is returned when a client took nothing for the whole of SendOptions.Timeout; its connection is closed.
var ErrSlow = errors.New("flow: the client does not take its replies")

// SendOptions are the limits of a Sender. The zero value means the defaults.
type SendOptions struct {
	Limit   int             // bytes that may wait for the client; default 64 MiB
	Timeout time.Duration   // how long a client may take nothing while something waits; default 60 s
	Account *budget.Account // counts the bytes that wait; nil: nothing counts them
}

func (o SendOptions) withDefaults() SendOptions {
	if o.Limit <= 0 {
		o.Limit = 64 << 20
	}
	if o.Timeout <= 0 {
		o.Timeout = time.Minute
	}
	return o
}

// A Sender writes to one client. Bytes that its socket does not take at once wait in memory, and a goroutine writes them. The goroutine exists
// only while bytes wait. Over a connection without a socket (TLS, net.Pipe, Windows) all bytes wait: a write that blocks could make the server
// wait for a client that waits for the server.
//
// Send is for one goroutine at a time; Close may be called by any. The Sender sets the connection's write deadline; nothing else may.
type Sender struct {
	conn net.Conn
	try  *socket.Writer // nil: the connection has no socket
	opts SendOptions

	mu      sync.Mutex
	changed sync.Cond // something below has changed
	queue   queue
	busy    bool      // a goroutine writes: no other goroutine may write
	until   time.Time // the end of all writes; zero: none
	err     error     // why the connection cannot be used any more
}

// NewSender returns a sender of the connection.
func NewSender(conn net.Conn, o SendOptions) *Sender {
	s := &Sender{conn: conn, try: socket.NewWriter(conn), opts: o.withDefaults(), queue: queue{account: o.Account}}
	s.changed.L = &s.mu
	return s
}

// Send sends b, and does not keep it. It waits only while more than SendOptions.Limit bytes would wait for the client, or the account cannot
// take them. Errors: ErrSlow, the connection's; after an error the connection is of no use.
func (s *Sender) Send(b []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return s.err
	}
	if s.try != nil && !s.busy {
		n, err := s.try.Write(b)
		if err != nil {
			return s.fail(err)
		}
		b = b[n:]
	}
	for len(b) > 0 {
		if err := s.enqueue(&b); err != nil {
			return err
		}
	}
	return nil
}

// SendBlock is Send of a block that the Sender's account counts. It does not copy: the block belongs to the Sender from then on, also after an
// error. A block may wait alone, whatever SendOptions.Limit is.
func (s *Sender) SendBlock(b *budget.Block) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil && s.try != nil && !s.busy {
		n, err := s.try.Write(b.Bytes())
		if err != nil {
			_ = s.fail(err) // it is returned below
		}
		b.Skip(n)
	}
	for s.err == nil && s.queue.waiting > 0 && s.queue.waiting+b.Len() > s.opts.Limit {
		s.changed.Wait()
	}
	if s.err != nil || b.Len() == 0 {
		b.Free()
		return s.err
	}
	s.queue.push(b)
	s.start()
	return nil
}

// start starts a goroutine that writes the queue, unless one writes already.
func (s *Sender) start() {
	if !s.busy {
		s.busy = true
		go s.drain()
	}
}

// Tell writes a last message to the client, if all earlier replies have been written and the socket takes the message at once. Then the caller
// closes the connection.
func (s *Sender) Tell(text string) {
	if !s.mu.TryLock() {
		return // a goroutine writes
	}
	defer s.mu.Unlock()
	if s.err == nil && s.try != nil && !s.busy {
		_, _ = s.try.Write([]byte(text)) // no caller could use an error
	}
}

// enqueue moves as much of b into the queue as the limit and the account allow. If they allow nothing, it writes b itself where no goroutine
// writes, or waits.
func (s *Sender) enqueue(b *[]byte) error {
	space := min(s.opts.Limit-s.queue.waiting, len(*b))
	if space > 0 {
		rest := s.queue.add((*b)[:space])
		added := space - len(rest)
		*b = (*b)[added:]
		if s.queue.waiting > 0 {
			s.start()
		}
		if added > 0 {
			return nil
		}
	}
	if !s.busy { // the queue is empty, and no memory is free for it
		s.busy = true
		err := s.write(*b)
		s.busy = false
		*b = nil
		s.changed.Broadcast()
		return err
	}
	s.changed.Wait()
	return s.err
}

// drain writes the queue until it is empty.
func (s *Sender) drain() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for b := s.queue.list.Pop(); b != nil; b = s.queue.list.Pop() {
		if s.err == nil {
			_ = s.write(b.Bytes()) // Send returns it
		}
		s.queue.done(b)
		s.changed.Broadcast()
	}
	s.busy = false
	s.changed.Broadcast()
}

// write writes b, and waits until the client has taken it. It releases the lock meanwhile; busy is set.
func (s *Sender) write(b []byte) error {
	for len(b) > 0 && s.err == nil {
		deadline := time.Now().Add(s.opts.Timeout)
		if !s.until.IsZero() && s.until.Before(deadline) {
			deadline = s.until
		}
		if err := s.conn.SetWriteDeadline(deadline); err != nil {
			return s.fail(err)
		}
		s.mu.Unlock()
		n, err := s.conn.Write(b[:min(len(b), writeBytes)])
		s.mu.Lock()
		b = b[n:]
		if err != nil && (n == 0 || !errors.Is(err, os.ErrDeadlineExceeded)) {
			return s.fail(err)
		}
	}
	if s.err == nil && s.until.IsZero() {
		_ = s.conn.SetWriteDeadline(time.Time{}) // or the next attempt would be refused; if this fails, so does that
	}
	return s.err
}

// fail closes the connection: part of a reply may have been sent.
func (s *Sender) fail(err error) error {
	if s.err == nil {
		if errors.Is(err, os.ErrDeadlineExceeded) {
			err = ErrSlow
		}
		s.err = fmt.Errorf("send to %v: %w", s.conn.RemoteAddr(), err)
		_ = s.conn.Close() // there is an error already
		s.changed.Broadcast()
	}
	return s.err
}

// Waiting returns the bytes that wait for the client. O(1).
func (s *Sender) Waiting() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.queue.waiting
}

// Close gives the client the time grace to take the bytes that wait, closes the connection, and returns when no goroutine writes to it any
// more. Errors: ErrSlow if the client did not take all bytes; the error that Send returned.
func (s *Sender) Close(grace time.Duration) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.busy && s.err == nil {
		s.until = time.Now().Add(grace)
		_ = s.conn.SetWriteDeadline(s.until) // the write at work; if this fails, so does that
	}
	for s.busy {
		s.changed.Wait()
	}
	if s.err == nil {
		s.err = net.ErrClosed
		return s.conn.Close()
	}
	if errors.Is(s.err, net.ErrClosed) {
		return nil
	}
	return s.err
}
