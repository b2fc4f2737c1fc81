package events

import (
	"context"
	"io"
)

// contextReader reads a stream until ctx is done. A read that is under way then goes on in its own goroutine.
type contextReader struct {
	ctx context.Context
	src io.Reader
	buf []byte // of the read under way; the caller's buffer is not safe after Read has returned
}

type read struct {
	n   int
	err error
}

// Read implements io.Reader. It reads from src in another goroutine, so that the end of ctx ends the wait for src.
func (p *contextReader) Read(b []byte) (int, error) {
	if len(p.buf) < len(b) {
		p.buf = make([]byte, len(b))
	}
	result := make(chan read, 1)
	go func(src io.Reader, buf []byte) {
		n, err := src.Read(buf)
		result <- read{n, err}
	}(p.src, p.buf[:len(b)])
	select {
	case r := <-result:
		return copy(b, p.buf[:r.n]), r.err
	case <-p.ctx.Done():
		p.src = gone{} // the abandoned read still reads from src
		return 0, p.ctx.Err()
	}
}

// gone is a reader in place of an abandoned stream.
type gone struct{}

// Read implements io.Reader.
func (gone) Read([]byte) (int, error) { return 0, context.Canceled }
