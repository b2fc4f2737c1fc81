package replica

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"sync"
	"time"
)

// link is the connection of a replica to the source.
type link struct {
	stream
	conn net.Conn
	mu   sync.Mutex // of writes
}

// errRefused is wrapped by an error reply of the source to PSYNC, or to what comes before it.
var errRefused = errors.New("it does not let itself be replicated")

// connect connects as a replica. Errors: those of the network; ErrSource if the source refuses.
func connect(ctx context.Context, o Options) (l *link, err error) {
	conn, err := o.dial(ctx)
	if err != nil {
		return nil, err
	}
	l = &link{conn: conn, stream: stream{bufio.NewReaderSize(&patient{conn}, 1<<16)}}
	defer func() {
		if err != nil {
			_ = conn.Close()
		}
	}()
	if o.Password != "" {
		words := []string{"AUTH", o.Password}
		if o.Username != "" {
			words = []string{"AUTH", o.Username, o.Password}
		}
		if line, err := l.ask(words...); err != nil || line[0] == '-' {
			return nil, refusal("AUTH", line, err)
		}
	}
	if line, err := l.ask("PING"); err != nil || line[0] == '-' {
		return nil, refusal("PING", line, err)
	}
	// psync2: the source may have been a replica itself. Without eof it sends the length of the file before it.
	if line, err := l.ask("REPLCONF", "capa", "psync2"); err != nil || line[0] == '-' {
		return nil, errors.Join(errRefused, refusal("REPLCONF", line, err))
	}
	return l, nil
}

// refusal returns the error of a reply, or of the connection.
func refusal(what, line string, err error) error {
	if err != nil {
		return err
	}
	return fmt.Errorf("%w: %s: %.200s", ErrSource, what, strings.TrimPrefix(line, "-"))
}

// patient is a connection whose reads end after silence.
type patient struct{ net.Conn }

func (p *patient) Read(b []byte) (int, error) {
	if err := p.SetReadDeadline(time.Now().Add(silence)); err != nil {
		return 0, err
	}
	return p.Conn.Read(b)
}

// send writes a command.
func (l *link) send(words ...string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.conn.SetWriteDeadline(time.Now().Add(dialTimeout)); err != nil {
		return err
	}
	_, err := l.conn.Write(appendCommand(nil, words...))
	return err
}

// ask writes a command and returns the line that answers it, which has a character at least.
func (l *link) ask(words ...string) (string, error) {
	if err := l.send(words...); err != nil {
		return "", err
	}
	for {
		var raw []byte
		line, err := l.line(&raw)
		if err != nil {
			return "", err
		}
		if len(line) > 0 { // before its answer to PSYNC a source sends empty lines while it saves
			return string(line), nil
		}
	}
}

// psync asks for what follows offset of a history, or for everything if there is none. full says that a file comes; then id and at are those of the file, and otherwise id is
// that of the history that goes on.
func (l *link) psync(id string, offset int64) (full bool, now string, at int64, err error) {
	from := strconv.FormatInt(offset+1, 10)
	if id == "" {
		id, from = "?", "-1"
	}
	line, err := l.ask("PSYNC", id, from)
	if err != nil {
		return false, "", 0, err
	}
	words := strings.Fields(line)
	switch {
	case words[0] == "+FULLRESYNC" && len(words) == 3:
		at, err = strconv.ParseInt(words[2], 10, 64)
		return true, words[1], at, err
	case words[0] == "+CONTINUE":
		if len(words) > 1 {
			id = words[1]
		}
		return false, id, offset, nil
	case strings.HasPrefix(line, "-NOMASTERLINK"), strings.HasPrefix(line, "-LOADING"), strings.HasPrefix(line, "-BUSY"):
		return false, "", 0, fmt.Errorf("replica: the source is not ready: %.200s", line[1:]) // it is asked again
	}
	return false, "", 0, errors.Join(errRefused, refusal("PSYNC", line, nil))
}

// file returns the file that follows FULLRESYNC.
func (l *link) file() (*io.LimitedReader, error) {
	for {
		var raw []byte
		line, err := l.line(&raw)
		if err != nil {
			return nil, err
		}
		if len(line) == 0 {
			continue
		}
		size, err := strconv.ParseInt(strings.TrimPrefix(string(line), "$"), 10, 64)
		if err != nil || size < 0 {
			return nil, fmt.Errorf("replica: %.64q is no length of a file", line)
		}
		return &io.LimitedReader{R: l.r, N: size}, nil
	}
}

// appendCommand appends a command.
func appendCommand(dst []byte, words ...string) []byte {
	dst = fmt.Appendf(dst, "*%d\r\n", len(words))
	for _, w := range words {
		dst = fmt.Appendf(dst, "$%d\r\n%s\r\n", len(w), w)
	}
	return dst
}
