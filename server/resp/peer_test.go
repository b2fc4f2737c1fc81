package resp

import (
	"bufio"
	"fmt"
	"net"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine"
)

// peer is a client of a server under test. It shows replies as the bytes that came.
type peer struct {
	t    testing.TB
	e    *engine.Engine
	s    *Server
	addr string
	conn net.Conn
	r    *bufio.Reader
}

// startServer starts a server over an engine in memory, and connects to it. Both end with the test.
func startServer(t testing.TB, eo engine.Options, o Options) *peer {
	t.Helper()
	e, err := engine.New(eo)
	require.NoError(t, err)
	t.Cleanup(func() { _ = e.Close() })
	return serveEngine(t, e, o)
}

// serveEngine is startServer over an engine that there is.
func serveEngine(t testing.TB, e *engine.Engine, o Options) *peer {
	t.Helper()
	s, err := New(e, o)
	require.NoError(t, err)
	t.Cleanup(func() { _ = s.Close() })
	addr, err := s.Listen("127.0.0.1:0")
	require.NoError(t, err)
	return (&peer{t: t, e: e, s: s, addr: addr.String()}).another()
}

// another connects once more.
func (p *peer) another() *peer {
	p.t.Helper()
	conn, err := net.Dial("tcp", p.addr)
	require.NoError(p.t, err)
	p.t.Cleanup(func() { _ = conn.Close() })
	return &peer{t: p.t, e: p.e, s: p.s, addr: p.addr, conn: conn, r: bufio.NewReader(conn)}
}

// do sends a command and returns its reply.
func (p *peer) do(words ...string) string {
	p.t.Helper()
	p.send(words...)
	return p.reply()
}

// line is do for words with blanks between them.
func (p *peer) line(text string) string {
	p.t.Helper()
	return p.do(strings.Fields(text)...)
}

// send sends a command.
func (p *peer) send(words ...string) {
	p.t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, "*%d\r\n", len(words))
	for _, w := range words {
		fmt.Fprintf(&b, "$%d\r\n%s\r\n", len(w), w)
	}
	_, err := p.conn.Write([]byte(b.String()))
	require.NoError(p.t, err)
}

// reply reads one reply, whole.
func (p *peer) reply() string {
	p.t.Helper()
	require.NoError(p.t, p.conn.SetReadDeadline(time.Now().Add(20*time.Second)))
	var b strings.Builder
	require.NoError(p.t, readReply(p.r, &b))
	return b.String()
}

// readReply copies one reply.
func readReply(r *bufio.Reader, b *strings.Builder) error {
	line, err := r.ReadString('\n')
	b.WriteString(line)
	if err != nil {
		return err
	}
	n, _ := strconv.Atoi(strings.TrimSpace(line[1:]))
	switch line[0] {
	case '$', '=':
		if n < 0 {
			return nil
		}
		body := make([]byte, n+2)
		for at := 0; at < len(body); {
			k, err := r.Read(body[at:])
			if at += k; err != nil {
				return err
			}
		}
		b.Write(body)
	case '%':
		n *= 2
		fallthrough
	case '*', '~', '>':
		for range n {
			if err := readReply(r, b); err != nil {
				return err
			}
		}
	}
	return nil
}
