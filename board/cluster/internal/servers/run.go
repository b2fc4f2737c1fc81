package servers

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/redis/go-redis/v9"

	"github.com/zrankdb/zrank/board"
)

// Run runs a script that writes, and waits for the replicas that the options ask for. Errors: errs.ErrUndecided, those of the server.
func (b *Servers) Run(ctx context.Context, s *redis.Script, keys []string, args ...any) (reply any, err error) {
	var to target
	for try := 0; ; try++ {
		if to.server == nil {
			to.server, err = b.master(ctx, keys[0])
		}
		if err == nil {
			reply, err = b.tryRun(ctx, to, s, keys, args...)
		}
		if err == nil {
			return reply, nil
		}
		if err := b.again(ctx, err, try); err != nil {
			return nil, err
		}
		if to = b.elsewhere(ctx, err); to.server != nil {
			err = nil
		}
	}
}

// Ask sends the commands that fill has queued, which may be sent again. A missing key or field is no error.
func (b *Servers) Ask(ctx context.Context, fill func(pipe redis.Pipeliner)) error {
	return b.askBy(ctx, b.Client.Pipeline, fill)
}

// AskWhole is Ask of commands about one slot, which are run without others between them.
func (b *Servers) AskWhole(ctx context.Context, fill func(pipe redis.Pipeliner)) error {
	return b.askBy(ctx, b.Client.TxPipeline, fill)
}

// askBy is Ask by pipelines of a kind.
func (b *Servers) askBy(ctx context.Context, newPipe func() redis.Pipeliner, fill func(pipe redis.Pipeliner)) error {
	return b.Repeat(ctx, func() error {
		pipe := newPipe()
		fill(pipe)
		return FirstError(pipe.Exec(ctx))
	})
}

// Repeat makes a call again while servers refuse it for now. A missing key or field is no error.
func (b *Servers) Repeat(ctx context.Context, call func() error) error {
	for try := 0; ; try++ {
		err := call()
		if err == nil || errors.Is(err, redis.Nil) {
			return nil
		}
		if err := b.again(ctx, err, try); err != nil {
			return err
		}
		b.elsewhere(ctx, err)
	}
}

// target is the server that a script goes to.
type target struct {
	server *redis.Client
	asking bool // the server is about to get the slot, and takes those that another one has sent to it
}

// elsewhere returns the server that another one has named in its error, none if it has not. It makes the client learn the slots anew.
func (b *Servers) elsewhere(ctx context.Context, err error) (to target) {
	c, ok := b.Client.(*redis.ClusterClient)
	if !ok {
		return to
	}
	c.ReloadState(ctx)
	addr, named := redis.IsMovedError(err)
	if !named {
		addr, to.asking = redis.IsAskError(err)
	}
	var mu sync.Mutex
	_ = c.ForEachMaster(ctx, func(_ context.Context, master *redis.Client) error {
		mu.Lock()
		defer mu.Unlock()
		if master.Options().Addr == addr {
			to.server = master
		}
		return nil
	})
	return to
}

// tryRun is Run without a second try.
func (b *Servers) tryRun(ctx context.Context, to target, s *redis.Script, keys []string, args ...any) (any, error) {
	reply, err := b.send(ctx, to, s.EvalSha, keys, args)
	if err != nil && redis.HasErrorPrefix(err, "NOSCRIPT") {
		reply, err = b.send(ctx, to, s.Eval, keys, args)
	}
	return reply, err
}

// send sends a script, and a WAIT behind it on the same connection.
func (b *Servers) send(ctx context.Context, to target, eval func(context.Context, redis.Scripter, []string, ...any) *redis.Cmd,
	keys []string, args []any) (any, error) {
	pipe := to.server.Pipeline()
	if to.asking {
		pipe.Do(ctx, "asking")
	}
	ran := eval(ctx, pipe, keys, args...)
	var confirmed *redis.IntCmd
	if b.Options.Replicas > 0 {
		confirmed = redis.NewIntCmd(ctx, "wait", b.Options.Replicas, b.Options.ReplicaTimeout.Milliseconds())
		_ = pipe.Process(ctx, confirmed) // queues it, without an error
	}
	_, broken := pipe.Exec(ctx)
	reply, err := ran.Result()
	if err == nil && reply == nil { // a script has a reply: there was no connection
		err = broken
	}
	switch {
	case err != nil && isRefused(err):
		return nil, err
	case err != nil:
		return nil, fmt.Errorf("%w: %w", board.ErrUndecided, err)
	case confirmed == nil:
		return reply, nil
	}
	if n, err := confirmed.Result(); err != nil || n < int64(b.Options.Replicas) {
		return nil, errors.Join(fmt.Errorf("%w: %d replicas have confirmed it, want %d", board.ErrUndecided, n, b.Options.Replicas), err)
	}
	return reply, nil
}
