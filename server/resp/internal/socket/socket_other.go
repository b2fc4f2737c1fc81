//go:build !unix

package socket

import (
	"io"
	"net"
)

// NewReader returns the connection: only Unix systems have the calls that a Reader would make.
func NewReader(conn net.Conn) io.Reader { return conn }

// A Writer writes without waiting. Here it is always nil.
type Writer struct{}

// NewWriter returns nil.
func NewWriter(net.Conn) *Writer { return nil }

// Write does nothing.
func (*Writer) Write([]byte) (n int, err error) { return 0, nil }

// WakeMonitor does nothing.
func WakeMonitor() {}
