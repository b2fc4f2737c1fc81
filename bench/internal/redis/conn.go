package redis

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
)

// Conn is a connection. It is for one goroutine.
type Conn struct {
	conn  net.Conn
	in    *bufio.Reader
	out   []byte
	reply []byte // of several lines
}

// ErrReply is what a server's "-ERR" and "-LOADING" are.
var ErrReply = errors.New("redis answers with an error")

// Dial connects to an address of TCP, and fails if nobody listens.
func Dial(addr string) (*Conn, error) {
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		return nil, err
	}
	return &Conn{conn: conn, in: bufio.NewReaderSize(conn, 1<<16)}, nil
}

// Close closes the connection.
func (c *Conn) Close() error { return c.conn.Close() }

// Append adds a command to those that Flush sends.
func (c *Conn) Append(args ...string) { c.out = AppendCommand(c.out, args...) }

// AppendCommand appends a command as it goes over the wire.
func AppendCommand(b []byte, args ...string) []byte {
	b = head(b, '*', len(args))
	for _, a := range args {
		b = append(head(b, '$', len(a)), a...)
		b = append(b, "\r\n"...)
	}
	return b
}

func head(b []byte, kind byte, n int) []byte {
	b = append(b, kind)
	b = strconv.AppendInt(b, int64(n), 10)
	return append(b, "\r\n"...)
}

// Flush sends the commands.
func (c *Conn) Flush() error {
	_, err := c.conn.Write(c.out)
	c.out = c.out[:0]
	return err
}

// Receive reads the reply to the next command that was sent: its line with the type in front, or the text of a bulk string. It
// is valid until the next call. Arrays are not understood. Errors: ErrReply, those of the network.
func (c *Conn) Receive() ([]byte, error) {
	line, err := c.in.ReadSlice('\n')
	if err != nil {
		return nil, errors.Join(err, io.ErrUnexpectedEOF)
	}
	line = bytes.TrimRight(line, "\r\n")
	if len(line) == 0 {
		return nil, fmt.Errorf("%w: an empty line", ErrReply)
	}
	switch line[0] {
	case '-':
		return nil, fmt.Errorf("%w: %s", ErrReply, line)
	case '$':
		return c.bulk(line)
	}
	return line, nil
}

// bulk reads what follows the line of a bulk string. One that is nil is its line.
func (c *Conn) bulk(line []byte) ([]byte, error) {
	n, err := strconv.Atoi(string(line[1:]))
	if err != nil || n < 0 {
		return line, err
	}
	c.reply = append(c.reply[:0], make([]byte, n+2)...)
	if _, err := io.ReadFull(c.in, c.reply); err != nil {
		return nil, err
	}
	return c.reply[:n], nil
}

// Do sends one command and returns its reply.
func (c *Conn) Do(args ...string) (string, error) {
	c.Append(args...)
	if err := c.Flush(); err != nil {
		return "", err
	}
	reply, err := c.Receive()
	if err != nil {
		return "", fmt.Errorf("%s: %w", args[0], err)
	}
	return string(reply), nil
}

// ReceiveAll reads n replies and returns the first error that one of them is.
func (c *Conn) ReceiveAll(n int) error {
	for range n {
		if _, err := c.Receive(); err != nil {
			return err
		}
	}
	return nil
}
