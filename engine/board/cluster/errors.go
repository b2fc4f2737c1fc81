package cluster

import "errors"

var (
	// ErrUnsupported is returned by Define for a spec that has what this package does not have. The error names it, and says why.
	ErrUnsupported = errors.New("cluster: not on a cluster")
	// ErrPartitions is returned by Define and Board for a board that is stored with another number of partitions than Options has.
	ErrPartitions = errors.New("cluster: another number of partitions")
	// ErrUndecided is returned when the connection broke before the answer came, or too few replicas have confirmed a change: it may have been made or not. To
	// try again with the same Once key counts it once.
	ErrUndecided = errors.New("cluster: it is not known whether the change was made")
	// ErrCorrupt is returned for a stored value that cannot be read.
	ErrCorrupt = errors.New("cluster: a stored value is damaged")
)
