package resptest

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"time"
)

// Conn is a client's connection. It sends words as an array of bulk strings, and returns replies as the bytes that arrived. It is for one
// goroutine.
type Conn struct {
	net  net.Conn
	in   *bufio.Reader
	out  []byte        // not sent yet
	read []byte        // the reply that is being read
	wait time.Duration // for a reply
}

func newConn(c net.Conn) *Conn {
	return &Conn{net: c, in: bufio.NewReaderSize(c, 64<<10), wait: ReplyTimeout}
}

// Close closes the connection.
func (c *Conn) Close() error { return c.net.Close() }

// Queue appends a command to those that Flush will send together.
func (c *Conn) Queue(words ...string) {
	c.out = append(c.out, '*')
	c.out = strconv.AppendInt(c.out, int64(len(words)), 10)
	c.out = append(c.out, "\r\n"...)
	for _, w := range words {
		c.out = append(c.out, '$')
		c.out = strconv.AppendInt(c.out, int64(len(w)), 10)
		c.out = append(c.out, "\r\n"...)
		c.out = append(c.out, w...)
		c.out = append(c.out, "\r\n"...)
	}
}

// QueueRaw appends any bytes to those that Flush will send together.
func (c *Conn) QueueRaw(b []byte) { c.out = append(c.out, b...) }

// Flush sends the queued bytes. Errors: those of the connection.
func (c *Conn) Flush() error {
	c.net.SetWriteDeadline(time.Now().Add(ReplyTimeout))
	_, err := c.net.Write(c.out)
	c.out = c.out[:0]
	return err
}

// Do sends a command and returns its reply: Queue, Flush and Read.
func (c *Conn) Do(words ...string) (Reply, error) {
	c.Queue(words...)
	if err := c.Flush(); err != nil {
		return nil, err
	}
	return c.Read()
}

// Read returns the next reply, all of it. Errors: those of the connection, os.ErrDeadlineExceeded after ReplyTimeout, and one for
// bytes that are no reply.
func (c *Conn) Read() (Reply, error) {
	c.net.SetReadDeadline(time.Now().Add(c.wait))
	c.read = c.read[:0]
	if err := c.value(0); err != nil {
		return nil, fmt.Errorf("resptest: after %.200q: %w", c.read, err)
	}
	return append(Reply(nil), c.read...), nil
}

// Ready reports whether the first byte of a reply has arrived. It waits for it up to the given time.
func (c *Conn) Ready(wait time.Duration) (bool, error) {
	if c.in.Buffered() > 0 {
		return true, nil
	}
	c.net.SetReadDeadline(time.Now().Add(wait))
	_, err := c.in.Peek(1)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return false, nil
	}
	return err == nil, err
}

var errReply = errors.New("this is no reply")

// value appends one value to c.read.
func (c *Conn) value(depth int) error {
	line, err := c.in.ReadSlice('\n')
	c.read = append(c.read, line...)
	if err != nil {
		return err
	}
	if len(line) < 3 || line[len(line)-2] != '\r' || depth > 8 {
		return errReply
	}
	kind, text := line[0], string(line[1:len(line)-2])
	switch kind {
	case '+', '-', ':', ',', '#', '_', '(':
		return nil
	case '$', '=', '!':
		return c.bulk(text)
	case '*', '~', '>', '%', '|':
		return c.items(kind, text, depth)
	}
	return errReply
}

// lengthOf reads a length in the form that a server must write; -1 stands for null.
func lengthOf(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < -1 || n > 1<<30 || strconv.Itoa(n) != text {
		return 0, errReply
	}
	return n, nil
}

// bulk appends a text of the given length, with its end of line, to c.read.
func (c *Conn) bulk(text string) error {
	n, err := lengthOf(text)
	if n < 0 || err != nil {
		return err
	}
	end := len(c.read) + n + 2
	for len(c.read) < end {
		chunk, err := c.in.Peek(min(end-len(c.read), 32<<10))
		c.read = append(c.read, chunk...)
		c.in.Discard(len(chunk))
		if err != nil {
			return err
		}
	}
	if string(c.read[end-2:]) != "\r\n" {
		return errReply
	}
	return nil
}

func (c *Conn) items(kind byte, text string, depth int) error {
	n, err := lengthOf(text)
	if err != nil || n < 0 && kind != '*' {
		return errors.Join(err, errReply)
	}
	if kind == '%' || kind == '|' {
		n *= 2
	}
	for range n {
		if err := c.value(depth + 1); err != nil {
			return err
		}
	}
	return nil
}

// ReplyTimeout is how long a peer may take for one reply.
const ReplyTimeout = 10 * time.Second
