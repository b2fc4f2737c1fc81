package cluster

import (
	"errors"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/cluster/internal/layout"
	"github.com/zrankdb/zrank/board/cluster/internal/servers"
)

var (
	// ErrUnsupported is returned by Define for a spec that has what this package does not have. The error names all of it, and says why.
	ErrUnsupported = board.ErrUnsupported
	// ErrPartitions is returned by Define and Board for a board that is stored with another number of partitions than Options has.
	ErrPartitions = errors.New("cluster: another number of partitions")
	// ErrUndecided is returned when the connection broke before the answer came, or too few replicas have confirmed a change: it may have been made or not. To
	// try again with the same Once key counts it once.
	ErrUndecided = board.ErrUndecided
	// ErrNoRanks is returned by Submit if the change was made and its ranks could not be read then: it must not be sent again without a Once key.
	ErrNoRanks = board.ErrNoRanks
	// ErrClient is returned by Open for a client that is neither a redis.Client nor a redis.ClusterClient, and for a ClusterClient with MaxRetries; and by calls if the servers are a cluster and the client is a
	// redis.Client, or the other way round.
	ErrClient = servers.ErrClient
	// ErrIncomplete is returned if slots of the cluster belong to no server. Nothing but CLUSTER ADDSLOTS heals that.
	ErrIncomplete = servers.ErrIncomplete
	// ErrCorrupt is returned for a stored value that cannot be read.
	ErrCorrupt = layout.ErrCorrupt
)
