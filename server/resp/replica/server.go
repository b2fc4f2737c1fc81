package replica

import (
	"context"
	"net"
	"sync"

	"github.com/redis/go-redis/v9"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/server/resp"
)

const databases = 255

// local is a server inside the process.
type local struct {
	*resp.Server
	l *pipes
}

// newLocal returns a server of an engine that is reached by connect only.
func newLocal(ctx context.Context, e *engine.Engine) (*local, error) {
	s, err := resp.New(ctx, e, resp.Options{Databases: databases})
	if err != nil {
		return nil, err
	}
	x := &local{s, &pipes{conns: make(chan net.Conn), closed: make(chan struct{})}}
	go func() { _ = s.Serve(x.l) }()
	return x, nil
}

// connect returns a connection.
func (x *local) connect(ctx context.Context) (net.Conn, error) {
	ours, theirs := net.Pipe()
	select {
	case x.l.conns <- theirs:
		return ours, nil
	case <-x.l.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// client returns a client.
func (x *local) client(db int) *redis.Client {
	return redis.NewClient(&redis.Options{DB: db, Protocol: 2, DisableIdentity: true, Dialer: func(ctx context.Context, _, _ string) (net.Conn, error) { return x.connect(ctx) }})
}

// pipes is a listener of connections in memory.
type pipes struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

// Accept implements net.Listener.
func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

// Close implements net.Listener.
func (p *pipes) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

// Addr implements net.Listener.
func (p *pipes) Addr() net.Addr { return &net.UnixAddr{Name: "replica", Net: "unix"} }
