package cluster

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

// change is the script that changes all windows of a member, or none.
//
//	KEYS  fence, once, and for each window the sorted set and the hash
//	ARGV  member, now in milliseconds, Once key or "", time up to which Once keys are expired, arrival, and for each window
//	      window, period, middle of the period in microseconds, value before or "", value after or "", text before or "", text after or ""
//
// The reply is a list: "made"; "dropped" if the board was; "duplicate"; "other" if the values are others; "closed", number of the window from 1, up to when the window is closed.
var change = redis.NewScript(`
local n = (#KEYS - 2) / 2
local function arg(i, j) return ARGV[5 + (i - 1) * 7 + j] end
if redis.call('HEXISTS', KEYS[1], 'dropped') == 1 then return {'dropped'} end
local used = ARGV[3] ~= '' and redis.call('ZSCORE', KEYS[2], ARGV[3])
if used and tonumber(used) > tonumber(ARGV[4]) then return {'duplicate'} end
local same = true
for i = 1, n do
  local through = redis.call('HGET', KEYS[1], 't/' .. arg(i, 1))
  if through and tonumber(arg(i, 3)) < tonumber(through) then return {'closed', i, through} end
  same = same and (redis.call('HGET', KEYS[2 * i + 2], ARGV[1]) or '') == arg(i, 4)
end
if not same then return {'other'} end
if ARGV[5] ~= '0' then redis.call('HSET', KEYS[1], 'arrivals', ARGV[5]) end
if ARGV[3] ~= '' then
  for _, key in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', ARGV[4], 'LIMIT', 0, 16)) do redis.call('ZREM', KEYS[2], key) end
  redis.call('ZADD', KEYS[2], ARGV[2], ARGV[3])
end
for i = 1, n do
  local z, h, was, is = KEYS[2 * i + 1], KEYS[2 * i + 2], arg(i, 6), arg(i, 7)
  if was ~= is and was ~= '' then redis.call('ZREM', z, was) end
  if is == '' then
    redis.call('HDEL', h, ARGV[1])
  elseif arg(i, 4) ~= arg(i, 5) then
    redis.call('HSET', h, ARGV[1], arg(i, 5))
    redis.call('HSET', KEYS[1], 'p/' .. arg(i, 1) .. '/' .. arg(i, 2), '1')
    if was ~= is then redis.call('ZADD', z, 0, is) end
  end
end
return {'made'}`)

// shut is the script that closes a window up to a time in a partition, unless it is closed further.
//
//	KEYS  fence
//	ARGV  window, microseconds
var shut = redis.NewScript(`
local through = redis.call('HGET', KEYS[1], 't/' .. ARGV[1])
if not through or tonumber(through) < tonumber(ARGV[2]) then redis.call('HSET', KEYS[1], 't/' .. ARGV[1], ARGV[2]) end
return 'made'`)

// servers is how the servers are reached.
type servers struct {
	client redis.UniversalClient
	single *redis.Client // of a server that is no cluster; it repeats nothing
	o      Options
}

// master returns a client of the server that has the master of a key's slot. go-redis repeats commands whose answers got lost, and a repeated change would count
// twice; this client repeats nothing.
func (b *servers) master(ctx context.Context, key string) (*redis.Client, error) {
	if c, ok := b.client.(*redis.ClusterClient); ok {
		return c.MasterForKey(ctx, key)
	}
	return b.single, nil
}

// run runs a script that writes, and waits for the replicas that the options ask for. Errors: ErrUndecided, those of the server.
func (b *servers) run(ctx context.Context, s *redis.Script, keys []string, args ...any) (reply any, err error) {
	var to target
	for try := 0; ; try++ {
		if to.server == nil {
			to.server, err = b.master(ctx, keys[0])
		}
		if err == nil {
			reply, err = b.tryRun(ctx, to, s, keys, args...)
		}
		if !isElsewhere(err) || try == tries {
			return reply, err
		}
		if to = b.elsewhere(ctx, err); to.server != nil {
			err = nil
		}
		if err := pause(ctx, try); err != nil {
			return nil, err
		}
	}
}

