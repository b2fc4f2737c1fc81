package replica

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"net"
	"strings"
	"sync/atomic"

	"github.com/zrankdb/zrank/engine"
)

// inFlight is how many commands may wait for their replies.
const inFlight = 4096

// applier executes commands on the engine, in order.
type applier struct {
	server  *local
	conn    net.Conn
	w       *bufio.Writer
	sent    chan sent
	done    chan error
	offset  atomic.Int64 // up to which everything is applied
	pending atomic.Int64 // commands that were sent, and are not answered
	t       *tracker
}

// sent is a command that waits for its reply.
type sent struct {
	name, key string
	end       int64 // the offset behind it
}

func newApplier(ctx context.Context, e *engine.Engine, t *tracker, offset int64) (*applier, error) {
	server, err := newLocal(ctx, e)
	if err != nil {
		return nil, err
	}
	conn, err := server.connect(ctx)
	if err != nil {
		_ = server.Close()
		return nil, err
	}
	a := &applier{server: server, conn: conn, w: bufio.NewWriterSize(conn, 1<<16), sent: make(chan sent, inFlight), done: make(chan error, 1), t: t}
	a.offset.Store(offset)
	go func() { a.done <- a.replies() }()
	return a, nil
}

// ignored are commands of a source that change nothing of ours.
var ignored = map[string]bool{"PING": true, "REPLCONF": true, "PUBLISH": true, "SPUBLISH": true, "SCRIPT": true, "FUNCTION": true,
	"MULTI": true, "EXEC": true} // a command that we do not know must not take the others of its transaction along

// apply executes a command that ends at an offset. Errors: those of the server inside.
func (a *applier) apply(c command, end int64) error {
	s := sent{end: end}
	raw := c.raw
	if len(c.words) > 0 {
		s.name = strings.ToUpper(string(c.words[0]))
	}
	if len(c.words) > 1 {
		s.key = string(c.words[1][:min(len(c.words[1]), 64)])
	}
	if s.name == "" || ignored[s.name] { // its offset counts when what came before it is applied
		raw, s.name = []byte("*1\r\n$4\r\nPING\r\n"), ""
	}
	a.pending.Add(1)
	if _, err := a.w.Write(raw); err != nil {
		return a.why(err)
	}
	select {
	case a.sent <- s:
	default:
		if err := a.w.Flush(); err != nil {
			return a.why(err)
		}
		select {
		case a.sent <- s:
		case err := <-a.done:
			a.done <- err
			return err
		}
	}
	return nil
}

func (a *applier) flush() error {
	if err := a.w.Flush(); err != nil {
		return a.why(err)
	}
	return nil
}

// why returns why the server inside has ended, or the error of its connection.
func (a *applier) why(err error) error {
	select {
	case inner := <-a.done:
		a.done <- inner
		if inner != nil {
			return inner
		}
	default:
	}
	return fmt.Errorf("replica: the server inside: %w", err)
}

// replies reads the replies until the connection is closed.
func (a *applier) replies() error {
	r := stream{bufio.NewReaderSize(a.conn, 1<<16)}
	for s := range a.sent {
		_, failure, err := r.reply()
		if err != nil {
			return err
		}
		a.offset.Store(s.end)
		a.pending.Add(-1)
		a.t.update(func(st *Status) {
			st.Offset = s.end
			if s.name != "" {
				st.Commands++
			}
			if failure != "" {
				leaveOut(st.Commanded, s.name, strings.ToValidUTF8(s.key+": "+failure, "?"))
			}
		})
	}
	return nil
}

// close waits until everything is applied, and ends the server. Error: that of the server.
func (a *applier) close() error {
	err := a.w.Flush()
	close(a.sent)
	if inner := <-a.done; err == nil {
		err = inner
	}
	_ = a.conn.Close()
	if closing := a.server.Close(); err == nil {
		err = closing
	}
	return err
}

// isAck reports whether the source asks how far we are.
func isAck(c command) bool {
	return len(c.words) >= 2 && bytes.EqualFold(c.words[0], []byte("REPLCONF")) && bytes.EqualFold(c.words[1], []byte("GETACK"))
}
