package cluster

import (
	"fmt"
	"strings"
	"time"

	"github.com/zrankdb/zrank/board/cluster/internal/layout"
)

// MaxPartitions is the largest number of partitions.
const MaxPartitions = layout.MaxPartitions

// Options say how boards are kept.
type Options struct {
	// Prefix begins all keys. "zrank:" unless set.
	Prefix string
	// Partitions is the number of parts of each board that Define makes: 1 to MaxPartitions, 1 unless set. A board keeps the number that it was made with. With
	// one, a board is on one server; with more, on several, and each rank is a sum of as many counts.
	Partitions int
	// Replicas is how many replicas must have each change before the call returns; 0: it does not wait, and a failing master loses changes that were
	// acknowledged. A call that gets fewer in ReplicaTimeout returns ErrUndecided.
	Replicas int
	// ReplicaTimeout is how long a call waits for Replicas: one second unless set.
	ReplicaTimeout time.Duration
	// Clock is the time. time.Now unless set.
	Clock func() time.Time
}

// complete fills in the defaults. Error: of what is impossible.
func (o Options) complete() (Options, error) {
	if o.Prefix == "" {
		o.Prefix = "zrank:"
	}
	if o.Partitions == 0 {
		o.Partitions = 1
	}
	if o.ReplicaTimeout == 0 {
		o.ReplicaTimeout = time.Second
	}
	if o.Clock == nil {
		o.Clock = time.Now
	}
	switch {
	case o.Partitions < 1 || o.Partitions > MaxPartitions:
		return o, fmt.Errorf("%w: Options.Partitions is %d, want 1 to %d", ErrPartitions, o.Partitions, MaxPartitions)
	case o.Replicas < 0 || o.ReplicaTimeout < time.Millisecond:
		return o, fmt.Errorf("cluster: Options.Replicas is %d and ReplicaTimeout %v", o.Replicas, o.ReplicaTimeout)
	case strings.ContainsAny(o.Prefix, "{}"):
		return o, fmt.Errorf("cluster: Options.Prefix is %q, want no braces", o.Prefix)
	}
	return o, nil
}
