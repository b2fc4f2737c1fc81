package dumpcmd

import (
	"bufio"
	"context"
	"errors"
	"net"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/zrankdb/zrank/server/resp/internal/command"
)

// The refusals of MIGRATE when the target does not answer, in the words of Redis.
const (
	errConnecting = command.Refusal("IOERR error or timeout connecting to the client")
	errWriting    = command.Refusal("IOERR error or timeout writing to target instance")
	errReading    = command.Refusal("IOERR error or timeout reading from target instance")
)

// maxLine is the length of the longest line of a target that is read.
const maxLine = 64 << 10

// target is a connection to a target. Every read and write has the timeout.
type target struct {
	conn    net.Conn
	in      *bufio.Reader
	out     *bufio.Writer
	timeout time.Duration
	stop    func() bool
}

// dial connects to a target. The end of ctx ends the connection. Errors: refusals.
func dial(ctx context.Context, host, port string, timeout time.Duration) (*target, error) {
	d := net.Dialer{Timeout: timeout}
	conn, err := d.DialContext(ctx, "tcp", net.JoinHostPort(host, port))
	if errors.Is(err, syscall.ECONNREFUSED) {
		return nil, errWriting // Redis notices it when it writes
	}
	if err != nil {
		return nil, errConnecting
	}
	s := &target{conn: conn, timeout: timeout}
	s.in, s.out = bufio.NewReaderSize(deadlines{s}, 4<<10), bufio.NewWriterSize(deadlines{s}, 64<<10)
	s.stop = context.AfterFunc(ctx, func() { _ = conn.Close() })
	return s, nil
}

// deadlines reads and writes with the timeout of a target.
type deadlines struct{ t *target }

func (d deadlines) Read(b []byte) (int, error) {
	_ = d.t.conn.SetReadDeadline(time.Now().Add(d.t.timeout))
	return d.t.conn.Read(b)
}

// Write writes in pieces, so that the timeout is one of each piece.
func (d deadlines) Write(b []byte) (n int, err error) {
	const piece = 64 << 10
	for n < len(b) && err == nil {
		_ = d.t.conn.SetWriteDeadline(time.Now().Add(d.t.timeout))
		var wrote int
		wrote, err = d.t.conn.Write(b[n:min(n+piece, len(b))])
		n += wrote
	}
	return n, err
}

// close ends the connection.
func (s *target) close() {
	s.stop()
	_ = s.conn.Close()
}

// send writes a request to the buffer.
func (s *target) send(words ...[]byte) error {
	number := func(kind byte, n int) {
		_ = s.out.WriteByte(kind)
		_, _ = s.out.WriteString(strconv.Itoa(n))
		_, _ = s.out.WriteString("\r\n")
	}
	number('*', len(words))
	for _, w := range words {
		number('$', len(w))
		_, _ = s.out.Write(w)
		_, _ = s.out.WriteString("\r\n")
	}
	if _, err := s.out.Write(nil); err != nil { // the error of any write before
		return errWriting
	}
	return nil
}

// flush sends the buffer.
func (s *target) flush() error {
	if s.out.Flush() != nil {
		return errWriting
	}
	return nil
}

// reply reads the line of a reply; refused is its error, "" for any other reply. Errors: errReading.
func (s *target) reply() (refused string, err error) {
	var line []byte
	for {
		part, err := s.in.ReadSlice('\n')
		line = append(line, part...)
		if err == nil {
			break
		}
		if !errors.Is(err, bufio.ErrBufferFull) || len(line) > maxLine {
			return "", errReading
		}
	}
	text := strings.TrimRight(string(line), "\r\n")
	if text, is := strings.CutPrefix(text, "-"); is {
		return text, nil
	}
	if !strings.HasPrefix(text, "+") { // none of our requests has another reply
		return "", errReading
	}
	return "", nil
}
