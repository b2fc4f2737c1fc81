package servers

import (
	"context"

	"github.com/redis/go-redis/v9"
)

// asker makes operations commands of the Redis protocol: it gives them to a client, or to a pipeline that is sent later.
type asker struct {
	ctx  context.Context
	c    sender
	each bool // a command for each member
}

// sender is a client or a pipeline.
type sender interface {
	redis.Cmdable
	Do(ctx context.Context, args ...any) *redis.Cmd
	Process(ctx context.Context, cmd redis.Cmder) error
}
