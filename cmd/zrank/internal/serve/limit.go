package serve

import (
	"errors"
	"log/slog"
	"net"
	"sync"
	"syscall"
	"time"
)

// noLimit is the limit of open files where there is none.
const noLimit = 1 << 30

// Files that a process needs beside its clients. Go raises the limit of open files to the hard one when a process starts.
const (
	storeFiles = 128 // of the store: 64 tables that Pebble keeps open, logs, and what a flush, a compaction and a backup write
	ownFiles   = 32  // listeners, the standard streams, connections to other servers
)

// clientsOf returns how many connections each of so many doors may have in a process that may open limit files. Each has its own share, so that no door
// takes the connections of another. A limit too low for all leaves half of it to the store.
func clientsOf(limit uint64, doors int, stored bool) int {
	keep := uint64(ownFiles)
	if stored {
		keep += storeFiles
	}
	keep = min(keep, limit/2)
	return int(max(min((limit-keep)/uint64(max(doors, 1)), 1<<20), 1))
}

// door limits the connections of one protocol, over all its listeners. A connection beyond the limit is closed at once: it has its descriptor for no longer
// than accepting takes.
type door struct {
	most  int
	log   *slog.Logger
	clock func() time.Time

	mu      sync.Mutex
	open    int
	refused int       // since the last line of the log
	logged  time.Time // the last line of the log
}

const (
	defaultClients = 10_000 // of --maxclients
	tooManyClients = "-ERR max number of clients reached\r\n"
)

// logEvery is the least time between two lines about connections that were refused.
const logEvery = 10 * time.Second

// enter counts a connection in, unless there are as many as there may be.
func (d *door) enter() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.open >= d.most {
		return false
	}
	d.open++
	return true
}

// leave counts a connection out.
func (d *door) leave() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.open--
}

// turnAway closes a connection that enter has refused, and logs how many were refused, at most once in logEvery.
func (d *door) turnAway(conn net.Conn, text string) {
	_, _ = conn.Write([]byte(text)) // the empty buffer of a new socket takes it at once
	_ = conn.Close()
	d.mu.Lock()
	d.refused++
	n, now := d.refused, d.clock()
	due := d.logged.IsZero() || now.Sub(d.logged) >= logEvery
	if due {
		d.refused, d.logged = 0, now
	}
	d.mu.Unlock()
	if due {
		d.log.Warn("connections refused, there are as many as the limit of open files allows", "refused", n, "most", d.most, "address", conn.LocalAddr().String())
	}
}

// limited is a listener of a door.
type limited struct {
	net.Listener
	door   *door
	refuse string // sent to those that are refused; "": nothing
}

// Accept implements net.Listener.
func (l *limited) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if l.door.enter() {
			return &counted{Conn: conn, door: l.door}, nil
		}
		l.door.turnAway(conn, l.refuse)
	}
}

// counted is a connection of a door, which it leaves when it is closed.
type counted struct {
	net.Conn
	door *door
	once sync.Once
}

// Close implements net.Conn.
func (c *counted) Close() error {
	err := c.Conn.Close()
	c.once.Do(c.door.leave)
	return err
}

// SyscallConn implements syscall.Conn, for writes that must not wait.
func (c *counted) SyscallConn() (syscall.RawConn, error) {
	if inner, ok := c.Conn.(syscall.Conn); ok {
		return inner.SyscallConn()
	}
	return nil, errors.ErrUnsupported
}

// CloseWrite lets a client read the answer before the connection is closed.
func (c *counted) CloseWrite() error {
	if inner, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return inner.CloseWrite()
	}
	return errors.ErrUnsupported
}
