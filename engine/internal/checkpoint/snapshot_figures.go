package checkpoint

import (
	"sync"
	"time"
)

// Snapshots are figures of snapshots.
type Snapshots struct {
	Taken    uint64        // since Open
	Failed   uint64        // since Open
	Age      time.Duration // since the last one was published, before Open perhaps; 0: there is none
	Duration time.Duration // of the last one
	Bytes    int64         // of pages that the last one wrote
	Err      error         // why the last one failed; nil if it did not
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
