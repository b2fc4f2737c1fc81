package servers

import (
	"context"

	"github.com/redis/go-redis/v9"
)

// asker turns operations into commands of the Redis protocol, for a client or for a pipeline.
type asker struct {
	ctx  context.Context
	c    sender
	each bool // one command for each member
}

// sender is a client or a pipeline.
type sender interface {
	redis.Cmdable
	Do(ctx context.Context, args ...any) *redis.Cmd
	Process(ctx context.Context, cmd redis.Cmder) error
}
