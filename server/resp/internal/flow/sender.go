package flow

import (
	"errors"
	"fmt"
	"net"
	"os"
	"sync"
	"time"

	"github.com/zrankdb/zrank/server/resp/internal/budget"
)

// writeBytes is how much is written at a time where a write may block.
const writeBytes = 32 << 10

// ErrSlow is returned when a client took nothing for the whole of SendOptions.Timeout; its connection is closed.
var ErrSlow = errors.New("flow: the client does not take its replies")

// SendOptions are the limits of a Sender. The zero value means the defaults.
type SendOptions struct {
	Limit   int             // bytes that may wait for the client; default 64 MiB
	Timeout time.Duration   // how long a client may take nothing while something waits; default 60 s
	Account *budget.Account // takes what waits from the budget of all clients; nil: that has no end
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

// A Sender writes to one client. What its socket does not take at once waits in memory, and a goroutine writes it; there is
// none while nothing waits. Where a connection has no socket that can be asked (TLS, net.Pipe, Windows) everything goes that
// way: a write that blocks would let a client that sends before it reads wait for a server that waits for it.
//
// Send is for one goroutine at a time; Close may be called by any. The Sender sets the connection's write deadline; nobody
// else may.
type Sender struct {
	conn net.Conn
	try  *attempt // nil: no socket to ask
	opts SendOptions

	mu      sync.Mutex
	changed sync.Cond // something below has changed
	queue   queue
	busy    bool      // somebody writes: nobody else may
	until   time.Time // no write later than this, if it is not zero
	err     error     // why nothing can be sent any more
}

// NewSender returns a sender of the connection.
func NewSender(conn net.Conn, o SendOptions) *Sender {
	s := &Sender{conn: conn, try: newAttempt(conn), opts: o.withDefaults(), queue: queue{account: o.Account}}
	s.changed.L = &s.mu
	return s
}

// Send sends b, which may be used again afterwards. It waits only while more than SendOptions.Limit would wait for the client,
// or more than the budget allows. Errors: ErrSlow, the connection's; after one the connection is of no use.
func (s *Sender) Send(b []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return s.err
	}
	if s.try != nil && !s.busy {
		n, err := s.try.write(b)
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

// SendBlock is Send of a block that the Sender's account counts, and is not copied: the block belongs to the Sender from here on, also after
// an error. While nothing else waits for the client a block may, whatever SendOptions.Limit is.
func (s *Sender) SendBlock(b *budget.Block) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil && s.try != nil && !s.busy {
		n, err := s.try.write(b.Bytes())
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

// start makes a goroutine write what waits, unless somebody writes.
func (s *Sender) start() {
	if !s.busy {
		s.busy = true
		go s.drain()
	}
}

// Tell writes a last word for the client if the client's socket takes it without waiting and all replies before it have been written. The
// connection ought to be closed then.
func (s *Sender) Tell(text string) {
	if !s.mu.TryLock() {
		return // somebody writes
	}
	defer s.mu.Unlock()
	if s.err == nil && s.try != nil && !s.busy {
		_, _ = s.try.write([]byte(text)) // nobody is left to hear of an error
	}
}

// enqueue puts as much of b into the queue as may be, or waits.
func (s *Sender) enqueue(b *[]byte) error {
	room := min(s.opts.Limit-s.queue.waiting, len(*b))
	if room > 0 {
		rest := s.queue.add((*b)[:room])
		added := room - len(rest)
		*b = (*b)[added:]
		if s.queue.waiting > 0 {
			s.start()
		}
		if added > 0 {
			return nil
		}
	}
	if !s.busy { // nothing waits, and there is no memory to let it wait in
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

// drain writes what waits.
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

// write waits until the client has taken b. It gives up the lock while it does, and needs busy.
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

// Close gives the client some time to take what waits, closes the connection, and returns when nothing writes to it any more.
// Errors: ErrSlow if it did not take all; what Send returned.
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
