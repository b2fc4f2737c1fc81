package events

import (
	"context"
	"io"
)

// contextReader reads a stream until ctx is done. A read that is under way then goes on in its own goroutine.
type contextReader struct {
	ctx context.Context
	src io.Reader
	own []byte // the buffer of the read under way
}

type read struct {
	n   int
	err error
}

// Read implements io.Reader.
func (p *contextReader) Read(b []byte) (int, error) {
	if len(p.own) < len(b) {
		p.own = make([]byte, len(b))
	}
	got := make(chan read, 1)
	go func(src io.Reader, own []byte) {
		n, err := src.Read(own)
		got <- read{n, err}
	}(p.src, p.own[:len(b)])
	select {
	case r := <-got:
		return copy(b, p.own[:r.n]), r.err
	case <-p.ctx.Done():
		p.src = gone{} // the abandoned read still reads from src
		return 0, p.ctx.Err()
	}
}

// gone is a reader in place of an abandoned stream.
type gone struct{}

// Read implements io.Reader.
func (gone) Read([]byte) (int, error) { return 0, context.Canceled }
