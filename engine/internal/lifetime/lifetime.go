package lifetime

import (
	"sync"
	"sync/atomic"
)

// Lifetime tells all parts of an engine when it is closed.
type Lifetime struct {
	Closed  atomic.Bool    // Close has been called
	Stop    chan struct{}  // is closed when Close begins
	Stopped sync.WaitGroup // the goroutines that end then
}

// New returns a lifetime that has begun.
func New() *Lifetime { return &Lifetime{Stop: make(chan struct{})} }
