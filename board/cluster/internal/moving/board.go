package moving

import (
	"context"
	"errors"
	"fmt"

	"github.com/redis/go-redis/v9"

	"github.com/zrankdb/zrank/board/cluster/internal/layout"
	"github.com/zrankdb/zrank/board/cluster/internal/servers"
	"github.com/zrankdb/zrank/board/internal/relocation"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/board/window"
)

// Board is what this package needs of a board.
type Board interface {
	Keys() layout.Keys
	State() *state.State
	// Look returns the periods of each window that have had members, and where the board goes, whether it has left.
	Look(ctx context.Context) (periods map[string][]window.Period, to relocation.Destination, left bool, err error)
	// Clear deletes everything that is stored of the board beside the catalog.
	Clear(ctx context.Context) error
}

// errLost is returned if another move of the board has begun, or changes were not held for long enough.
var errLost = errors.New("cluster: another move of the board has begun, or this one took too long")

// each runs a script in all partitions. Its keys are the fence and the changes. Errors: errLost, those of the servers.
func each(ctx context.Context, v *servers.Servers, b Board, s *redis.Script, args ...any) (replies []any, err error) {
	for k := range b.Keys().Partitions() {
		reply, err := v.Run(ctx, s, []string{b.Keys().Fence(k), b.Keys().Changed(k)}, args...)
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

// encode returns what is stored of an entry, and what the sorted set has of it.
func encode(e *relocation.Entry) (value, text string) {
	v := layout.Value{Score: e.Score, Tie: e.Tie, Kept: e.Kept, Meta: e.Meta, HasMember: true, Hidden: e.Hidden}
	return v.Encode(), v.Text([]byte(e.Member))
}

// decode returns the entry of a member by what is stored of it. Error: layout.ErrCorrupt.
func decode(b Board, member, value string) (relocation.Entry, error) {
	v, err := layout.DecodeValue(value, b.State().Rules.TieWidth())
	return relocation.Entry{Member: member, Score: v.Score, Tie: v.Tie, Kept: v.Kept, Meta: v.Meta, Hidden: v.Hidden}, err
}
