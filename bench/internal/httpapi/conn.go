package httpapi

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
)

// conn is a connection of a caller: it writes a request and reads its answer.
type conn struct {
	net.Conn
	r    *bufio.Reader
	read func(c *conn) error
}

// dial connects callers to a server, each on its first call.
func dial(n int, addr string, read func(c *conn) error) func(id int, request []byte) error {
	conns := make([]*conn, n)
	return func(id int, request []byte) error {
		if conns[id] == nil {
			c, err := net.Dial("tcp", addr)
			if err != nil {
				return err
			}
			conns[id] = &conn{Conn: c, r: bufio.NewReaderSize(c, 8192), read: read}
		}
		c := conns[id]
		if _, err := c.Write(request); err != nil {
			return err
		}
		return read(c)
	}
}

// appendCommand appends a command of the Redis protocol.
func appendCommand(dst []byte, words ...string) []byte {
	dst = fmt.Appendf(dst, "*%d\r\n", len(words))
	for _, w := range words {
		dst = fmt.Appendf(dst, "$%d\r\n%s\r\n", len(w), w)
	}
	return dst
}

// readReply reads a reply of the Redis protocol.
func readReply(c *conn) error {
	line, err := c.r.ReadSlice('\n')
	if err != nil {
		return err
	}
	kind, text := line[0], strings.TrimSpace(string(line[1:]))
	switch kind {
	case '-':
		return errors.New(text)
	case '$', '*', '%':
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 {
			return err
		}
		if kind == '$' {
			_, err = c.r.Discard(n + 2)
			return err
		}
		for range n {
			if err := readReply(c); err != nil {
				return err
			}
		}
	}
	return nil
}

// readResponse reads a response of HTTP that has a length.
func readResponse(c *conn) error {
	length, status := 0, ""
	for {
		line, err := c.r.ReadSlice('\n')
		switch {
		case err != nil:
			return err
		case status == "":
			status = string(line)
		case len(line) == 2:
			if _, err := c.r.Discard(length); err != nil {
				return err
			}
			if !strings.HasPrefix(status, "HTTP/1.1 200") && !strings.HasPrefix(status, "HTTP/1.1 304") {
				return errors.New(strings.TrimSpace(status))
			}
			return nil
		case strings.HasPrefix(string(line), "Content-Length: "):
			if length, err = strconv.Atoi(strings.TrimSpace(string(line[16:]))); err != nil {
				return err
			}
		case strings.HasPrefix(string(line), "Transfer-Encoding: "):
			return errors.New("a response without a length")
		}
	}
}