// ask sends the commands that fill has queued, which may be sent again. A missing key or field is no error.
func (b *servers) ask(ctx context.Context, fill func(pipe redis.Pipeliner)) error {
	for try := 0; ; try++ {
		pipe := b.client.Pipeline()
		fill(pipe)
		commands, err := pipe.Exec(ctx)
		for _, c := range commands { // Exec returns the first error, which may be that of a missing field
			if err = c.Err(); err != nil && !errors.Is(err, redis.Nil) {
				break
			}
		}
		switch {
		case err == nil || errors.Is(err, redis.Nil):
			return nil
		case !isElsewhere(err) || try == tries:
			return err
		}
		b.elsewhere(ctx, err)
		if err := pause(ctx, try); err != nil {
			return err
		}
	}
}

// tries is how often is sent again what no server has run: for about ten seconds.
const tries = 45

// pause waits while the cluster moves a slot, or elects a master. Error: that of ctx.
func pause(ctx context.Context, try int) error {
	select {
	case <-time.After(time.Duration(try+1) * 10 * time.Millisecond):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// isElsewhere reports whether a server has refused to run a script for now, or another one has the slot.
func isElsewhere(err error) bool {
	if err == nil {
		return false
	}
	for _, word := range []string{"MOVED ", "ASK ", "TRYAGAIN", "CLUSTERDOWN", "LOADING", "READONLY", "MASTERDOWN"} {
		if strings.HasPrefix(err.Error(), word) {
			return true
		}
	}
	dial := new(net.OpError)
	return errors.As(err, &dial) && dial.Op == "dial"
}

// target is the server that a script goes to.
type target struct {
	server *redis.Client
	asking bool // the server is about to get the slot, and takes those that another one has sent to it
}

// elsewhere returns the server that another one has named in its error, none if it has not. It makes the client learn the slots anew.
func (b *servers) elsewhere(ctx context.Context, err error) (to target) {
	c, ok := b.client.(*redis.ClusterClient)
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

// tryRun is run without a second try.
func (b *servers) tryRun(ctx context.Context, to target, s *redis.Script, keys []string, args ...any) (any, error) {
	reply, err := b.send(ctx, to, s.EvalSha, keys, args)
	if err != nil && redis.HasErrorPrefix(err, "NOSCRIPT") {
		reply, err = b.send(ctx, to, s.Eval, keys, args)
	}
	return reply, err
}

// send sends a script, and a WAIT behind it on the same connection.
func (b *servers) send(ctx context.Context, to target, eval func(context.Context, redis.Scripter, []string, ...any) *redis.Cmd,
	keys []string, args []any) (any, error) {
	pipe := to.server.Pipeline()
	if to.asking {
		pipe.Do(ctx, "asking")
	}
	ran := eval(ctx, pipe, keys, args...)
	var confirmed *redis.IntCmd
	if b.o.Replicas > 0 {
		confirmed = redis.NewIntCmd(ctx, "wait", b.o.Replicas, b.o.ReplicaTimeout.Milliseconds())
		_ = pipe.Process(ctx, confirmed) // queues it, without an error
	}
	_, _ = pipe.Exec(ctx) // the first error, which its command has too
	reply, err := ran.Result()
	var refused redis.Error
	switch {
	case err != nil && (errors.As(err, &refused) || isElsewhere(err)):
		return nil, err
	case err != nil:
		return nil, fmt.Errorf("%w: %w", ErrUndecided, err)
	case confirmed == nil:
		return reply, nil
	}
	if n, err := confirmed.Result(); err != nil || n < int64(b.o.Replicas) {
		return nil, errors.Join(fmt.Errorf("%w: %d replicas have confirmed it, want %d", ErrUndecided, n, b.o.Replicas), err)
	}
	return reply, nil
}
