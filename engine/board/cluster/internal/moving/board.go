package moving

import (
	"context"
	"errors"
	"fmt"

	"github.com/redis/go-redis/v9"

	"github.com/zrankdb/zrank/engine/board/cluster/internal/servers"
	"github.com/zrankdb/zrank/engine/board/internal/relocation"
	"github.com/zrankdb/zrank/engine/board/internal/state"
	"github.com/zrankdb/zrank/engine/board/window"
)

// Board is what this package needs of a board.
type Board interface {
	ID() string
	State() *state.State
	Partitions() int
	PartitionOf(member string) int
	Keys(k int) Keys
	// Encode returns what is stored of an entry, and what the sorted set has of it; Decode is its inverse.
	Encode(e *relocation.Entry) (value, text string)
	Decode(member, value string) (relocation.Entry, error)
	// Look returns the periods of each window that have had members, and where the board goes, whether it has left.
	Look(ctx context.Context) (periods map[string][]window.Period, to relocation.Destination, left bool, err error)
	// Clear deletes everything that is stored of the board beside the catalog.
	Clear(ctx context.Context) error
}

// Keys makes the keys of a partition.
type Keys interface {
	Fence() string
	Once() string
	Changed() string
	Records() string
	Ranking(window, period string) string
	Values(window, period string) string
	Standings() string
	Audit() string
}

// errLost is returned if another move of the board has begun, or changes were not held for long enough.
var errLost = errors.New("cluster: another move of the board has begun, or this one took too long")

// each runs a script in all partitions. Its keys are the fence and the changes. Errors: errLost, those of the servers.
func each(ctx context.Context, v *servers.Servers, b Board, s *redis.Script, args ...any) (replies []any, err error) {
	for k := range b.Partitions() {
		reply, err := v.Run(ctx, s, []string{b.Keys(k).Fence(), b.Keys(k).Changed()}, args...)
		if err == nil && reply == "lost" {
			err = fmt.Errorf("%w: %q", errLost, b.State().Name)
		}
		if err != nil {
			return nil, err
		}
		replies = append(replies, reply)
	}
	return replies, nil
}
