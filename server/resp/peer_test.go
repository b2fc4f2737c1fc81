package resp

import (
	"bufio"
	"io"
	"net"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine"
)

// peer is a client of a server that a test has started: it sends words and reads replies as they are on the wire.
type peer struct {
	t    testing.TB
	s    *Server
	addr string
	conn net.Conn
	in   *bufio.Reader
}

// startServer serves an engine in memory only, and returns a client of it.
func startServer(t testing.TB, o engine.Options, of Options) *peer {
	t.Helper()
	e, err := engine.New(o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, e.Close()) })
	return serve(t, e, of)
}

// serve serves an engine, and returns a client of it.
func serve(t testing.TB, e *engine.Engine, o Options) *peer {
	t.Helper()
	s, err := New(t.Context(), e, o)
	require.NoError(t, err)
	addr, err := s.Listen("127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return (&peer{t: t, s: s, addr: addr.String()}).another()
}

// another returns another client of the same server.
func (p *peer) another() *peer {
	p.t.Helper()
	conn, err := net.Dial("tcp", p.addr)
	require.NoError(p.t, err)
	p.t.Cleanup(func() { _ = conn.Close() })
	return &peer{t: p.t, s: p.s, addr: p.addr, conn: conn, in: bufio.NewReader(conn)}
}

// do sends a command and returns the bytes of its reply.
func (p *peer) do(words ...string) string {
	p.t.Helper()
	p.send(words...)
	return p.reply()
}

// line is do for words that are separated by spaces.
func (p *peer) line(text string) string {
	p.t.Helper()
	return p.do(strings.Fields(text)...)
}

func (p *peer) send(words ...string) {
	p.t.Helper()
	p.raw(encode(words))
}

// encode returns a command as an array of bulk strings.
func encode(words []string) []byte {
	b := []byte("*" + strconv.Itoa(len(words)) + "\r\n")
	for _, w := range words {
		b = append(b, "$"+strconv.Itoa(len(w))+"\r\n"+w+"\r\n"...)
	}
	return b
}

func (p *peer) raw(b []byte) {
	p.t.Helper()
	_, err := p.conn.Write(b)
	require.NoError(p.t, err)
}

// reply returns the bytes of the next reply.
func (p *peer) reply() string {
	p.t.Helper()
	require.NoError(p.t, p.conn.SetReadDeadline(time.Now().Add(5*time.Minute)))
	text, err := readReply(p.in)
	require.NoError(p.t, err)
	return text
}

// readReply reads one reply, with all its items.
func readReply(in *bufio.Reader) (string, error) {
	var text strings.Builder
	err := readInto(&text, in)
	return text.String(), err
}

func readInto(text *strings.Builder, in *bufio.Reader) error {
	line, err := in.ReadString('\n')
	if text.WriteString(line); err != nil {
		return err
	}
	n, _ := strconv.Atoi(strings.TrimSpace(line[1:]))
	switch line[0] {
	case '$', '=', '!':
		if n >= 0 {
			_, err = io.CopyN(text, in, int64(n)+2)
		}
		return err
	case '%':
		n *= 2
		fallthrough
	case '*', '~', '>':
		for range n {
			if err := readInto(text, in); err != nil {
				return err
			}
		}
	}
	return nil
}
