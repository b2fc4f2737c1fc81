package recovery

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"time"
)

// Redis is a connection to a server that has just been started.
type Redis struct {
	conn   net.Conn
	in     *bufio.Reader
	out    *bufio.Writer
	Loaded time.Duration // how long it took the server, from when it was started, to answer
}

const (
	// patience is how long a server may take to load.
	patience = 10 * time.Minute
	// ask is the time between two attempts to hear from it.
	ask = time.Millisecond
	// together is how many members a ZADD has.
	together = 500
)

// DialRedis waits until a server that has just been started has loaded its data, and connects.
func DialRedis(ctx context.Context, socket string) (*Redis, error) {
	start := time.Now()
	tick := time.NewTicker(ask)
	defer tick.Stop()
	for time.Since(start) < patience {
		r, err := dial(socket)
		if err == nil {
			r.Loaded = time.Since(start)
			return r, nil
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-tick.C:
		}
	}
	return nil, fmt.Errorf("no answer within %v", patience)
}

// dial connects, and fails if the server is still loading.
func dial(socket string) (*Redis, error) {
	conn, err := net.Dial("unix", socket)
	if err != nil {
		return nil, err
	}
	r := &Redis{conn: conn, in: bufio.NewReader(conn), out: bufio.NewWriterSize(conn, 1<<16)}
	if _, err := r.do("PING"); err != nil {
		_ = conn.Close() // what the PING met is worth more
		return nil, err
	}
	return r, nil
}

// Close closes the connection.
func (r *Redis) Close() error { return r.conn.Close() }

// Build puts in the members that the stage Build puts in, and saves them.
func (r *Redis) Build(n int, seed uint64) error {
	l := newLoad(n, seed)
	for lo := 0; lo < n; lo += together {
		s := l.drawAll(lo, min(lo+together, n))
		args := []string{"ZADD", arena}
		for i := range s.Len() {
			args = append(args, strconv.FormatFloat(s.Score(i), 'f', -1, 64), s.Key(i).Name)
		}
		if _, err := r.do(args...); err != nil {
			return err
		}
	}
	_, err := r.do("SAVE")
	return err
}

// Holds returns an error unless the server has n members.
func (r *Redis) Holds(n int) error {
	got, err := r.do("ZCARD", arena)
	if err == nil && got != ":"+strconv.Itoa(n) {
		err = fmt.Errorf("it loaded %s members of %d", got, n)
	}
	return err
}

// do sends a command and returns its reply, which has to be one line.
func (r *Redis) do(args ...string) (string, error) {
	fmt.Fprintf(r.out, "*%d\r\n", len(args))
	for _, a := range args {
		fmt.Fprintf(r.out, "$%d\r\n%s\r\n", len(a), a)
	}
	if err := r.out.Flush(); err != nil {
		return "", err
	}
	line, err := r.in.ReadString('\n')
	if err != nil {
		return "", fmt.Errorf("%s: %w", args[0], io.ErrUnexpectedEOF)
	}
	line = strings.TrimRight(line, "\r\n")
	if strings.HasPrefix(line, "-") {
		return "", fmt.Errorf("%s: %s", args[0], line)
	}
	return line, nil
}
