package engine

import (
	"sync"
	"sync/atomic"
)

// lifetime says when the engine ends, to all its parts.
type lifetime struct {
	closed  atomic.Bool    // Close has been called
	stop    chan struct{}  // is closed when Close begins
	stopped sync.WaitGroup // the goroutines that end then
}

func newLifetime() *lifetime { return &lifetime{stop: make(chan struct{})} }
