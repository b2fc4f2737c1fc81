package checkpoint

import (
	"sync"
	"time"
)

// Snapshots is engine.Snapshots.
type Snapshots struct {
	Taken    uint64
	Failed   uint64
	Age      time.Duration
	Duration time.Duration
	Bytes    int64
	Err      error
}

// figures collects the figures of snapshots.
type figures struct {
	mu   sync.Mutex
	last Snapshots // without Age
}

// ended notes the end of a snapshot.
func (n *figures) ended(took time.Duration, bytes int64, err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.last.Duration, n.last.Bytes, n.last.Err = took, bytes, err
	if err != nil {
		n.last.Failed++
	} else {
		n.last.Taken++
	}
}

// Now returns the figures without Age.
func (n *figures) Now() Snapshots {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.last
}
